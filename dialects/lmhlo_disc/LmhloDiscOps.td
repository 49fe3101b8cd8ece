// Destination-passing forms of DHLO ops and the runtime ops they become.

#ifndef DISC_DIALECTS_LMHLO_DISC_OPS_TD
#define DISC_DIALECTS_LMHLO_DISC_OPS_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/DestinationStyleOpInterface.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def LmhloDiscDialect : Dialect {
  let name = "lmhlo_disc";
  let summary = "Destination-passing HLO, on tensors and on buffers, and runtime calls";
  let description = [{
    Ops take `ins` and `outs`. On tensors each `outs` operand has a result of
    the same type; on memrefs there are no results. Buffers are contiguous and
    row-major (identity layout). The runtime ops are what generated host code
    asks of RAL: inputs, constants, outputs, launches and checks.
  }];
  let cppNamespace = "::mlir::lmhlo_disc";
}

def LmhloDisc_Buffer : AnyTypeOf<[AnyRankedTensor, AnyMemRef],
                                 "ranked tensor or memref">;

class LmhloDisc_Op<string mnemonic, list<Trait> traits = []>
    : Op<LmhloDiscDialect, mnemonic, traits>;

class LmhloDisc_DestinationOp<string mnemonic, list<Trait> traits = []>
    : LmhloDisc_Op<mnemonic, traits # [
        DestinationStyleOpInterface,
        DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
        DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface,
                                  ["reifyResultShapes"]>]> {
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Destination-passing ops
//===----------------------------------------------------------------------===//

def FusionOp : LmhloDisc_DestinationOp<"fusion", [
    AttrSizedOperandSegments, SingleBlock]> {
  let summary = "a group of DHLO ops that becomes one kernel";
  let description = [{
    The body describes the computation on tensors in both forms of the op and
    is never bufferized: it has one tensor argument for each of `ins` and yields
    one tensor for each of `outs`. It may use `index` values and scalars
    from above, never tensors. `outs` are written whole and not read.

    ```mlir
    %r = lmhlo_disc.fusion ins(%a : tensor<?xf32>) outs(%e : tensor<?xf32>)
        {kind = "loop"} {
    ^bb0(%x: tensor<?xf32>):
      %0 = dhlo.add %x, %x : tensor<?xf32>
      lmhlo_disc.yield %0 : tensor<?xf32>
    } -> tensor<?xf32>
    ```
  }];
  let arguments = (ins Variadic<LmhloDisc_Buffer>:$ins,
                       Variadic<LmhloDisc_Buffer>:$outs,
                       StrAttr:$kind, OptionalAttr<I64Attr>:$row_dims);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getOutsMutable(); }
  }];
}

def DotGeneralOp : LmhloDisc_DestinationOp<"dot_general"> {
  let summary = "matrix product, at most one leading batch dimension";
  let description = [{
    `lhs` is [B,M,K] ([B,K,M] with `transpose_lhs`), `rhs` is [B,K,N] ([B,N,K]
    with `transpose_rhs`) and `dst` is [B,M,N]; all three have B or none has.
  }];
  let arguments = (ins LmhloDisc_Buffer:$lhs, LmhloDisc_Buffer:$rhs,
                       LmhloDisc_Buffer:$dst, UnitAttr:$transpose_lhs,
                       UnitAttr:$transpose_rhs);
  let results = (outs Optional<AnyRankedTensor>:$result);
  let assemblyFormat = [{
    `ins` `(` $lhs `,` $rhs `:` type($lhs) `,` type($rhs) `)`
    `outs` `(` $dst `:` type($dst) `)` attr-dict (`->` type($result)^)?
  }];
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getDstMutable(); }
  }];
}

def LibraryCallOp : LmhloDisc_DestinationOp<"library_call", [
    AttrSizedOperandSegments]> {
  let summary = "a call of a function that is registered with RAL by name";
  let description = [{
    The callee receives `ins`, then `outs`, as tensors and `ints` as they are.
  }];
  let arguments = (ins Variadic<LmhloDisc_Buffer>:$ins,
                       Variadic<LmhloDisc_Buffer>:$outs, StrAttr:$target,
                       DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$ints);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let assemblyFormat = [{
    (`ins` `(` $ins^ `:` type($ins) `)`)? `outs` `(` $outs `:` type($outs) `)`
    `target` `=` $target (`ints` `=` $ints^)? attr-dict (`->` type($results)^)?
  }];
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getOutsMutable(); }
  }];
}

