// RUN: disc-opt %s --split-input-file --verify-diagnostics

func.func @mixed(%x: tensor<4xf32>, %out: memref<4xf32>) {
  // expected-error @+1 {{expected tensors only or memrefs only, got operand #1 of type 'memref<4xf32>'}}
  lmhlo_disc.fusion ins(%x : tensor<4xf32>) outs(%out : memref<4xf32>) {kind = "loop"} {
  ^bb0(%a: tensor<4xf32>):
    lmhlo_disc.yield %a : tensor<4xf32>
  }
  return
}

// -----

func.func @capture(%x: tensor<4xf32>, %out: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{expected tensors to enter the body as `ins`, but `lmhlo_disc.yield` uses one from outside}}
  %0 = lmhlo_disc.fusion outs(%out : tensor<4xf32>) {kind = "loop"} {
    lmhlo_disc.yield %x : tensor<4xf32>
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @row_without_dims(%out: memref<4xf32>) {
  // expected-error @+1 {{of kind "row" expected attribute `row_dims`}}
  lmhlo_disc.fusion outs(%out : memref<4xf32>) {kind = "row"} {
    %0 = arith.constant dense<1.0> : tensor<4xf32>
    lmhlo_disc.yield %0 : tensor<4xf32>
  }
  return
}

// -----

func.func @shapes(%a: tensor<?x8xf32>, %b: tensor<16x8xf32>, %out: tensor<?x16xf32>) -> tensor<?x16xf32> {
  // expected-error @+1 {{shapes do not multiply}}
  %0 = lmhlo_disc.dot_general ins(%a, %b : tensor<?x8xf32>, tensor<16x8xf32>) outs(%out : tensor<?x16xf32>) -> tensor<?x16xf32>
  return %0 : tensor<?x16xf32>
}

// -----

func.func @strided(%m: memref<4xf32, strided<[2]>>) {
  // expected-error @+1 {{expected a contiguous row-major memref}}
  lmhlo_disc.send_output %m {index = 0 : i64} : memref<4xf32, strided<[2]>>
  return
}

// -----

func.func @no_kernel(%n: index) {
  // expected-error @+1 {{kernel @missing does not exist}}
  lmhlo_disc.launch @missing() range(%n) grain(%n)
  return
}

// -----

func.func @sizes(%n: index) {
  // expected-error @+1 {{expected 1 sizes, one for each dynamic dimension of 'memref<?x4xf32>', got 2}}
  %0 = lmhlo_disc.block_buffer(%n, %n) : memref<?x4xf32>
  return
}

// -----

func.func @no_product() {
  // expected-error @+1 {{expected a product in the body, whose rows it follows}}
  lmhlo_disc.stitch {
  }
  return
}

// -----

func.func @other_op() {
  // expected-error @+1 {{expected products and launches in the body, got `arith.constant`}}
  lmhlo_disc.stitch {
    %c = arith.constant 0 : index
  }
  return
}

// -----

func.func @turned(%a: memref<4x8xf32>, %b: memref<4x2xf32>, %c: memref<8x2xf32>) {
  // expected-error @+1 {{expected products of memrefs whose left operand is not transposed}}
  lmhlo_disc.stitch {
    lmhlo_disc.dot_general ins(%a, %b : memref<4x8xf32>, memref<4x2xf32>) outs(%c : memref<8x2xf32>) {transpose_lhs}
  }
  return
}
