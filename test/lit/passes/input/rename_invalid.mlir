// RUN: disc-opt --disc-input-rename --split-input-file --verify-diagnostics %s
// In the whole pipeline each of them is one error.
// RUN: disc-opt --disc-pipeline --split-input-file --verify-diagnostics %s

// Ops of distributed programs are read and verified; the first pass refuses them, used or not.

func.func @all_gather(%a: tensor<4xf32>, %t: !stablehlo.token) {
  // expected-error @+1 {{`dhlo.all_gather` belongs to a program of several processes}}
  %r = "stablehlo.all_gather"(%a) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @all_reduce(%a: tensor<4xf32>, %t: !stablehlo.token) {
  // expected-error @+1 {{`dhlo.all_reduce` belongs to a program of several processes}}
  %r = "stablehlo.all_reduce"(%a) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @all_to_all(%a: tensor<4xf32>, %t: !stablehlo.token) {
  // expected-error @+1 {{`dhlo.all_to_all` belongs to a program of several processes}}
  %r = "stablehlo.all_to_all"(%a) {split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @reduce_scatter(%a: tensor<4xf32>, %t: !stablehlo.token) {
  // expected-error @+1 {{`dhlo.reduce_scatter` belongs to a program of several processes}}
  %r = "stablehlo.reduce_scatter"(%a) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {scatter_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @collective_permute(%a: tensor<4xf32>, %t: !stablehlo.token) {
  // expected-error @+1 {{`dhlo.collective_permute` belongs to a program of several processes}}
  %r = "stablehlo.collective_permute"(%a) {source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @collective_broadcast(%a: tensor<4xf32>, %t: !stablehlo.token) {
  // expected-error @+1 {{`dhlo.collective_broadcast` belongs to a program of several processes}}
  %r = "stablehlo.collective_broadcast"(%a) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @send(%a: tensor<4xf32>, %t: !stablehlo.token) {
  // expected-error @+1 {{`dhlo.send` belongs to a program of several processes}}
  %r = "stablehlo.send"(%a, %t) {channel_handle = #stablehlo.channel_handle<handle = 0, type = 2>, is_host_transfer = true} : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
  return
}

// -----

func.func @recv(%a: tensor<4xf32>, %t: !stablehlo.token) {
  // expected-error @+1 {{`dhlo.recv` belongs to a program of several processes}}
  %r:2 = "stablehlo.recv"(%t) {channel_handle = #stablehlo.channel_handle<handle = 0, type = 3>, is_host_transfer = true} : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
  return
}

// -----

func.func @infeed(%a: tensor<4xf32>, %t: !stablehlo.token) {
  // expected-error @+1 {{`dhlo.infeed` belongs to a program of several processes}}
  %r:2 = "stablehlo.infeed"(%t) {infeed_config = ""} : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
  return
}

// -----

func.func @outfeed(%a: tensor<4xf32>, %t: !stablehlo.token) {
  // expected-error @+1 {{`dhlo.outfeed` belongs to a program of several processes}}
  %r = "stablehlo.outfeed"(%a, %t) {outfeed_config = ""} : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
  return
}

// -----

func.func @partition_id(%a: tensor<4xf32>, %t: !stablehlo.token) {
  // expected-error @+1 {{`dhlo.partition_id` belongs to a program of several processes}}
  %r = stablehlo.partition_id : tensor<ui32>
  return
}

// -----

func.func @replica_id(%a: tensor<4xf32>, %t: !stablehlo.token) {
  // expected-error @+1 {{`dhlo.replica_id` belongs to a program of several processes}}
  %r = stablehlo.replica_id : tensor<ui32>
  return
}

// -----

// expected-error @+1 {{`disc.dims` of argument #0: dimension 1 is "2*"; expected a name (letters, digits, `_`, `.`, `$`), a number, or a sum like `2*s+1`}}
func.func @no_factor(%x: tensor<?x?xf32> {disc.dims = ["s", "2*"]}) {
  return
}

// -----

// expected-error @+1 {{dimension 0 is "seq-len", a difference of symbols that no dimension tells}}
func.func @dash(%x: tensor<?xf32> {disc.dims = ["seq-len"]}) {
  return
}

// -----

// expected-error @+1 {{`disc.dims` of argument #0: expected an array of strings, got 3 : i64}}
func.func @no_list(%x: tensor<?xf32> {disc.dims = 3 : i64}) {
  return
}

// -----

// expected-error @+1 {{`disc.symbols`: expected a dictionary of names}}
func.func @no_dictionary(%x: tensor<?xf32>) attributes {disc.symbols = 3 : i64} {
  return
}

// -----

// expected-error @+1 {{`disc.symbols`: expected for `2s` a name with a dictionary of facts}}
func.func @no_name(%x: tensor<?xf32>) attributes {disc.symbols = {"2s" = {min = 1 : i64}}} {
  return
}

// -----

// expected-error @+1 {{`disc.symbols`: expected 0 <= min <= max and multiple_of >= 1 of `s`}}
func.func @no_range(%x: tensor<?xf32>) attributes {disc.symbols = {s = {min = 4 : i64, max = 3 : i64}}} {
  return
}

// -----

// expected-error @+1 {{argument #0 of `main` has the type 'tensor<4294967296x?x4294967296xf32>', whose sizes multiply past the 64 bits in which elements are counted}}
func.func @main(%x: tensor<4294967296x?x4294967296xf32>) {
  return
}
