// tuples: nested ones, a token and a barrier
func.func @main(%x: tensor<?xf32>, %n: tensor<?xi32>) -> tuple<tensor<?xf32>, tensor<?xi32>> {
  %k = stablehlo.create_token : !stablehlo.token
  %u = stablehlo.tuple %n : tuple<tensor<?xi32>>
  %t = stablehlo.tuple %x, %u : tuple<tensor<?xf32>, tuple<tensor<?xi32>>>
  %a = stablehlo.get_tuple_element %t[0] : (tuple<tensor<?xf32>, tuple<tensor<?xi32>>>) -> tensor<?xf32>
  %v = stablehlo.get_tuple_element %t[1] : (tuple<tensor<?xf32>, tuple<tensor<?xi32>>>) -> tuple<tensor<?xi32>>
  %m = stablehlo.get_tuple_element %v[0] : (tuple<tensor<?xi32>>) -> tensor<?xi32>
  %b = stablehlo.optimization_barrier %a : tensor<?xf32>
  %s = stablehlo.add %b, %b : tensor<?xf32>
  %r = stablehlo.tuple %s, %m : tuple<tensor<?xf32>, tensor<?xi32>>
  return %r : tuple<tensor<?xf32>, tensor<?xi32>>
}

// -----
// scan: running sums, from the end
func.func @main(%x: tensor<?x3xi32>, %i: tensor<3xi32>) -> (tensor<?x3xi32>, tensor<3xi32>) {
  %o:2 = chlo.scan(%x) inits (%i) dimension=0 attributes {is_reverse = true} {
  ^bb0(%y: tensor<3xi32>, %s: tensor<3xi32>):
    %n = stablehlo.add %y, %s : tensor<3xi32>
    stablehlo.return %n, %n : tensor<3xi32>, tensor<3xi32>
  } : (tensor<?x3xi32>, tensor<3xi32>) -> (tensor<?x3xi32>, tensor<3xi32>)
  return %o#0, %o#1 : tensor<?x3xi32>, tensor<3xi32>
}

// -----
// random: bits of both generators
func.func @main(%s: tensor<2xui64>) -> (tensor<2xui64>, tensor<3x3xui32>, tensor<5xui64>) {
  %n, %r = stablehlo.rng_bit_generator %s, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x3xui32>)
  %m, %q = stablehlo.rng_bit_generator %n, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<5xui64>)
  return %m, %r, %q : tensor<2xui64>, tensor<3x3xui32>, tensor<5xui64>
}
