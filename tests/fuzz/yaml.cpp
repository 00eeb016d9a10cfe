// SPDX-License-Identifier: Apache-2.0
#include "tlm/config/yaml.h"
#include "tb/sare/results/result_json.h"
#include "tests/fuzz/fuzz.h"
#include "tlm/network/experiment.h"

/// An experiment: read, written out with every default, and read again from that.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace sare;
    const std::string text = fuzz::text_of(data, size);
    fuzz::read([&] { config::parse_yaml(text, "--set router.vcs"); });
    fuzz::read([&] {
        const experiment e = experiment::read(config::parse_document(text, "fuzz.yaml"), "");
        const std::string once = cli::text_of(cli::to_json(e));
        const experiment again = experiment::read(e.resolved(), "");
        if (cli::text_of(cli::to_json(again)) != once) std::abort();
    });
    return 0;
}
