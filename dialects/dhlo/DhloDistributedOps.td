// Collectives and host transfers: parsed and verified only.

#ifndef DISC_DIALECTS_DHLO_DISTRIBUTED_OPS_TD
#define DISC_DIALECTS_DHLO_DISTRIBUTED_OPS_TD

include "dialects/dhlo/DhloBase.td"

def Dhlo_AfterAllOp : Dhlo_Op<"after_all", [Pure]> {
  let summary = "A token that follows its operands";
  let arguments = (ins Variadic<Dhlo_Token>:$inputs);
  let results = (outs Dhlo_Token:$result);
  let assemblyFormat = [{
    $inputs attr-dict
    `:` custom<VariadicSameOperandsAndResultType>(ref($inputs), type($inputs),
                                                  type($result))
  }];
}

def Dhlo_CreateTokenOp : Dhlo_Op<"create_token", [Pure]> {
  let summary = "A first token";
  let results = (outs Dhlo_Token:$output);
  let assemblyFormat = "attr-dict `:` type($output)";
}

class Dhlo_IdOp<string mnemonic> : Dhlo_Op<mnemonic, [Pure]> {
  let results = (outs 0DTensorOf<[UI32]>:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}
def Dhlo_PartitionIdOp : Dhlo_IdOp<"partition_id"> {
  let summary = "The partition of the running process";
}
def Dhlo_ReplicaIdOp : Dhlo_IdOp<"replica_id"> {
  let summary = "The replica of the running process";
}

def Dhlo_AllGatherOp : Dhlo_Op<"all_gather"> {
  let summary = "Concatenation over a process group";
  let arguments = (ins Variadic<Dhlo_Tensor>:$operands,
                       I64Attr:$all_gather_dim,
                       I64ElementsAttr:$replica_groups,
                       OptionalAttr<Dhlo_ChannelHandleAttr>:$channel_handle,
                       UnitAttr:$use_global_device_ids);
  let results = (outs Variadic<Dhlo_Tensor>);
}

def Dhlo_AllReduceOp : Dhlo_Op<"all_reduce",
    [SingleBlockImplicitTerminator<"::mlir::dhlo::ReturnOp">]> {
  let summary = "Reduction over a process group";
  let arguments = (ins Variadic<Dhlo_Tensor>:$operands,
                       I64ElementsAttr:$replica_groups,
                       OptionalAttr<Dhlo_ChannelHandleAttr>:$channel_handle,
                       UnitAttr:$use_global_device_ids);
  let regions = (region SizedRegion<1>:$computation);
  let results = (outs Variadic<Dhlo_Tensor>);
}

def Dhlo_AllToAllOp : Dhlo_Op<"all_to_all"> {
  let summary = "Exchange of parts within a process group";
  let arguments = (ins Variadic<Dhlo_Tensor>:$operands,
                       I64Attr:$split_dimension,
                       I64Attr:$concat_dimension,
                       I64Attr:$split_count,
                       I64ElementsAttr:$replica_groups,
                       OptionalAttr<Dhlo_ChannelHandleAttr>:$channel_handle);
  let results = (outs Variadic<Dhlo_Tensor>);
}

def Dhlo_ReduceScatterOp : Dhlo_Op<"reduce_scatter",
    [SingleBlockImplicitTerminator<"::mlir::dhlo::ReturnOp">]> {
  let summary = "Reduction over a process group, each keeps a part";
  let arguments = (ins Dhlo_Tensor:$operand,
                       I64Attr:$scatter_dimension,
                       I64ElementsAttr:$replica_groups,
                       OptionalAttr<Dhlo_ChannelHandleAttr>:$channel_handle,
                       UnitAttr:$use_global_device_ids);
  let regions = (region SizedRegion<1>:$computation);
  let results = (outs Dhlo_Tensor);
}

def Dhlo_CollectiveBroadcastOp : Dhlo_Op<"collective_broadcast"> {
  let summary = "The tensor of a group's first process";
  let arguments = (ins Dhlo_Tensor:$operand,
                       I64ElementsAttr:$replica_groups,
                       OptionalAttr<Dhlo_ChannelHandleAttr>:$channel_handle);
  let results = (outs Dhlo_Tensor);
}

def Dhlo_CollectivePermuteOp : Dhlo_Op<"collective_permute"> {
  let summary = "Tensors sent between pairs of processes";
  let arguments = (ins Dhlo_Tensor:$operand,
                       I64ElementsAttr:$source_target_pairs,
                       OptionalAttr<Dhlo_ChannelHandleAttr>:$channel_handle);
  let results = (outs Dhlo_Tensor);
}

def Dhlo_SendOp : Dhlo_Op<"send"> {
  let summary = "Send to a channel";
  let arguments = (ins Variadic<Dhlo_Tensor>:$inputs, Dhlo_Token:$token,
                       Dhlo_ChannelHandleAttr:$channel_handle,
                       DefaultValuedOptionalAttr<BoolAttr, "false">
                           :$is_host_transfer,
                       OptionalAttr<I64ElementsAttr>:$source_target_pairs);
  let results = (outs Dhlo_Token);
}

def Dhlo_RecvOp : Dhlo_Op<"recv"> {
  let summary = "Receive from a channel";
  let arguments = (ins Dhlo_Token:$token,
                       Dhlo_ChannelHandleAttr:$channel_handle,
                       DefaultValuedOptionalAttr<BoolAttr, "false">
                           :$is_host_transfer,
                       OptionalAttr<I64ElementsAttr>:$source_target_pairs);
  let results = (outs Variadic<Dhlo_TensorOrToken>);
}

def Dhlo_InfeedOp : Dhlo_Op<"infeed"> {
  let summary = "Read from the host's infeed";
  let arguments = (ins Dhlo_Token:$token,
                       DefaultValuedOptionalAttr<StrAttr, "\"\"">
                           :$infeed_config,
                       OptionalAttr<ArrayAttr>:$layout);
  let results = (outs Variadic<Dhlo_TensorOrToken>);
}

def Dhlo_OutfeedOp : Dhlo_Op<"outfeed"> {
  let summary = "Write to the host's outfeed";
  let arguments = (ins Variadic<Dhlo_Tensor>:$inputs, Dhlo_Token:$token,
                       DefaultValuedOptionalAttr<StrAttr, "\"\"">
                           :$outfeed_config);
  let results = (outs Dhlo_Token);
}

#endif // DISC_DIALECTS_DHLO_DISTRIBUTED_OPS_TD
