// Python arrays as ral_tensors, and back.
#ifndef DISC_RUNTIME_ARRAYS_H
#define DISC_RUNTIME_ARRAYS_H

#include "DLPack.h"
#include "disc/ral.h"

#include <nanobind/nanobind.h>

#include <vector>

namespace disc_runtime {

namespace nb = nanobind;

/// Python-side helpers, set once by disc.runtime.
struct Hooks {
  nb::object error;  // exception type of failed calls
  nb::object coerce; // (object, element type) -> numpy array, or TypeError
  nb::object finish; // (uint array, element type) -> array of a type that
                     // numpy itself lacks
};
Hooks &hooks();

/// Raises hooks().error when `status` is a failure; frees it.
void check(ral_status status);

/// The exchange functions of the framework whose tensor `object` is, or null.
const dlpack::ExchangeApi *exchangeApi(nb::handle object);

/// A view of a Python array for the time of one call.
class ArrayView {
public:
  ArrayView() = default;
  ArrayView(const ArrayView &) = delete;
  ~ArrayView();

  /// Views `object`, of which the program expects element type `dtype`.
  /// Raises TypeError, BufferError, ...
  void view(nb::handle object, int32_t dtype);
  const ral_tensor &tensor() const { return value; }

private:
  bool viewBuffer(nb::handle object);
  void viewTensor(nb::handle object, const dlpack::ExchangeApi &api);
  void relabel(int32_t expected);

  ral_tensor value{};
  int64_t strides[32];
  Py_buffer buffer{};
  bool hasBuffer = false;
  nb::object keep;
};

/// Turns an output into a tensor of the framework behind `api`, or a numpy
/// array when it is null. Takes the output over.
nb::object makeArray(ral_output &output, const dlpack::ExchangeApi *api);

} // namespace disc_runtime
#endif
