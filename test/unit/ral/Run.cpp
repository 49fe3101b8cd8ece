// Runs an artifact on arrays from its input, for machines without Python: those that an emulator stands for.
//
//   ral_run ARTIFACT.so THREADS [KERNELS]
//
// Reads `constant NAME DTYPE SIZES` and `input NAME DTYPE SIZES`, each a line with sizes as `2,3` (a scalar: `-`) and then the array's
// bytes, and `run`, a call with the inputs since the last one. Writes `output NAME DTYPE SIZES` in the same way.
#include "disc/ral.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <list>
#include <string>
#include <vector>

static void fail(const std::string &why) {
  std::fprintf(stderr, "ral_run: %s\n", why.c_str());
  std::exit(1);
}

static void expect(ral_status status) {
  if (status)
    fail(ral_status_message(status));
}

struct Array {
  std::vector<char> bytes;
  std::vector<int64_t> sizes;
  ral_tensor tensor{};
};

static int64_t byteCount(const ral_tensor &tensor) {
  int64_t count = ral_dtype_bytes(tensor.dtype);
  for (int32_t d = 0; d < tensor.rank; ++d)
    count *= tensor.sizes[d];
  return count;
}

static void read(Array &array, const char *dtype, const char *sizes) {
  for (const char *at = sizes; *at && *at != '-';) {
    char *end;
    array.sizes.push_back(std::strtoll(at, &end, 10));
    at = *end ? end + 1 : end;
  }
  array.tensor.dtype = ral_dtype_parse(dtype);
  array.tensor.rank = int32_t(array.sizes.size());
  array.tensor.sizes = array.sizes.data();
  size_t bytes = size_t(byteCount(array.tensor));
  array.bytes.resize(bytes + 1); // never null
  array.tensor.data = array.bytes.data();
  if (std::fread(array.bytes.data(), 1, bytes, stdin) != bytes)
    fail("the input ends in an array");
}

static void run(ral_program *program, std::list<Array> &arrays) {
  std::vector<ral_tensor> inputs;
  for (Array &array : arrays)
    inputs.push_back(array.tensor);
  std::vector<ral_output> outputs(size_t(ral_program_count(program, RAL_OUTPUT)));
  expect(ral_execute(program, inputs.data(), int64_t(inputs.size()), outputs.data(), int64_t(outputs.size())));
  for (ral_output &output : outputs) {
    std::printf("output - %s ", ral_dtype_name(output.tensor.dtype));
    for (int32_t d = 0; d < output.tensor.rank; ++d)
      std::printf(d ? ",%lld" : "%lld", (long long)output.tensor.sizes[d]);
    std::printf(output.tensor.rank ? "\n" : "-\n");
    std::fwrite(output.tensor.data, 1, size_t(byteCount(output.tensor)), stdout);
    ral_output_release(&output);
  }
  arrays.clear();
}

int main(int argc, char **argv) {
  if (argc != 3 && argc != 4)
    fail("usage: ral_run ARTIFACT.so THREADS [KERNELS]");
  ral_context_options options{};
  options.size = sizeof(options);
  options.threads = std::atoi(argv[2]);
  options.parallel = RAL_PARALLEL_THREADS;
  options.kernels = argc > 3 ? argv[3] : nullptr;
  ral_context *context = nullptr;
  expect(ral_context_create(&options, &context));
  ral_program *program = nullptr;
  expect(ral_program_open(context, argv[1], &program));
  std::list<Array> inputs;
  char line[2048], kind[16], name[512], dtype[32], sizes[512];
  while (std::fgets(line, sizeof line, stdin)) {
    if (!std::strcmp(line, "run\n")) {
      run(program, inputs);
      continue;
    }
    if (std::sscanf(line, "%15s %511s %31s %511s", kind, name, dtype, sizes) != 4)
      fail(std::string("expected KIND NAME DTYPE SIZES, got ") + line);
    Array array;
    read(array, dtype, sizes);
    if (!std::strcmp(kind, "constant"))
      expect(ral_program_set_constant(program, name, &array.tensor, nullptr, nullptr));
    else
      inputs.push_back(std::move(array));
  }
  ral_program_close(program);
  ral_context_destroy(context);
}
