// A few lines of test harness, and helpers on the C interface.
#ifndef RAL_TEST_TESTING_H
#define RAL_TEST_TESTING_H

#include "disc/ral.h"

#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

namespace testing {

struct Case {
  const char *name;
  void (*body)();
};
std::vector<Case> &cases();
extern int failures;
extern std::string artifact; // path of the mock artifact

struct Register {
  Register(const char *name, void (*body)()) { cases().push_back({name, body}); }
};

inline void report(bool ok, const char *file, int line, const std::string &what) {
  if (ok)
    return;
  std::printf("%s:%d: %s\n", file, line, what.c_str());
  __atomic_add_fetch(&failures, 1, __ATOMIC_RELAXED);
}

#define TEST(name)                                                             \
  static void name();                                                          \
  static testing::Register register_##name(#name, name);                       \
  static void name()
#define CHECK(condition)                                                       \
  testing::report((condition), __FILE__, __LINE__, "failed: " #condition)
#define CHECK_EQ(got, want)                                                    \
  testing::equal((got), (want), __FILE__, __LINE__, #got)

template <typename A, typename B>
void equal(const A &got, const B &want, const char *file, int line,
           const char *what) {
  if (got == want)
    return;
  if constexpr (std::is_convertible_v<A, std::string>)
    report(false, file, line,
           std::string(what) + "\n  got:  " + got + "\n  want: " + want);
  else
    report(false, file, line,
           std::string(what) + ": got " + std::to_string(got) + ", want " +
               std::to_string(want));
}

/// Numbers in [-0.5, 0.5) and sizes, the same on every run.
struct Random {
  uint64_t state = 1;
  uint64_t next() {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return state >> 33;
  }
  float real() { return float(next() % 4096) / 4096.0f - 0.5f; }
  std::vector<float> reals(int64_t count) {
    std::vector<float> out(static_cast<size_t>(count));
    for (float &value : out)
      value = real();
    return out;
  }
  int64_t size() {
    static const int64_t limits[] = {8, 40, 140, 900};
    return 1 + int64_t(next()) % limits[next() % 4];
  }
};

/// The message of a status, which is freed; "" for success.
inline std::string text(ral_status status) {
  std::string out = ral_status_message(status);
  ral_status_free(status);
  return out;
}

inline ral_context *makeContext(int threads = 2,
                                int kind = RAL_PARALLEL_THREADS) {
  ral_context_options options{};
  options.size = sizeof(options);
  options.threads = threads;
  options.parallel = kind;
  ral_context *context = nullptr;
  CHECK_EQ(text(ral_context_create(&options, &context)), "");
  return context;
}

inline ral_statistics statistics(ral_context *context) {
  ral_statistics out{};
  out.size = sizeof(out);
  ral_context_statistics(context, &out);
  return out;
}

/// The mock artifact with its constant {0, 1, 2, 3}.
inline ral_program *openMock(ral_context *context) {
  ral_program *program = nullptr;
  CHECK_EQ(text(ral_program_open(context, artifact.c_str(), &program)), "");
  float w[4] = {0, 1, 2, 3};
  int64_t sizes[1] = {4};
  ral_tensor value{w, RAL_F32, 1, sizes, nullptr};
  CHECK_EQ(
      text(ral_program_set_constant(program, "w", &value, nullptr, nullptr)),
      "");
  return program;
}

/// One call of the mock artifact with `rows` rows.
struct MockCall {
  std::vector<float> x, y;
  int64_t mode, xSizes[2], modeSizes[1] = {1}, ySizes[1];
  ral_tensor inputs[3];
  ral_output outputs[2] = {};

  explicit MockCall(int64_t rows, int64_t chosen = 0)
      : x(size_t(rows * 4)), y(size_t(rows)), mode(chosen),
        xSizes{rows, 4}, ySizes{rows} {
    for (size_t i = 0; i < x.size(); ++i)
      x[i] = float(i % 1000);
    inputs[0] = {x.data(), RAL_F32, 2, xSizes, nullptr};
    inputs[1] = {&mode, RAL_I64, 1, modeSizes, nullptr};
    inputs[2] = {y.data(), RAL_F32, 1, ySizes, nullptr};
  }
  ~MockCall() { release(); }
  std::string run(ral_program *program) {
    release();
    return text(ral_execute(program, inputs, 3, outputs, 2));
  }
  void release() {
    ral_output_release(&outputs[0]);
    ral_output_release(&outputs[1]);
  }
  bool isRight() const {
    auto *sum = static_cast<const float *>(outputs[0].tensor.data);
    auto *twice = static_cast<const float *>(outputs[1].tensor.data);
    for (size_t i = 0; i < x.size(); ++i)
      if (sum[i] != x[i] + float(i % 4) || twice[i] != 2 * x[i])
        return false;
    return outputs[0].tensor.sizes[0] == xSizes[0];
  }
};

} // namespace testing
#endif
