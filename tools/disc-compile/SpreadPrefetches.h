// Prefetches of a loop, one by one between its other instructions.
#ifndef DISC_TOOLS_SPREADPREFETCHES_H
#define DISC_TOOLS_SPREADPREFETCHES_H

namespace disc {

/// Has code generation put the prefetches of a basic block at equal distances, as far as their addresses allow. LLVM's schedulers leave them
/// in a row: a processor waits for that many lines at a time, and computes on at none meanwhile. Call once.
void spreadPrefetches();

} // namespace disc

#endif // DISC_TOOLS_SPREADPREFETCHES_H
