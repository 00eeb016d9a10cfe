// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <systemc>

// GoogleTest has the main(); SystemC wants its symbol. (With libsystemc's own main() first on the link line
// no test would run and the status would be 0.)
int sc_main(int, char**) {
    return 0;
}

namespace {

/// A folder of this process alone, which testing::TempDir() names: tests run side by side, and some of them
/// write files of the same name.
class own_folder {
  public:
    own_folder() : m_path((std::filesystem::temp_directory_path() / "sare-test-XXXXXX").string()) {
        if (mkdtemp(m_path.data()) == nullptr || setenv("TEST_TMPDIR", m_path.c_str(), 1) != 0) {
            std::perror(m_path.c_str());
            std::exit(2);
        }
    }
    ~own_folder() {
        std::error_code ignored;
        std::filesystem::remove_all(m_path, ignored);
    }
    own_folder(const own_folder&) = delete;
    own_folder& operator=(const own_folder&) = delete;

  private:
    std::string m_path;
};

}  // namespace

int main(int argc, char** argv) {
    const own_folder folder;
    testing::InitGoogleTest(&argc, argv);
    return RUN_ALL_TESTS();
}
