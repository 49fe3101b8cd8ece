// Many threads on one program; parallel loops; the registry.
#include "Testing.h"

#include <atomic>
#include <thread>

using namespace testing;

static void hammer(ral_context *context) {
  ral_program *program = openMock(context);
  int64_t before = statistics(context).live_bytes;
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([=] {
      for (int64_t i = 0; i < 200; ++i) {
        int64_t mode = i % 5 == 4 ? i % 10 : 0;
        MockCall call((t * 131 + i * 17) % 777, mode);
        std::string got = call.run(program);
        if (mode == 0)
          CHECK(got.empty() && call.isRight());
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  CHECK_EQ(statistics(context).live_bytes, before);
  CHECK_EQ(statistics(context).executions, int64_t(1600));
  ral_program_close(program);
  ral_context_destroy(context);
}

TEST(eight_threads_share_a_program) { hammer(makeContext(3)); }

TEST(eight_threads_share_a_serial_program) {
  hammer(makeContext(1, RAL_PARALLEL_SERIAL));
}

#ifndef __SANITIZE_THREAD__ // OpenMP runtimes are not instrumented
TEST(eight_threads_share_openmp) {
  hammer(makeContext(3, RAL_PARALLEL_AUTO));
}
#endif

TEST(threads_and_callbacks_run_every_piece) {
  ral_context_options options{};
  options.size = sizeof(options);
  options.threads = 5;
  options.parallel_for = [](void *, int64_t tasks, void (*task)(void *, int64_t),
                            void *arg) {
    for (int64_t i = tasks; i-- > 0;)
      task(arg, i);
  };
  ral_context *context = nullptr;
  CHECK_EQ(text(ral_context_create(&options, &context)), "");
  const char *fact = nullptr;
  CHECK_EQ(text(ral_context_query(context, "parallel", &fact)), "");
  CHECK_EQ(std::string(fact), "callback");
  CHECK_EQ(text(ral_context_query(context, "colour", &fact)),
           "context has no fact `colour`");
  ral_program *program = openMock(context);
  for (int64_t rows : {0, 1, 15, 16, 17, 79, 80, 81, 1003}) {
    MockCall call(rows);
    CHECK_EQ(call.run(program), "");
    CHECK(call.isRight());
  }
  ral_program_close(program);
  ral_context_destroy(context);
}

static std::atomic<int> calls{0};

TEST(registered_calls_are_found_in_their_context_only) {
  ral_context *with = makeContext(), *without = makeContext();
  ral_program *first = openMock(with), *second = openMock(without);
  auto fn = [](ral_exec *exec, const ral_tensor *, int64_t, const int64_t *,
               int64_t) -> int32_t {
    ++calls;
    const ral_codegen_api *api = ral_exec_api();
    void *scratch = api->alloc(exec, 100);
    api->dealloc(exec, scratch);
    return api->fail(exec, RAL_UNSUPPORTED, "called", nullptr, 0);
  };
  CHECK_EQ(text(ral_register_call(with, "test.unknown", fn)), "");
  for (int i = 0; i < 2; ++i) { // the call site keeps what it resolved
    MockCall call(3, 6);
    CHECK_EQ(call.run(first), "called");
    CHECK_EQ(call.run(second), "no library function `test.unknown` is "
                               "registered in this context");
  }
  CHECK_EQ(calls.load(), 2);
  ral_program_close(first);
  ral_program_close(second);
  ral_context_destroy(with);
  ral_context_destroy(without);
}

TEST(bad_options_are_refused) {
  ral_context_options options{};
  options.size = sizeof(options);
  ral_context *context = nullptr;
  options.threads = -1;
  CHECK_EQ(text(ral_context_create(&options, &context)),
           "option `threads`: expected 0 to 4096, got -1");
  options.threads = 0;
  options.parallel = 9;
  CHECK_EQ(text(ral_context_create(&options, &context)),
           "option `parallel`: unknown kind 9");
  CHECK(context == nullptr);
  CHECK_EQ(text(ral_context_create(nullptr, &context)), "");
  ral_context_destroy(context);
}
