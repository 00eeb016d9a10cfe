// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/memory.h"
#include "tests/traffic/fake_port.h"
#include "traffic/moves/recording.h"
#include "traffic/trace/tools/check.h"

#include <filesystem>
#include <fstream>

/// A trace of the format that SARE_FUZZ_FORMAT names (auto: of any, compressed or not): looked at as
/// `sare trace` does, and replayed for some cycles. Formats of several files have them in one input, parted
/// by a line of equals signs.
namespace {

using namespace sare;

const std::string between = "\n=====\n";

/// What the parts of an input are called; what is behind the last name is numbered on from it.
std::vector<std::string> names_of(const std::string& format) {
    if (format == "simgrid") return {"index", "r0", "r1", "r2"};
    if (format == "dumpi") return {"d.meta", "d-0000.bin", "d-0001.bin", "d-0002.bin"};
    if (format == "chakra") return {"t.0.et", "t.1.et", "t.2.et"};
    if (format == "paraver") return {"t.prv", "t.pcf", "t.row"};
    if (format == "sare") return {"t", "t0", "t1", "t2"};
    if (format == "otf2")
        return {"traces.otf2",   "traces.def",    "traces/10.evt",
                "traces/11.evt", "traces/10.def", "traces/11.def"};
    return {"t"};
}

/// Files of one input in a folder without a disk; the first is the one that a user names.
class input_files {
  public:
    explicit input_files(const std::string& format)
        : m_names(names_of(format)), m_folder("/dev/shm/sare-fuzz-" + std::to_string(getpid())) {
        std::filesystem::create_directories(m_folder + "/traces");
    }
    ~input_files() { std::filesystem::remove_all(m_folder); }
    input_files(const input_files&) = delete;
    input_files& operator=(const input_files&) = delete;

    std::string write(const std::string& input) const {
        std::size_t from = 0;
        for (std::size_t i = 0; i < m_names.size(); ++i) {
            const bool last = i + 1 == m_names.size();
            const std::size_t end = from > input.size() || last ? input.size() : input.find(between, from);
            const std::string path = m_folder + "/" + m_names[i];
            if (from > input.size())
                std::filesystem::remove(path);
            else
                std::ofstream(path, std::ios::binary)
                    << input.substr(from, end == std::string::npos ? end : end - from);
            from = end == std::string::npos || last ? input.size() + 1 : end + between.size();
        }
        return m_folder + "/" + m_names[0];
    }

  private:
    std::vector<std::string> m_names;
    std::string m_folder;
};

const std::string& chosen_format() {
    static const std::string format = [] {
        const char* const named = std::getenv("SARE_FUZZ_FORMAT");
        return std::string(named == nullptr ? "auto" : named);
    }();
    return format;
}

/// Compressed data may be short for what it holds, and the dictionaries of its packers are large.
bool compressed(const std::string& input) {
    for (const char* magic : {"\x1f\x8b", "BZh",
                              "\xfd"
                              "7zXZ",
                              "\x28\xb5\x2f\xfd"})
        if (input.find(magic) != std::string::npos) return true;
    return false;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const input_files files(chosen_format());
    const std::string input = fuzz::text_of(data, size), path = files.write(input);
    // A line claims up to sixteen million tasks, which take their time.
    const auto open = [&path] {
        auto reader = traffic::open_trace(path, chosen_format());
        if (reader->tasks() > 4096) throw config::error("too many tasks to go through");
        return reader;
    };
    {
        const fuzz::memory_limit limit(compressed(input) ? 1ULL << 30 : (16ULL << 20) + 64 * size);
        fuzz::read([&] { traffic::describe_trace(*open()); });
    }
    fuzz::read([&] { traffic::check_trace(*open()); });
    fuzz::read([&] {
        testing_support::fake_port port(16);
        const auto section = config::value::map({{"workload", config::value::scalar("trace")},
                                                 {"file", config::value::scalar(path)},
                                                 {"format", config::value::scalar(chosen_format())}});
        const auto replay = workload_registry::instance().make(section, workload_context{"", port.nodes()});
        replay->start(port);
        port.run(*replay, 3000);
        replay->results();
        replay->tables();
    });
    if (chosen_format() == "auto")
        fuzz::read([&] { traffic::read_wormhole(path, {10, 12, {"NOC_0", "NOC_1"}}, {}); });
    return 0;
}
