// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <gtest/gtest.h>

#include <unistd.h>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace sare::testing_support {

/// A folder of its own for the files of one test; gone with it. With SARE_KEEP_TRACES a copy stays in the
/// folder of that name: tests/fuzz/collect_seeds begins with them.
class trace_files {
  public:
    trace_files() {
        static int count = 0;
        m_folder =
            testing::TempDir() + "/sare_trace_" + std::to_string(getpid()) + "_" + std::to_string(count++);
        std::filesystem::create_directories(m_folder);
    }
    ~trace_files() {
        std::error_code ignored;
        if (const char* const keep = std::getenv("SARE_KEEP_TRACES"))
            std::filesystem::copy(m_folder,
                                  keep + ("/" + std::filesystem::path(m_folder).filename().string()),
                                  std::filesystem::copy_options::recursive, ignored);
        std::filesystem::remove_all(m_folder, ignored);
    }
    trace_files(const trace_files&) = delete;
    trace_files& operator=(const trace_files&) = delete;

    std::string path(const std::string& name) const { return m_folder + "/" + name; }
    std::string write(const std::string& name, const std::string& content) const {
        std::ofstream(path(name), std::ios::binary) << content;
        return path(name);
    }

  private:
    std::string m_folder;
};

}  // namespace sare::testing_support
