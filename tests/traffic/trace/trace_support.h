// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tests/traffic/fake_port.h"
#include "tests/traffic/trace/trace_files.h"
#include "traffic/trace/tools/check.h"

/// What the tests of trace readers share.
namespace sare::testing_support {

using traffic::check_trace;
using traffic::describe_trace;
using traffic::event;
using traffic::op;
using traffic::open_trace;

inline std::vector<event> events_of(traffic::trace_reader& reader, std::uint32_t task) {
    std::vector<event> all;
    for (event e; reader.next(task, e);) all.push_back(e);
    return all;
}
inline std::vector<op> kinds_of(const std::vector<event>& events) {
    std::vector<op> all;
    for (const event& e : events) all.push_back(e.what);
    return all;
}
inline std::uint64_t count_of(const traffic::trace_info& i, op o) {
    return i.events[static_cast<std::size_t>(o)];
}

/// A text without the folder of the files.
inline std::string without_folder(std::string text, const std::string& folder) {
    for (auto at = text.find(folder); at != std::string::npos; at = text.find(folder))
        text.erase(at, folder.size());
    return text;
}
/// The error of reading a whole trace, its paths shortened to the files' names; "" where there is none.
inline std::string read_error(const trace_files& files, const std::string& path,
                              const std::string& format = "auto") {
    return without_folder(error_of([&] {
                              describe_trace(*open_trace(path, format, {"test.yaml", 1, 2}));
                          }),
                          files.path(""));
}
/// That of a single file of this content, called t: what follows its name.
inline std::string error_reading(const std::string& content, const std::string& format = "auto") {
    const trace_files files;
    const std::string text = read_error(files, files.write("t", content), format);
    return text.compare(0, 1, "t") == 0 ? text.substr(1) : text;
}

/// A trace on a network of `fake_port` to its end: the cycles that it took.
inline cycle_t replay_cycles(const std::string& path, std::uint32_t nodes, const char* cpu_factor = "1",
                             cycle_t latency = 10) {
    fake_port port(nodes, latency);
    const auto w =
        make_workload(section({{"workload", "trace"}, {"file", path}, {"cpu_factor", cpu_factor}}), nodes);
    w->start(port);
    port.run(*w, 100000000);
    EXPECT_TRUE(w->finished()) << w->stuck().text();
    return std::stoull(w->results().find("makespan_cycles")->text());
}

/// Whatever byte of a file is changed, and wherever it ends: the answer is good, or one line. Gives the
/// number of errors among the changes.
inline unsigned errors_of_changes(const trace_files& files, const std::string& name, const std::string& good,
                                  const std::string& path, const std::string& format = "auto") {
    unsigned wrong = 0;
    const auto look = [&](const std::string& content, std::size_t k) {
        files.write(name, content);
        const std::string text = error_of([&] {
            check_trace(*open_trace(path, format));
            describe_trace(*open_trace(path, format));
        });
        EXPECT_EQ(text.find('\n'), std::string::npos) << k << ": " << text;
        wrong += text.empty() ? 0 : 1;
    };
    for (std::size_t k = 0; k < good.size(); ++k) {
        look(good.substr(0, k), k);
        for (const char mask : {'\x01', '\x80'}) {
            std::string changed = good;
            changed[k] = static_cast<char>(changed[k] ^ mask);
            look(changed, k);
        }
    }
    files.write(name, good);
    return wrong;
}

inline std::string little(std::uint64_t n, unsigned bytes) {
    std::string text;
    for (unsigned i = 0; i < bytes; ++i) text += static_cast<char>(n >> 8 * i & 255);
    return text;
}

}  // namespace sare::testing_support
