// What a compilation did, as JSON.
#include "Statistics.h"

#include "dialects/lmhlo_disc/LmhloDisc.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Object/SymbolSize.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace mlir::lmhlo_disc;

/// Sizes, bytes and the liveness bound at each sample of `bufferize-arena`.
static void describeArena(DictionaryAttr arena, llvm::json::Array &arenas) {
  auto bytes = arena.getAs<DenseI64ArrayAttr>("bytes").asArrayRef();
  auto bound = arena.getAs<DenseI64ArrayAttr>("bound").asArrayRef();
  auto sizes = arena.getAs<ArrayAttr>("sizes");
  int64_t buffers = arena.getAs<IntegerAttr>("buffers").getInt();
  for (auto [text, planned, alive] : llvm::zip(sizes.getAsRange<StringAttr>(), bytes, bound))
    arenas.push_back(llvm::json::Object{
        {"buffers", buffers}, {"sizes", text.str()}, {"bytes", planned}, {"bound", alive}});
}

/// Of two forms of a fusion a call runs one. The one of long rows and columns is no launch more.
static bool isOtherForm(LaunchOp launch) {
  auto choice = launch->getParentOfType<scf::IfOp>();
  return choice && choice->hasAttr("disc.forms") && choice.getThenRegion().isAncestor(launch->getParentRegion());
}

void disc::Statistics::observe(ModuleOp module) {
  llvm::json::Array seenFusions, seenStitches, seenArenas;
  std::map<std::string, int64_t> seenKernels, seenLibrary;
  module.walk([&](Operation *op) {
    if (auto named = op->getAttrOfType<ArrayAttr>("disc.versions")) {
      llvm::json::Array &names = versions[cast<SymbolOpInterface>(op).getName().str()];
      names.clear();
      for (auto name : named.getAsRange<StringAttr>())
        names.push_back(name.getValue());
    }
    llvm::TypeSwitch<Operation *>(op)
        .Case([&](FusionOp fusion) {
          int64_t ops = fusion.getBody().front().getOperations().size() - 1;
          seenFusions.push_back(llvm::json::Object{
              {"kind", fusion.getKind()}, {"ops", ops}});
        })
        .Case([&](LaunchOp launch) { seenKernels[launch.getKernel().str()] += !isOtherForm(launch); })
        .Case([&](StitchOp stitch) {
          auto count = [&](auto ops) { return static_cast<int64_t>(llvm::range_size(ops)); };
          Block &body = stitch.getBody().front();
          seenStitches.push_back(llvm::json::Object{
              {"kernels", count(body.getOps<LaunchOp>())},
              {"products", count(body.getOps<DotGeneralOp>())}});
        })
        .Case([&](memref::AllocOp alloc) {
          if (auto arena = alloc->getAttrOfType<DictionaryAttr>("disc.arena"))
            describeArena(arena, seenArenas);
        })
        .Case([&](LibraryCallOp call) { ++seenLibrary[call.getTarget().str()]; })
        .Case([&](DotGeneralOp) { ++seenLibrary["ral.gemm"]; });
  });
  // Later phases turn these ops into others; what was last seen stands.
  if (!seenFusions.empty())
    fusions = std::move(seenFusions);
  if (!seenStitches.empty())
    stitches = std::move(seenStitches);
  if (!seenArenas.empty())
    arenas = std::move(seenArenas);
  if (!seenKernels.empty())
    kernels = std::move(seenKernels);
  if (!seenLibrary.empty())
    library = std::move(seenLibrary);
}

void disc::Statistics::observeObject(llvm::MemoryBufferRef object) {
  auto file = llvm::object::ObjectFile::createObjectFile(object);
  if (!file)
    return llvm::consumeError(file.takeError()); // a format without symbols that LLVM reads
  for (auto [symbol, bytes] : llvm::object::computeSymbolSizes(**file)) {
    llvm::Expected<StringRef> name = symbol.getName();
    if (!name)
      llvm::consumeError(name.takeError());
    else if (kernels.count(name->str()))
      kernelBytes[name->str()] = bytes;
  }
}

/// Highest resident memory of this process in KiB; 0 where the system does not tell.
/// Not getrusage: its maximum survives exec, so it would be the parent's.
static int64_t peakResidentKib() {
  auto file = llvm::MemoryBuffer::getFileAsStream("/proc/self/status");
  if (!file)
    return 0;
  int64_t kib = 0;
  StringRef value = (*file)->getBuffer().split("VmHWM:").second.ltrim();
  (void)value.take_while([](char c) { return llvm::isDigit(c); }).getAsInteger(10, kib);
  return kib;
}

void disc::Statistics::write(llvm::raw_ostream &os) const {
  llvm::json::OStream json(os, /*IndentSize=*/2);
  json.object([&] {
    json.attribute("peak_rss_mib", peakResidentKib() / 1024.0);
    json.attributeObject("phases", [&] {
      for (const auto &[name, seconds] : phases)
        json.attribute(name, seconds);
    });
    json.attribute("fusions", llvm::json::Array(fusions));
    json.attribute("stitches", llvm::json::Array(stitches));
    json.attribute("arenas", llvm::json::Array(arenas));
    json.attributeObject("kernels", [&] {
      for (const auto &[name, sites] : kernels)
        json.attribute(name, sites);
    });
    json.attributeObject("library", [&] {
      for (const auto &[name, sites] : library)
        json.attribute(name, sites);
    });
    json.attributeObject("versions", [&] {
      for (const auto &[name, names] : versions)
        json.attribute(name, llvm::json::Array(names));
    });
    json.attributeObject("kernel_bytes", [&] {
      for (const auto &[name, bytes] : kernelBytes)
        json.attribute(name, bytes);
    });
  });
  os << "\n";
}
