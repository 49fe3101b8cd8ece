// One call of a program. The object is a slot that its context reuses.
#ifndef RAL_CORE_EXECUTION_H
#define RAL_CORE_EXECUTION_H

#include "core/Context.h"
#include "core/Program.h"

struct ral_exec {
  explicit ral_exec(ral_context &owner) : context(owner), cache(*owner.pool) {}
  ~ral_exec() { reset(); }

  ral_status run(ral_program &program, const ral_tensor *inputs,
                 int64_t ninputs, ral_output *outputs, int64_t noutputs);

  void *alloc(int64_t bytes, ral::Block::Kind kind = ral::Block::kTemporary);
  void dealloc(void *data);
  int32_t output(int64_t index, void *data, int64_t rank,
                 const int64_t *sizes);
  int32_t call(void **slot, const char *name, const ral_tensor *args,
               int64_t nargs, const int64_t *ints, int64_t nints);
  /// Records the first failure; always nonzero.
  int32_t fail(int32_t code, std::string message);
  /// The same from generated code, which may tell where the first one happened.
  int32_t failAt(int32_t code, std::string message);

  struct Input {
    void *data;
    const int64_t *sizes;
  };

  ral_context &context;
  ral_program *program = nullptr;
  std::vector<Input> inputs;

private:
  struct Symbol {
    int64_t size;
    int64_t input; // where it was seen first, or -1
    int64_t dim;
  };
  struct OutputSlot {
    ral::Block *block = nullptr;
    std::vector<int64_t> sizes;
  };

  bool checkInputs(const ral_tensor *given, int64_t count);
  bool checkInput(int64_t index, const ral_tensor &tensor);
  bool checkDim(int64_t index, int64_t dim, int64_t size);
  bool checkSum(int64_t index, int64_t dim, int64_t size);
  bool checkWaiting();
  bool bind(size_t symbol, int64_t size, int64_t index, int64_t dim);
  std::string whereDim(int64_t index, int64_t dim) const;
  bool checkConstants();
  bool handOut(ral_output *results, int64_t count);
  void reset();

  ral::LocalCache cache;
  ral::BlockList owned;
  std::vector<Symbol> symbols;
  std::vector<Symbol> waiting; // derived sizes whose symbols are not all known
  std::vector<OutputSlot> outputs;
  int32_t code = RAL_OK;
  std::string message;
};

#endif
