// Runs the unit tests of RAL: ral_tests <mock artifact> [name filter]
#include "Testing.h"

std::vector<testing::Case> &testing::cases() {
  static std::vector<Case> all;
  return all;
}
int testing::failures = 0;
std::string testing::artifact;

int main(int argc, char **argv) {
  if (argc < 2) {
    std::printf("usage: ral_tests <mock artifact> [name filter]\n");
    return 2;
  }
  testing::artifact = argv[1];
  for (const testing::Case &test : testing::cases()) {
    if (argc > 2 && !std::strstr(test.name, argv[2]))
      continue;
    int before = testing::failures;
    test.body();
    std::printf("%s %s\n", testing::failures == before ? "ok  " : "FAIL",
                test.name);
  }
  return testing::failures ? 1 : 0;
}
