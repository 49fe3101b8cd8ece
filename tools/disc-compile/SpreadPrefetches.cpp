// Prefetches of a loop, one by one between its other instructions.
#include "SpreadPrefetches.h"

#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/Passes.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/Target/RegisterTargetPassConfigCallback.h"

using namespace llvm;

namespace {

class SpreadPrefetches : public MachineFunctionPass {
public:
  static char ID;
  SpreadPrefetches() : MachineFunctionPass(ID) {}
  StringRef getPassName() const override { return "disc: prefetches apart from each other"; }
  bool runOnMachineFunction(MachineFunction &function) override;

private:
  /// Targets call it PREFETCHT0, PRFMui and the like.
  bool isPrefetch(const MachineInstr &op) const {
    StringRef name = info->getName(op.getOpcode());
    return name.starts_with("PREFETCH") || name.starts_with("PRFM");
  }
  bool changesOperandOf(const MachineInstr &op, const MachineInstr &prefetch) const {
    return op.isPosition() || llvm::any_of(prefetch.operands(), [&](const MachineOperand &operand) {
             return operand.isReg() && operand.getReg() && op.modifiesRegister(operand.getReg(), registers);
           });
  }
  bool spread(MachineBasicBlock &block);

  const TargetInstrInfo *info = nullptr;
  const TargetRegisterInfo *registers = nullptr;
};

} // namespace

char SpreadPrefetches::ID = 0;

bool SpreadPrefetches::spread(MachineBasicBlock &block) {
  SmallVector<MachineInstr *> prefetches, others;
  DenseMap<MachineInstr *, size_t> found; // how many others come before it
  for (MachineInstr &op : block)
    if (isPrefetch(op)) {
      found[&op] = others.size();
      prefetches.push_back(&op);
    } else {
      others.push_back(&op);
    }
  if (prefetches.size() < 2)
    return false;
  for (auto [i, prefetch] : enumerate(prefetches)) {
    size_t at = found[prefetch], to = (2 * i + 1) * others.size() / (2 * prefetches.size());
    while (at > to && !changesOperandOf(*others[at - 1], *prefetch))
      --at;
    while (at < to && !others[at]->isTerminator() && !changesOperandOf(*others[at], *prefetch))
      ++at;
    for (MachineOperand &operand : prefetch->operands())
      if (operand.isReg())
        operand.setIsKill(false);
    block.splice(at < others.size() ? others[at]->getIterator() : block.end(), &block, prefetch->getIterator());
  }
  return true;
}

bool SpreadPrefetches::runOnMachineFunction(MachineFunction &function) {
  info = function.getSubtarget().getInstrInfo();
  registers = function.getSubtarget().getRegisterInfo();
  bool changed = false;
  for (MachineBasicBlock &block : function)
    changed |= spread(block);
  return changed;
}

void disc::spreadPrefetches() {
  static RegisterPass<SpreadPrefetches> pass("disc-spread-prefetches", "prefetches apart from each other");
  static RegisterTargetPassConfigCallback callback([](TargetMachine &, legacy::PassManagerBase &, TargetPassConfig *config) {
    config->insertPass(&PostRASchedulerID, &SpreadPrefetches::ID);
  });
}
