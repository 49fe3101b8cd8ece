// Many threads on one artifact at many sizes, against serial answers; run under sanitizers.
//
//   ral_hammer ARTIFACT.so OPENBLAS.so|- SHAPES CALLS THREADS
//
// Every symbol of the signature gets sizes from 0 up; inputs and constants are pseudo-random.
#include "disc/ral.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <thread>
#include <vector>

#ifdef __SANITIZE_THREAD__
// LLVM's instrumentation calls these, GCC's runtime lacks them; the plain functions are intercepted all the same.
#define EXPORT extern "C" __attribute__((visibility("default")))
EXPORT void *__tsan_memcpy(void *to, const void *from, size_t bytes) { return std::memcpy(to, from, bytes); }
EXPORT void *__tsan_memmove(void *to, const void *from, size_t bytes) { return std::memmove(to, from, bytes); }
EXPORT void *__tsan_memset(void *to, int value, size_t bytes) { return std::memset(to, value, bytes); }
#endif

static void expect(ral_status status) {
  if (!status)
    return;
  std::printf("%s\n", ral_status_message(status));
  std::exit(1);
}

static uint32_t next(uint32_t &state) {
  state = state * 1664525u + 1013904223u;
  return state >> 8;
}

/// An array for one argument. Floats lie in [-1, 1), everything else is 0 or 1.
struct Array {
  std::vector<char> bytes;
  std::vector<int64_t> sizes, strides;
  int32_t dtype;

  Array(const ral_arg_info &info, std::map<std::string, int64_t> &symbols, uint32_t seed) : dtype(info.dtype) {
    int64_t count = 1;
    for (int32_t d = 0; d < info.rank; ++d) {
      int64_t size = info.sizes[d];
      if (size < 0)
        size = symbols.emplace(info.symbols[d], 1 + next(seed) % 9).first->second;
      sizes.push_back(size);
      count *= size;
    }
    strides.resize(sizes.size());
    int64_t step = 1;
    for (size_t d = sizes.size(); d-- > 0; step *= sizes[d])
      strides[d] = step;
    int64_t width = ral_dtype_bytes(dtype);
    bytes.resize(size_t(count * width));
    for (int64_t i = 0; i < count; ++i) {
      float value = float(next(seed) % 2048) / 1024 - 1;
      if (!std::strcmp(ral_dtype_name(dtype), "f32"))
        std::memcpy(&bytes[size_t(i * width)], &value, sizeof(value));
      else
        bytes[size_t(i * width)] = char(next(seed) & 1);
    }
  }

  ral_tensor tensor() {
    ral_tensor out{};
    out.data = bytes.data();
    out.dtype = dtype;
    out.rank = int32_t(sizes.size());
    out.sizes = sizes.data();
    out.strides = strides.data();
    return out;
  }
};

static ral_arg_info argument(ral_program *program, int32_t kind, int64_t index) {
  ral_arg_info info{};
  info.size = sizeof(info);
  expect(ral_program_arg(program, kind, index, &info));
  return info;
}

/// The outputs' bytes of one call with shape number `shape`.
static std::string run(ral_program *program, int64_t shape) {
  std::map<std::string, int64_t> symbols;
  std::vector<Array> arrays;
  for (int64_t i = 0; i < ral_program_count(program, RAL_INPUT); ++i) {
    ral_arg_info info = argument(program, RAL_INPUT, i);
    for (int32_t d = 0; d < info.rank; ++d)
      if (info.sizes[d] < 0)
        symbols.emplace(info.symbols[d], 1 + (symbols.size() % 2 ? shape % 61 : shape / 61 % 5));
    arrays.emplace_back(info, symbols, uint32_t(shape * 31 + i));
  }
  std::vector<ral_tensor> inputs;
  for (Array &array : arrays)
    inputs.push_back(array.tensor());
  std::vector<ral_output> outputs(size_t(ral_program_count(program, RAL_OUTPUT)));
  expect(ral_execute(program, inputs.data(), int64_t(inputs.size()), outputs.data(), int64_t(outputs.size())));
  std::string out;
  for (ral_output &output : outputs) {
    int64_t count = ral_dtype_bytes(output.tensor.dtype);
    for (int32_t d = 0; d < output.tensor.rank; ++d)
      count *= output.tensor.sizes[d];
    out.append(static_cast<const char *>(output.tensor.data), size_t(count));
    ral_output_release(&output);
  }
  return out;
}

static int64_t live(ral_context *context) {
  ral_statistics statistics{};
  statistics.size = sizeof(statistics);
  ral_context_statistics(context, &statistics);
  return statistics.live_bytes;
}

int main(int argc, char **argv) {
  if (argc != 6) {
    std::printf("usage: ral_hammer ARTIFACT.so OPENBLAS.so|- SHAPES CALLS THREADS\n");
    return 2;
  }
  int64_t shapes = std::atoll(argv[3]), calls = std::atoll(argv[4]), threads = std::atoll(argv[5]);
  ral_context_options options{};
  options.size = sizeof(options);
  options.threads = 3;
  options.parallel = RAL_PARALLEL_THREADS;
  options.blas_library = std::strcmp(argv[2], "-") ? argv[2] : nullptr;
  ral_context *context = nullptr;
  expect(ral_context_create(&options, &context));
  ral_program *program = nullptr;
  expect(ral_program_open(context, argv[1], &program));
  std::map<std::string, int64_t> none;
  for (int64_t i = 0; i < ral_program_count(program, RAL_CONSTANT); ++i) {
    ral_arg_info info = argument(program, RAL_CONSTANT, i);
    Array value(info, none, uint32_t(7 * i + 1));
    ral_tensor tensor = value.tensor();
    expect(ral_program_set_constant(program, info.name, &tensor, nullptr, nullptr));
  }

  std::vector<std::string> serial;
  for (int64_t shape = 0; shape < shapes; ++shape)
    serial.push_back(run(program, shape));
  // Packed weights, made on first use, live as long as the program.
  int64_t before = live(context);
  std::atomic<int64_t> turn{0}, wrong{0};
  std::vector<std::thread> workers;
  for (int64_t t = 0; t < threads; ++t)
    workers.emplace_back([&] {
      for (int64_t i; (i = turn++) < calls;)
        wrong += run(program, i % shapes) != serial[size_t(i % shapes)];
    });
  for (std::thread &worker : workers)
    worker.join();
  std::printf("%lld calls, %lld shapes, %lld wrong, live bytes %lld -> %lld\n", (long long)calls, (long long)shapes,
              (long long)wrong.load(), (long long)before, (long long)live(context));
  bool ok = wrong == 0 && live(context) == before;
  ral_program_close(program);
  if (int64_t left = live(context); left != 0) {
    std::printf("%lld bytes are left when the program is closed\n", (long long)left);
    ok = false;
  }
  ral_context_destroy(context);
  return ok ? 0 : 1;
}
