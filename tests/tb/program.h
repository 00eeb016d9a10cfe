// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

/// The built program, called from a folder of its own as a user would.
namespace sare::test {

struct outcome {
    int status = -1;
    std::string out, err;
};

class program : public testing::Test {
  protected:
    void SetUp() override {
        std::string name = (std::filesystem::temp_directory_path() / "sare-test-XXXXXX").string();
        ASSERT_NE(mkdtemp(name.data()), nullptr);
        m_folder = name;
    }
    void TearDown() override { std::filesystem::remove_all(m_folder); }

    std::filesystem::path at(const std::string& file) const { return m_folder / file; }

    void write(const std::string& file, const std::string& text) const {
        std::filesystem::create_directories(at(file).parent_path());
        std::ofstream(at(file), std::ios::binary) << text;
    }

    std::string read(const std::string& file) const {
        std::ifstream in(at(file), std::ios::binary);
        std::ostringstream text;
        text << in.rdbuf();
        return text.str();
    }

    /// All files of a result, but for what depends on the hour.
    std::string result(const std::string& folder) const {
        std::vector<std::filesystem::path> files;
        for (const auto& entry : std::filesystem::directory_iterator(at(folder)))
            files.push_back(entry.path());
        std::sort(files.begin(), files.end());
        std::string all;
        for (const auto& file : files) {
            const std::string text = read(folder + "/" + file.filename().string());
            all += file.filename().string() + "\n" + text.substr(0, text.find("\"run\": {"));
        }
        return all;
    }

    nlohmann::json read_json(const std::string& file) const { return nlohmann::json::parse(read(file)); }

    /// A shell command line in the folder, `sare` standing for the program.
    outcome shell(const std::string& line) const {
        const std::string all = "cd '" + m_folder.string() +
                                "' && export XDG_CONFIG_HOME=\"$PWD\" SARE=\"" SARE_PROGRAM
                                "\"; sare() { '" SARE_PROGRAM "' \"$@\"; }; { " +
                                line + "\n} >.out 2>.err </dev/null";
        const int status = std::system(("/bin/bash -c '" + quoted(all) + "'").c_str());
        return {WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status), read(".out"), read(".err")};
    }
    outcome sare(const std::string& arguments) const { return shell("sare " + arguments); }

  private:
    static std::string quoted(const std::string& text) {
        std::string out;
        for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
        return out;
    }

    std::filesystem::path m_folder;
};

/// A run of well under a second.
inline const char* const small =
    "network: {topology: mesh, dims: [4, 4]}\n"
    "traffic: {workload: bernoulli, load: 0.1}\n"
    "measurement: {warmup: 100, convergence_count: 0, batch: 100, batches: 3}\n";

/// A run that lasts until it is ended from outside.
inline const char* const endless =
    "network: {topology: mesh, dims: [4, 4]}\n"
    "traffic: {workload: bernoulli, load: 0.1}\n"
    "measurement: {warmup: 100, convergence_count: 0, batch: 1000000000, batches: 1000}\n";

}  // namespace sare::test
