// What a compilation did, as JSON.
#include "Statistics.h"

#include "dialects/lmhlo_disc/LmhloDisc.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace mlir::lmhlo_disc;

void disc::Statistics::observe(ModuleOp module) {
  llvm::json::Array seenFusions, seenStitches;
  std::map<std::string, int64_t> seenKernels, seenLibrary;
  module.walk([&](Operation *op) {
    llvm::TypeSwitch<Operation *>(op)
        .Case([&](FusionOp fusion) {
          int64_t ops = fusion.getBody().front().getOperations().size() - 1;
          seenFusions.push_back(llvm::json::Object{
              {"kind", fusion.getKind()}, {"ops", ops}});
        })
        .Case([&](LaunchOp launch) { ++seenKernels[launch.getKernel().str()]; })
        .Case([&](StitchOp stitch) {
          auto count = [&](auto ops) { return static_cast<int64_t>(llvm::range_size(ops)); };
          Block &body = stitch.getBody().front();
          seenStitches.push_back(llvm::json::Object{
              {"kernels", count(body.getOps<LaunchOp>())},
              {"products", count(body.getOps<DotGeneralOp>())}});
        })
        .Case([&](LibraryCallOp call) { ++seenLibrary[call.getTarget().str()]; })
        .Case([&](DotGeneralOp) { ++seenLibrary["ral.gemm"]; });
  });
  // Later phases turn these ops into others; what was last seen stands.
  if (!seenFusions.empty())
    fusions = std::move(seenFusions);
  if (!seenStitches.empty())
    stitches = std::move(seenStitches);
  if (!seenKernels.empty())
    kernels = std::move(seenKernels);
  if (!seenLibrary.empty())
    library = std::move(seenLibrary);
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
    json.attributeObject("kernels", [&] {
      for (const auto &[name, sites] : kernels)
        json.attribute(name, sites);
    });
    json.attributeObject("library", [&] {
      for (const auto &[name, sites] : library)
        json.attribute(name, sites);
    });
  });
  os << "\n";
}
