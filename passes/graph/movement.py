"""Merge chains of ops that only move elements."""

from disc_dsl import Attr, Pass, Value, pattern, replace, require, rewrite
from disc_dsl.constraints import same_type, static_shape
from disc_dsl.native import constraint, native_rewrite
from disc_dsl.ops import dhlo


@constraint(cpp="disc::isIdentityPermutation")
def identity(permutation: Attr) -> bool:
    """the permutation leaves every dimension where it is"""
    return list(permutation) == list(range(len(permutation)))


@native_rewrite(cpp="disc::composedDims")
def composed(inner: Attr, outer: Attr) -> Attr:
    """where `outer` takes what is at the places that `inner` gives: `outer[inner[i]]`"""


@pattern
def transpose_identity(x: Value):
    """transpose(x, [0, 1, ...]) -> x"""
    root = dhlo.transpose(x)
    require(identity(root.permutation), same_type(x, root))
    with rewrite(root):
        replace(root, x)


@pattern
def transpose_of_transpose(x: Value):
    """transpose(transpose(x, p), q) -> transpose(x, p[q])

    before:
        func.func @f(%x: tensor<?x2x3xf32>) -> tensor<3x?x2xf32> {
          %t = dhlo.transpose %x, dims = [1, 2, 0] : (tensor<?x2x3xf32>) -> tensor<2x3x?xf32>
          %r = dhlo.transpose %t, dims = [1, 2, 0] : (tensor<2x3x?xf32>) -> tensor<3x?x2xf32>
          return %r : tensor<3x?x2xf32>
        }
    after:
        func.func @f(%x: tensor<?x2x3xf32>) -> tensor<3x?x2xf32> {
          %r = dhlo.transpose %x, dims = [2, 0, 1] : (tensor<?x2x3xf32>) -> tensor<3x?x2xf32>
          return %r : tensor<3x?x2xf32>
        }
    """
    inner = dhlo.transpose(x)
    root = dhlo.transpose(inner)
    with rewrite(root):
        replace(root, dhlo.transpose(x, permutation=composed(root.permutation, inner.permutation)))


@pattern
def reshape_of_reshape(x: Value):
    """reshape(reshape(x)) -> reshape(x) to a static shape"""
    root = dhlo.reshape(dhlo.reshape(x))
    require(static_shape(root))
    with rewrite(root):
        replace(root, dhlo.reshape(x))


@pattern
def reshape_of_dynamic_reshape(x: Value, inner_shape: Value):
    """reshape(dynamic_reshape(x, s)) -> reshape(x) to a static shape"""
    root = dhlo.reshape(dhlo.dynamic_reshape(x, inner_shape))
    require(static_shape(root))
    with rewrite(root):
        replace(root, dhlo.reshape(x))


@pattern
def dynamic_reshape_of_dynamic_reshape(x: Value, inner_shape: Value, shape: Value):
    """dynamic_reshape(dynamic_reshape(x, s), t) -> dynamic_reshape(x, t)"""
    root = dhlo.dynamic_reshape(dhlo.dynamic_reshape(x, inner_shape), shape)
    with rewrite(root):
        replace(root, dhlo.dynamic_reshape(x, shape))


@pattern
def dynamic_reshape_of_reshape(x: Value, shape: Value):
    """dynamic_reshape(reshape(x), t) -> dynamic_reshape(x, t)"""
    root = dhlo.dynamic_reshape(dhlo.reshape(x), shape)
    with rewrite(root):
        replace(root, dhlo.dynamic_reshape(x, shape))


@pattern
def broadcast_of_broadcast(x: Value):
    """broadcast_in_dim(broadcast_in_dim(x, p), q) -> broadcast_in_dim(x, q[p])"""
    inner = dhlo.broadcast_in_dim(x)
    root = dhlo.broadcast_in_dim(inner)
    with rewrite(root):
        dims = composed(inner.broadcast_dimensions, root.broadcast_dimensions)
        replace(root, dhlo.broadcast_in_dim(x, broadcast_dimensions=dims))


@pattern
def dynamic_broadcast_of_broadcast(x: Value, shape: Value):
    """dynamic_broadcast_in_dim(broadcast_in_dim(x, p), t, q) -> dynamic_broadcast_in_dim(x, t, q[p])"""
    inner = dhlo.broadcast_in_dim(x)
    root = dhlo.dynamic_broadcast_in_dim(inner, shape)
    with rewrite(root):
        dims = composed(inner.broadcast_dimensions, root.broadcast_dimensions)
        replace(root, dhlo.dynamic_broadcast_in_dim(x, shape, broadcast_dimensions=dims))


@pattern
def dynamic_broadcast_of_dynamic_broadcast(x: Value, inner_shape: Value, shape: Value):
    """dynamic_broadcast_in_dim(dynamic_broadcast_in_dim(x, s, p), t, q) -> dynamic_broadcast_in_dim(x, t, q[p])"""
    inner = dhlo.dynamic_broadcast_in_dim(x, inner_shape)
    root = dhlo.dynamic_broadcast_in_dim(inner, shape)
    with rewrite(root):
        dims = composed(inner.broadcast_dimensions, root.broadcast_dimensions)
        replace(root, dhlo.dynamic_broadcast_in_dim(x, shape, broadcast_dimensions=dims))


PASS = Pass(on="func.func")
