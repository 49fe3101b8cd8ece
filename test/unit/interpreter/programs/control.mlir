// while
func.func @main(%x: tensor<?xf32>) -> (tensor<i32>, tensor<?xf32>) {
  %i = stablehlo.constant dense<0> : tensor<i32>
  %n = stablehlo.constant dense<3> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %0:2 = stablehlo.while(%k = %i, %v = %x) : tensor<i32>, tensor<?xf32>
   cond {
    %c = stablehlo.compare LT, %k, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %k1 = stablehlo.add %k, %one : tensor<i32>
    %v1 = stablehlo.sine %v : tensor<?xf32>
    stablehlo.return %k1, %v1 : tensor<i32>, tensor<?xf32>
  }
  return %0#0, %0#1 : tensor<i32>, tensor<?xf32>
}
// -----
// if
func.func @main(%p: tensor<i1>, %x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = "stablehlo.if"(%p) ({
    %a = stablehlo.negate %x : tensor<?xf32>
    stablehlo.return %a : tensor<?xf32>
  }, {
    %b = stablehlo.multiply %x, %x : tensor<?xf32>
    stablehlo.return %b : tensor<?xf32>
  }) : (tensor<i1>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
// -----
// case
func.func @main(%i: tensor<i32>, %x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = "stablehlo.case"(%i) ({
    stablehlo.return %x : tensor<?xf32>
  }, {
    %a = stablehlo.add %x, %x : tensor<?xf32>
    stablehlo.return %a : tensor<?xf32>
  }, {
    %b = stablehlo.abs %x : tensor<?xf32>
    stablehlo.return %b : tensor<?xf32>
  }) : (tensor<i32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
// -----
// calls
func.func private @twice(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = stablehlo.add %x, %x : tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = func.call @twice(%x) : (tensor<?xf32>) -> tensor<?xf32>
  %1 = func.call @twice(%0) : (tensor<?xf32>) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}
// -----
// assuming
func.func @main(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %a = shape.shape_of %x : tensor<?xf32> -> tensor<1xindex>
  %b = shape.shape_of %y : tensor<?xf32> -> tensor<1xindex>
  %w = shape.cstr_broadcastable %a, %b : tensor<1xindex>, tensor<1xindex>
  %0 = shape.assuming %w -> (tensor<?xf32>) {
    %s = shape.broadcast %a, %b : tensor<1xindex>, tensor<1xindex> -> tensor<1xindex>
    %xb = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [0] : (tensor<?xf32>, tensor<1xindex>) -> tensor<?xf32>
    %yb = stablehlo.dynamic_broadcast_in_dim %y, %s, dims = [0] : (tensor<?xf32>, tensor<1xindex>) -> tensor<?xf32>
    %r = stablehlo.subtract %xb, %yb : tensor<?xf32>
    shape.assuming_yield %r : tensor<?xf32>
  }
  return %0 : tensor<?xf32>
}
// -----
// tuples
func.func @main(%x: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xi32>) {
  %0 = stablehlo.convert %x : (tensor<?xf32>) -> tensor<?xi32>
  %t = stablehlo.tuple %x, %0 : tuple<tensor<?xf32>, tensor<?xi32>>
  %1 = stablehlo.get_tuple_element %t[0] : (tuple<tensor<?xf32>, tensor<?xi32>>) -> tensor<?xf32>
  %2 = stablehlo.get_tuple_element %t[1] : (tuple<tensor<?xf32>, tensor<?xi32>>) -> tensor<?xi32>
  return %1, %2 : tensor<?xf32>, tensor<?xi32>
}
// -----
// constants
func.func @main(%x: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %c = stablehlo.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %d = stablehlo.constant dense<2.0> : tensor<3xf32>
  %e = stablehlo.multiply %c, %d : tensor<3xf32>
  %0 = chlo.broadcast_power %x, %d : (tensor<?x3xf32>, tensor<3xf32>) -> tensor<?x3xf32>
  %1 = chlo.broadcast_add %0, %e : (tensor<?x3xf32>, tensor<3xf32>) -> tensor<?x3xf32>
  return %1 : tensor<?x3xf32>
}
// -----
// blocks
func.func @main(%n: tensor<i32>, %x: tensor<?xf32>) -> (tensor<?xf32>, tensor<i32>) {
  %0 = func.call @choose(%n, %x) : (tensor<i32>, tensor<?xf32>) -> tensor<?xf32>
  %c0 = arith.constant 0 : i32
  %c3 = arith.constant 3 : i32
  %c1 = arith.constant 1 : i32
  cf.br ^head(%0, %c0 : tensor<?xf32>, i32)
^head(%v: tensor<?xf32>, %i: i32):
  %more = arith.cmpi slt, %i, %c3 : i32
  cf.cond_br %more, ^body, ^end
^body:
  %w = stablehlo.concatenate %v, %x, dim = 0 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %j = arith.addi %i, %c1 : i32
  cf.br ^head(%w, %j : tensor<?xf32>, i32)
^end:
  %k = tensor.from_elements %i : tensor<i32>
  return %v, %k : tensor<?xf32>, tensor<i32>
}
func.func private @choose(%n: tensor<i32>, %x: tensor<?xf32>) -> tensor<?xf32> {
  %k = tensor.extract %n[] : tensor<i32>
  cf.switch %k : i32, [default: ^other, 0: ^end(%x : tensor<?xf32>), 2: ^negate(%x : tensor<?xf32>)]
^negate(%u: tensor<?xf32>):
  %v = stablehlo.negate %u : tensor<?xf32>
  cf.br ^end(%v : tensor<?xf32>)
^other:
  %w = stablehlo.multiply %x, %x : tensor<?xf32>
  cf.br ^end(%w : tensor<?xf32>)
^end(%r: tensor<?xf32>):
  return %r : tensor<?xf32>
}
