// Python's view of the runtime: contexts and programs.
#include "Arrays.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <memory>
#include <string>

using namespace disc_runtime;
using namespace nb::literals;

Hooks &disc_runtime::hooks() {
  static auto &instance = *new Hooks(); // Python may end before statics do
  return instance;
}

void disc_runtime::check(ral_status status) {
  if (!status)
    return;
  std::string message = ral_status_message(status);
  ral_status_free(status);
  PyErr_SetString(hooks().error.ptr(), message.c_str());
  throw nb::python_error();
}

namespace {

class Context {
public:
  Context(int threads, const std::string &parallel, const std::string &blas,
          const std::string &kernels, int64_t memoryLimit, int64_t idleLimit) {
    ral_context_options options{};
    options.size = sizeof(options);
    options.threads = threads;
    options.parallel = parallel == "auto"      ? RAL_PARALLEL_AUTO
                       : parallel == "openmp"  ? RAL_PARALLEL_OPENMP
                       : parallel == "threads" ? RAL_PARALLEL_THREADS
                       : parallel == "serial"  ? RAL_PARALLEL_SERIAL
                                               : -1;
    options.memory_limit = memoryLimit;
    options.idle_limit = idleLimit;
    options.blas_library = blas.c_str();
    options.kernels = kernels.c_str();
    check(ral_context_create(&options, &handle));
  }
  Context(const Context &) = delete;
  ~Context() { ral_context_destroy(handle); }

  std::string query(const std::string &key) const {
    const char *value;
    check(ral_context_query(handle, key.c_str(), &value));
    return value;
  }
  void trim() { ral_context_trim(handle); }
  void registerCall(const std::string &name, uintptr_t address) {
    check(ral_register_call(handle, name.c_str(),
                            reinterpret_cast<ral_library_fn>(address)));
  }
  nb::dict statistics() const;

  ral_context *handle = nullptr;
};

class Program {
public:
  Program(const Context &context, const std::string &path) {
    check(ral_program_open(context.handle, path.c_str(), &handle));
    for (int64_t i = 0; i < ral_program_count(handle, RAL_INPUT); ++i)
      inputs.push_back(argument(RAL_INPUT, i));
    numOutputs = ral_program_count(handle, RAL_OUTPUT);
  }
  Program(const Program &) = delete;
  ~Program() { ral_program_close(handle); }

  void setConstant(const std::string &name, nb::object array);
  nb::list call(nb::args args);
  std::string signature() const;

private:
  ral_arg_info argument(int32_t kind, int64_t index) const {
    ral_arg_info info{};
    info.size = sizeof(info);
    check(ral_program_arg(handle, kind, index, &info));
    return info;
  }
  std::string line(int32_t kind, int64_t index) const;
  [[noreturn]] void rejectInput(int64_t index, nb::python_error &error) const;

  ral_program *handle = nullptr;
  std::vector<ral_arg_info> inputs;
  int64_t numOutputs = 0;
  const dlpack::ExchangeApi *framework = nullptr; // of the constants
};

} // namespace

nb::dict Context::statistics() const {
  ral_statistics s{};
  s.size = sizeof(s);
  ral_context_statistics(handle, &s);
  nb::dict out;
  out["live_bytes"] = s.live_bytes;
  out["peak_bytes"] = s.peak_bytes;
  out["allocations"] = s.allocations;
  out["system_allocations"] = s.system_allocations;
  out["pool_bytes"] = s.pool_bytes;
  out["constant_bytes"] = s.constant_bytes;
  out["executions"] = s.executions;
  out["failures"] = s.failures;
  out["library_calls"] = s.library_calls;
  return out;
}

/// Runs when RAL lets a borrowed constant go, on whatever thread.
static void releaseObject(void *object) {
  if (!Py_IsInitialized())
    return;
  nb::gil_scoped_acquire gil;
  Py_DECREF(static_cast<PyObject *>(object));
}

void Program::setConstant(const std::string &name, nb::object array) {
  int32_t expected = 0;
  for (int64_t i = 0; i < ral_program_count(handle, RAL_CONSTANT); ++i) {
    ral_arg_info info = argument(RAL_CONSTANT, i);
    if (name == info.name)
      expected = info.dtype;
  }
  if (auto *api = exchangeApi(array))
    framework = api;
  auto view = std::make_unique<ArrayView>();
  view->view(array, expected);
  ral_tensor tensor = view->tensor();
  // The view goes with the constant: it keeps the array's memory in place.
  nb::object keep = nb::make_tuple(
      array, nb::capsule(view.release(), [](void *data) noexcept {
        delete static_cast<ArrayView *>(data);
      }));
  check(ral_program_set_constant(handle, name.c_str(), &tensor, releaseObject,
                                 keep.ptr()));
  keep.release();
}

