// A unit's way through LLVM, and several at a time.
#include "Unit.h"

#include "FusedMultiplyAdd.h"
#include "TargetMath.h"

#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/Pass.h"
#include <atomic>
#include <thread>

using namespace mlir;
using Clock = std::chrono::steady_clock;

static double secondsSince(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

LogicalResult disc::Unit::translate() {
  auto made = createTargetMachine(options);
  if (!made)
    return source.emitError() << llvm::toString(made.takeError());
  machine = std::move(*made);
  module = translateModuleToLLVMIR(source, context, "disc");
  if (!module)
    return source.emitError("could not be translated to LLVM IR");
  emulateFusedMultiplyAdd(*module, *machine);
  setTarget(*module, *machine);
  useTargetMath(*module, *machine);
  return success();
}

void disc::Unit::compile(std::optional<llvm::CodeGenFileType> type) {
  Clock::time_point start = Clock::now();
  optimize(*module, *machine, options);
  optimizing = secondsSince(start);
  llvm::raw_svector_ostream os(bytes);
  if (!type) {
    os << *module;
    return;
  }
  start = Clock::now();
  isWritten = succeeded(emitMachineCode(*module, *machine, *type, os));
  generating = secondsSince(start);
}

void disc::compileUnits(ArrayRef<std::unique_ptr<Unit>> units, std::optional<llvm::CodeGenFileType> type, unsigned threadCount,
                        Statistics &statistics) {
  Clock::time_point start = Clock::now();
  std::atomic<size_t> next = 0;
  auto work = [&] {
    for (size_t i; (i = next++) < units.size();)
      units[i]->compile(type);
  };
  size_t count = llvm::TimePassesIsEnabled ? 1 : std::min<size_t>(threadCount, units.size());
  SmallVector<std::thread> threads;
  for (size_t i = 1; i < count; ++i)
    threads.emplace_back(work);
  work();
  for (std::thread &thread : threads)
    thread.join();
  double passed = secondsSince(start), optimizing = 0, generating = 0;
  for (const std::unique_ptr<Unit> &unit : units) {
    optimizing += unit->optimizing;
    generating += unit->generating;
  }
  double share = optimizing / (optimizing + generating);
  statistics.book("optimize", passed * share);
  if (type)
    statistics.book("codegen", passed * (1 - share));
}
