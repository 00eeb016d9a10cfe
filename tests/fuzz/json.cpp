// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/command_parser.h"
#include "tb/sare/commands.h"
#include "tests/fuzz/fuzz.h"

#include <CLI/CLI.hpp>

namespace {

const char* const good =
    R"({"status": "completed", "cycles": 1000, "load": {"offered": 0.1, "accepted": null},
"config": {"network": {"topology": "mesh", "dims": [4, 4]}}, "batches": [{"from": 0}], "version": "1", "run": {}})";

}  // namespace

/// A summary.json, compared with another by the command of that name.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace sare;
    const fuzz::memory_file mine(fuzz::text_of(data, size)), other(good);
    for (const char* how : {"", " --rel 0.1"})
        fuzz::read([&] {
            CLI::App app;
            cli::command_parser program(app);
            cli::action compare;
            cli::add_compare(program, compare);
            app.parse("compare " + mine.path() + " " + other.path() + how);
            compare();
        });
    return 0;
}