def ReshapeViewOp : LmhloDisc_Op<"reshape_view", [
    Pure, DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface,
                                  ["reifyResultShapes"]>]> {
  let summary = "the same elements in row-major order under another shape";
  let description = [{
    Costs nothing: bufferizes to an alias. `sizes` are the dynamic sizes of the
    result; that element counts agree is the business of whoever creates it.
  }];
  let arguments = (ins AnyRankedTensor:$source, Variadic<Index>:$sizes);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = [{
    $source (`,` $sizes^)? attr-dict `:` type($source) `->` type($result)
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def YieldOp : LmhloDisc_Op<"yield", [Pure, Terminator, ReturnLike]> {
  let summary = "ends the body of an lmhlo_disc op";
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "attr-dict ($values^ `:` type($values))?";
}

//===----------------------------------------------------------------------===//
// Runtime ops
//===----------------------------------------------------------------------===//

def CheckOp : LmhloDisc_Op<"check", [MemoryEffects<[MemWrite]>]> {
  let summary = "fails the execution unless the condition holds";
  let description = [{
    `{i}` in the message stands for the i-th value.

    ```mlir
    lmhlo_disc.check %ok, "expected {0} elements, got {1}" (%want, %got)
    ```
  }];
  let arguments = (ins I1:$cond, StrAttr:$message, Variadic<Index>:$values);
  let assemblyFormat = "$cond `,` $message (`(` $values^ `)`)? attr-dict";
  let hasCanonicalizeMethod = 1;
}

def ElementCountOp : LmhloDisc_Op<"element_count", [Pure]> {
  let summary = "the product of sizes, or -1 where it overflows";
  let arguments = (ins Variadic<Index>:$sizes);
  let results = (outs Index:$result);
  let assemblyFormat = "$sizes attr-dict";
}

def RecvInputOp : LmhloDisc_Op<"recv_input"> {
  let summary = "the buffer of an input of this execution";
  let arguments = (ins I64Attr:$index);
  let results = (outs AnyMemRef:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def RecvConstantOp : LmhloDisc_Op<"recv_constant"> {
  let summary = "the buffer of a constant of the context (weights)";
  let arguments = (ins I64Attr:$index, StrAttr:$name);
  let results = (outs AnyMemRef:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def SendOutputOp : LmhloDisc_Op<"send_output"> {
  let summary = "hands a buffer over as an output of this execution";
  let arguments = (ins AnyMemRef:$source, I64Attr:$index);
  let assemblyFormat = "$source attr-dict `:` type($source)";
  let hasVerifier = 1;
}

def WorkersOp : LmhloDisc_Op<"workers", [NoMemoryEffect]> {
  let summary = "an upper bound of the worker numbers that a kernel sees";
  let results = (outs Index:$result);
  let assemblyFormat = "attr-dict";
}

def BlockBufferOp : LmhloDisc_Op<"block_buffer"> {
  let summary = "a buffer of a `stitch`, of which only a block of rows exists at a time";
  let description = [{
    Has the shape of the whole tensor, `sizes` for its dynamic dimensions, but no
    memory: RAL gives each worker room for the rows that it works on.
  }];
  let arguments = (ins Variadic<Index>:$sizes);
  let results = (outs Res<AnyMemRef, "", [MemAlloc<DefaultResource>]>:$result);
  let assemblyFormat = "`(` $sizes `)` attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def StitchOp : LmhloDisc_Op<"stitch", [
    RecursiveMemoryEffects, SingleBlock, NoTerminator]> {
  let summary = "matrix products and launches that run block of rows by block of rows";
  let description = [{
    The body holds `lmhlo_disc.dot_general` and `lmhlo_disc.launch` ops on memrefs.
    Row r of every product's destination depends, through the body, on row r of
    the buffers that earlier ops of the body wrote, and on no other row: so all
    ops run on some rows before any runs on the next ones, and what they hand
    on, in `lmhlo_disc.block_buffer`s, stays in the cache. Rows are those of
    [B, M]; the range of a launch is a multiple of their number.

    ```mlir
    %c = lmhlo_disc.block_buffer(%m) : memref<?x64xf32>
    lmhlo_disc.stitch {
      lmhlo_disc.dot_general ins(%a, %b : memref<?x64xf32>, memref<64x64xf32>)
          outs(%c : memref<?x64xf32>)
      lmhlo_disc.launch @bias(%c, %bias, %out) range(%m) grain(%g)
          : memref<?x64xf32>, memref<64xf32>, memref<?x64xf32>
    }
    ```
  }];
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "attr-dict-with-keyword $body";
  let hasVerifier = 1;
}

def LaunchOp : LmhloDisc_Op<"launch", [
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "runs a kernel over a range, in parallel";
  let description = [{
    The kernel is a function of `args`, then `lo`, `hi` and `worker` (index): it
    does the part [lo, hi) of [0, range). Parts have about `grain` elements.

    ```mlir
    lmhlo_disc.launch @kernel(%in, %out) range(%n) grain(%g)
        : memref<?xf32>, memref<?xf32>
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$kernel, Variadic<AnyType>:$args,
                       Index:$range, Index:$grain);
  let assemblyFormat = [{
    $kernel `(` $args `)` `range` `(` $range `)` `grain` `(` $grain `)`
    attr-dict (`:` type($args)^)?
  }];
}

#endif // DISC_DIALECTS_LMHLO_DISC_OPS_TD
