// Executions: results, checks of inputs, failures, constants.
#include "Testing.h"

using namespace testing;

TEST(execution_gives_outputs_and_returns_memory) {
  ral_context *context = makeContext();
  ral_program *program = openMock(context);
  int64_t constants = statistics(context).live_bytes;
  for (int64_t rows : {0, 1, 7, 16, 1000}) {
    MockCall call(rows);
    CHECK_EQ(call.run(program), "");
    CHECK(call.isRight());
    CHECK(reinterpret_cast<uintptr_t>(call.outputs[0].tensor.data) % 64 == 0);
    CHECK(statistics(context).live_bytes > constants);
  }
  CHECK_EQ(statistics(context).live_bytes, constants);
  ral_program_close(program);
  CHECK_EQ(statistics(context).live_bytes, int64_t(0));
  ral_context_destroy(context);
}

TEST(inputs_are_checked_before_entry) {
  ral_context *context = makeContext();
  ral_program *program = openMock(context);
  auto rejected = [&](auto change) {
    MockCall call(7);
    change(call);
    return call.run(program);
  };
  CHECK_EQ(rejected([](MockCall &c) { c.ySizes[0] = 8; }),
           "input 2 `y`: dimension 0 (`s`): expected 7 (from input 0 `x` "
           "dimension 0), got 8");
  CHECK_EQ(rejected([](MockCall &c) { c.xSizes[1] = 3; }),
           "input 0 `x`: dimension 1: expected 4, got 3");
  CHECK_EQ(rejected([](MockCall &c) { c.inputs[0].dtype = RAL_F64; }),
           "input 0 `x`: expected element type f32, got f64");
  CHECK_EQ(rejected([](MockCall &c) { c.inputs[2].rank = 0; }),
           "input 2 `y`: expected rank 1, got rank 0");
  CHECK_EQ(rejected([](MockCall &c) { c.inputs[0].data = nullptr; }),
           "input 0 `x`: its data pointer is null");
  CHECK_EQ(rejected([](MockCall &c) { c.xSizes[0] = -1; }),
           "input 0 `x`: dimension 0 (`s`): negative size -1");
  CHECK_EQ(rejected([](MockCall &c) {
             c.xSizes[0] = c.ySizes[0] = INT64_MAX / 2;
           }),
           "input 0 `x`: its size overflows");
  MockCall call(7);
  CHECK_EQ(text(ral_execute(program, call.inputs, 2, call.outputs, 2)),
           "expected 3 inputs, got 2");
  CHECK_EQ(text(ral_execute(program, call.inputs, 3, call.outputs, 1)),
           "expected room for 2 outputs, got 1");
  CHECK_EQ(call.run(program), "");
  CHECK(call.isRight());
  ral_program_close(program);
  ral_context_destroy(context);
}

TEST(strided_inputs_are_packed) {
  ral_context *context = makeContext();
  ral_program *program = openMock(context);
  MockCall call(5);
  std::vector<float> wide(5 * 16, -1);
  for (size_t i = 0; i < 20; ++i)
    wide[i / 4 * 16 + i % 4 * 2] = call.x[i];
  int64_t strides[2] = {16, 2};
  call.inputs[0].data = wide.data();
  call.inputs[0].strides = strides;
  CHECK_EQ(call.run(program), "");
  CHECK(call.isRight());
  ral_program_close(program);
  ral_context_destroy(context);
}

