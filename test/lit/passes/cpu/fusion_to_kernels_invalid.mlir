// RUN: disc-opt %s --split-input-file --verify-diagnostics --disc-cpu-fusion-to-kernels

func.func @unsupported(%x: memref<8xcomplex<f32>>, %y: memref<8xcomplex<f32>>) {
  lmhlo_disc.fusion ins(%x : memref<8xcomplex<f32>>) outs(%y : memref<8xcomplex<f32>>) {kind = "loop"} {
  ^bb0(%a: tensor<8xcomplex<f32>>):
    // expected-error @+1 {{`dhlo.fft` has no CPU kernel yet}}
    %0 = dhlo.fft %a, type = FFT, length = [8] : (tensor<8xcomplex<f32>>) -> tensor<8xcomplex<f32>>
    lmhlo_disc.yield %0 : tensor<8xcomplex<f32>>
  }
  return
}

// -----

func.func @kernel_of_chlo(%x: memref<8xcomplex<f32>>, %y: memref<8xcomplex<f32>>) {
  lmhlo_disc.fusion ins(%x : memref<8xcomplex<f32>>) outs(%y : memref<8xcomplex<f32>>) {kind = "loop"} {
  ^bb0(%a: tensor<8xcomplex<f32>>):
    // expected-error @+1 {{`dhlo._asin_acos_kernel` has no CPU kernel yet}}
    %0 = dhlo._asin_acos_kernel %a : tensor<8xcomplex<f32>>
    lmhlo_disc.yield %0 : tensor<8xcomplex<f32>>
  }
  return
}

// -----

func.func @kind(%x: memref<8xf32>, %y: memref<8xf32>) {
  // expected-error @+1 {{expected kind "loop", "row", "scatter", "sort" or "stitch", got "column"}}
  lmhlo_disc.fusion ins(%x : memref<8xf32>) outs(%y : memref<8xf32>) {kind = "column"} {
  ^bb0(%a: tensor<8xf32>):
    lmhlo_disc.yield %a : tensor<8xf32>
  }
  return
}

// -----

func.func @no_reduction(%x: memref<8xf32>, %y: memref<8xf32>) {
  // expected-error @+1 {{of kind "row" has no reduction over its last 1 dimensions}}
  lmhlo_disc.fusion ins(%x : memref<8xf32>) outs(%y : memref<8xf32>) {kind = "row", row_dims = 1 : i64} {
  ^bb0(%a: tensor<8xf32>):
    lmhlo_disc.yield %a : tensor<8xf32>
  }
  return
}

// -----

func.func @tensors(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{expected memrefs; bufferize before making kernels}}
  %r = lmhlo_disc.fusion ins(%x : tensor<8xf32>) outs(%y : tensor<8xf32>) {kind = "loop"} {
  ^bb0(%a: tensor<8xf32>):
    lmhlo_disc.yield %a : tensor<8xf32>
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}
