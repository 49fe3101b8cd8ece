// RUN: disc-opt --disc-pipeline --to=bufferize %s | filecheck %s
// A scalar that becomes data is written by a kernel, and is made again inside of kernels that read it: a loop's
// condition, and an elementwise op behind the loop. CSE between passes must not make these one op.
// CHECK-LABEL: @main
// CHECK: scf.while
// CHECK: lmhlo_disc.fusion
// CHECK: tensor.from_elements
func.func @main(%x: tensor<?xi64>) -> (tensor<i64>, tensor<?xi64>, tensor<i64>) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xi64>
  %i = arith.index_cast %n : index to i64
  %t = tensor.from_elements %i : tensor<i64>
  %one = stablehlo.constant dense<1> : tensor<i64>
  %r = stablehlo.while(%k = %one) : tensor<i64>
    cond {
      %p = stablehlo.compare LT, %k, %t : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %d = stablehlo.add %k, %k : tensor<i64>
      stablehlo.return %d : tensor<i64>
    }
  %s = tensor.from_elements %n : tensor<1xindex>
  %b = stablehlo.dynamic_broadcast_in_dim %t, %s, dims = [] : (tensor<i64>, tensor<1xindex>) -> tensor<?xi64>
  %y = stablehlo.add %x, %b : tensor<?xi64>
  return %r, %y, %t : tensor<i64>, tensor<?xi64>, tensor<i64>
}