void Program::rejectInput(int64_t index, nb::python_error &error) const {
  const char *name = inputs[size_t(index)].name;
  std::string text = "input " + std::to_string(index);
  if (*name)
    text += std::string(" `") + name + "`";
  text += ": ";
  std::string why = nb::str(error.value()).c_str();
  text += why.substr(0, why.find('\n')); // torch adds the frames of its C++
  PyErr_SetString(hooks().error.ptr(), text.c_str());
  throw nb::python_error();
}

nb::list Program::call(nb::args args) {
  size_t count = args.size();
  const dlpack::ExchangeApi *api = count ? nullptr : framework;
  constexpr size_t kInline = 8;
  ArrayView few[kInline];
  std::unique_ptr<ArrayView[]> many;
  ArrayView *views = few;
  if (count > kInline) {
    many = std::make_unique<ArrayView[]>(count);
    views = many.get();
  }
  std::vector<ral_tensor> tensors(count);
  for (size_t i = 0; i < count; ++i) {
    nb::handle arg = PyTuple_GET_ITEM(args.ptr(), Py_ssize_t(i));
    // Beyond the known inputs, whatever is an array: RAL reports the count.
    try {
      views[i].view(arg, i < inputs.size() ? inputs[i].dtype : 0);
    } catch (nb::python_error &error) {
      if (i < inputs.size())
        rejectInput(int64_t(i), error);
      continue;
    } catch (const nb::builtin_exception &error) {
      PyErr_SetString(PyExc_TypeError, error.what());
      nb::python_error raised;
      if (i < inputs.size())
        rejectInput(int64_t(i), raised);
      continue;
    }
    tensors[i] = views[i].tensor();
    if (!api)
      api = exchangeApi(arg);
  }
  std::vector<ral_output> outputs(static_cast<size_t>(numOutputs));
  ral_status status;
  {
    nb::gil_scoped_release release;
    status = ral_execute(handle, tensors.data(), int64_t(count),
                         outputs.data(), numOutputs);
  }
  check(status);
  nb::list results;
  try {
    for (ral_output &output : outputs)
      results.append(makeArray(output, api));
  } catch (...) {
    for (ral_output &output : outputs)
      ral_output_release(&output);
    throw;
  }
  return results;
}

std::string Program::line(int32_t kind, int64_t index) const {
  static const char *const names[] = {"input", "constant", "output"};
  ral_arg_info info = argument(kind, index);
  std::string out = names[kind];
  out += " " + std::to_string(index) + " " + ral_dtype_name(info.dtype);
  if (kind != RAL_OUTPUT)
    out += std::string(" ") + (*info.name ? info.name : "-");
  std::string dims;
  for (int32_t i = 0; i < info.rank; ++i)
    dims += (i ? "," : "") + (info.sizes[i] >= 0 ? std::to_string(info.sizes[i])
                              : *info.symbols[i] ? std::string(info.symbols[i])
                                                 : std::string("?"));
  return out + " " + (dims.empty() ? "-" : dims) + "\n";
}

std::string Program::signature() const {
  std::string out;
  for (int32_t kind : {RAL_INPUT, RAL_CONSTANT, RAL_OUTPUT})
    for (int64_t i = 0; i < ral_program_count(handle, kind); ++i)
      out += line(kind, i);
  return out;
}

NB_MODULE(_runtime, m) {
  nb::set_leak_warnings(false); // contexts are cached for the process
  m.def("set_hooks", [](nb::object error, nb::object coerce, nb::object finish) {
    hooks() = {std::move(error), std::move(coerce), std::move(finish)};
  });
  nb::class_<Context>(m, "Context")
      .def(nb::init<int, const std::string &, const std::string &,
                    const std::string &, int64_t, int64_t>(),
           "threads"_a, "parallel"_a, "blas"_a, "kernels"_a, "memory_limit"_a,
           "idle_limit"_a)
      .def("query", &Context::query, "key"_a)
      .def("statistics", &Context::statistics)
      .def("trim", &Context::trim)
      .def("register_call", &Context::registerCall, "name"_a, "address"_a);
  nb::class_<Program>(m, "Program")
      .def(nb::init<const Context &, const std::string &>(), "context"_a,
           "path"_a)
      .def("set_constant", &Program::setConstant, "name"_a, "array"_a)
      .def("signature", &Program::signature)
      .def("__call__", &Program::call);
}
