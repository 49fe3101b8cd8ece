// RUN: disc-compile %s --emit=llvm --target-triple=x86_64-linux-gnu --target-cpu=x86-64 -o - | filecheck %s
// RUN: disc-compile %s --emit=asm --target-triple=x86_64-linux-gnu --target-cpu=x86-64 -o - | filecheck %s --check-prefix=ASM
// RUN: disc-compile %s --emit=asm --target-triple=x86_64-linux-gnu --target-cpu=haswell -o - | filecheck %s --check-prefix=FMA
// RUN: disc-compile %s --emit=asm --target-triple=aarch64-linux-gnu --target-cpu=generic -o - | filecheck %s --check-prefix=ARM

// Without the instruction: in double, not by a call for each element. f64 keeps its calls.
// CHECK-LABEL: define float @scalar
// CHECK: fmul double
// CHECK-LABEL: define <4 x float> @short
// CHECK: fmul <4 x double>
// CHECK-LABEL: define <16 x float> @long
// CHECK: call {{.*}}@disc_fma_16
// CHECK-LABEL: define double @double
// CHECK: @llvm.fma.f64
// CHECK-LABEL: define internal {{.*}}@disc_fma_16
// CHECK-COUNT-4: fmul <4 x double>
// ASM-NOT: fmaf
// FMA-NOT: disc_fma
// FMA: vfmadd
// ARM-NOT: disc_fma
// ARM: fmadd
// ARM: fmla
llvm.func @scalar(%x: f32, %y: f32, %z: f32) -> f32 {
  %0 = llvm.intr.fma(%x, %y, %z) : (f32, f32, f32) -> f32
  llvm.return %0 : f32
}
llvm.func @short(%x: vector<4xf32>, %y: vector<4xf32>, %z: vector<4xf32>) -> vector<4xf32> {
  %0 = llvm.intr.fma(%x, %y, %z) : (vector<4xf32>, vector<4xf32>, vector<4xf32>) -> vector<4xf32>
  llvm.return %0 : vector<4xf32>
}
llvm.func @long(%x: vector<16xf32>, %y: vector<16xf32>, %z: vector<16xf32>) -> vector<16xf32> {
  %0 = llvm.intr.fma(%x, %y, %z) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
  llvm.return %0 : vector<16xf32>
}
llvm.func @double(%x: f64, %y: f64, %z: f64) -> f64 {
  %0 = llvm.intr.fma(%x, %y, %z) : (f64, f64, f64) -> f64
  llvm.return %0 : f64
}
