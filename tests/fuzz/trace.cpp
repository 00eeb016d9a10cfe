// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/fuzz.h"
#include "tests/traffic/fake_port.h"
#include "traffic/trace/check.h"

/// A trace in any format, compressed or not: looked at as `sare trace` does, and replayed for some cycles.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace sare;
    const fuzz::memory_file file(fuzz::text_of(data, size));
    // A line claims up to sixteen million tasks, which take their time.
    const auto open = [&file] {
        auto reader = traffic::open_trace(file.path());
        if (reader->tasks() > 4096) throw config::error("too many tasks to go through");
        return reader;
    };
    fuzz::read([&] { traffic::check_trace(*open()); });
    fuzz::read([&] { traffic::describe_trace(*open()); });
    fuzz::read([&] {
        testing_support::fake_port port(16);
        const auto section = config::value::map(
            {{"workload", config::value::scalar("trace")}, {"file", config::value::scalar(file.path())}});
        const auto replay = workload_registry::instance().make(section, workload_context{"", port.nodes()});
        replay->start(port);
        port.run(*replay, 3000);
        replay->results();
        replay->tables();
    });
    return 0;
}