TEST(failures_are_values_and_leak_nothing) {
  ral_context *context = makeContext();
  ral_program *program = openMock(context);
  int64_t before = statistics(context).live_bytes;
  const char *expected[] = {"",
                            "size 3 is not 4, {}",
                            "cannot allocate 4611686018427387903 bytes: more "
                            "than the memory limit",
                            "artifact returned 77 without a message",
                            "",
                            "",
                            "no library function `test.unknown` is registered "
                            "in this context",
                            "artifact produced no output 1",
                            "artifact sent output 0 of 16777216 bytes in "
                            "memory of 64",
                            ""};
  for (int64_t mode = 0; mode < 10; ++mode) {
    MockCall call(3, mode);
    std::string got = call.run(program);
    CHECK_EQ(got.substr(0, std::strlen(expected[mode])), expected[mode]);
    CHECK_EQ(got.empty(), *expected[mode] == '\0');
    CHECK_EQ(call.outputs[0].owner == nullptr, !got.empty());
  }
  CHECK_EQ(statistics(context).live_bytes, before);
  CHECK_EQ(statistics(context).failures, int64_t(6));
  ral_program_close(program);
  ral_context_destroy(context);
}

TEST(outputs_outlive_program_and_context) {
  ral_context *context = makeContext();
  ral_program *program = openMock(context);
  MockCall call(100);
  CHECK_EQ(call.run(program), "");
  ral_program_close(program);
  ral_context_destroy(context);
  CHECK(call.isRight());
}

TEST(constants_are_checked_and_released) {
  ral_context *context = makeContext();
  ral_program *program = nullptr;
  CHECK_EQ(text(ral_program_open(context, artifact.c_str(), &program)), "");
  MockCall call(3);
  CHECK_EQ(call.run(program), "constant 0 `w` has not been set");
  float w[4] = {0, 1, 2, 3};
  int64_t sizes[1] = {3};
  ral_tensor value{w, RAL_F32, 1, sizes, nullptr};
  auto release = [](void *count) { ++*static_cast<int *>(count); };
  int released = 0;
  auto set = [&](const char *name) {
    return text(
        ral_program_set_constant(program, name, &value, release, &released));
  };
  CHECK_EQ(set("w"), "constant 0 `w`: expected [4] of f32, got [3] of f32");
  sizes[0] = 4;
  CHECK_EQ(set("v"), "`" + artifact + "` has no constant `v`");
  CHECK_EQ(released, 0);
  CHECK_EQ(set("w"), "");
  CHECK_EQ(statistics(context).constant_bytes, int64_t(16));
  CHECK_EQ(call.run(program), "");
  CHECK(call.isRight());
  CHECK_EQ(set("w"), "");
  CHECK_EQ(released, 1);
  ral_program_close(program);
  CHECK_EQ(released, 2);
  ral_context_destroy(context);
}

TEST(artifacts_that_are_none_are_named) {
  ral_context *context = makeContext();
  ral_program *program = nullptr;
  CHECK_EQ(text(ral_program_open(context, "/nowhere/x.so", &program)),
           "cannot load artifact `/nowhere/x.so`: No such file or directory");
  CHECK_EQ(text(ral_program_open(context, "/proc/self/cmdline", &program)),
           "cannot load artifact `/proc/self/cmdline`: expected a shared "
           "object (ELF)");
  CHECK(program == nullptr);
  ral_context_destroy(context);
}

TEST(signature_is_readable) {
  ral_context *context = makeContext();
  ral_program *program = openMock(context);
  CHECK_EQ(ral_program_count(program, RAL_INPUT), int64_t(3));
  CHECK_EQ(ral_program_count(program, RAL_OUTPUT), int64_t(2));
  ral_arg_info info{};
  info.size = sizeof(info);
  CHECK_EQ(text(ral_program_arg(program, RAL_INPUT, 0, &info)), "");
  CHECK_EQ(std::string(info.name), "x");
  CHECK_EQ(info.dtype, int32_t(RAL_F32));
  CHECK_EQ(info.sizes[0], int64_t(-1));
  CHECK_EQ(std::string(info.symbols[0]), "s");
  CHECK_EQ(info.sizes[1], int64_t(4));
  CHECK_EQ(text(ral_program_arg(program, RAL_INPUT, 3, &info)),
           "no argument 3 of kind 0");
  ral_program_close(program);
  ral_context_destroy(context);
}
