// SPDX-License-Identifier: Apache-2.0
#include "traffic/flows/flow_format.h"

/// The formats in JSON in a program without the part `formats`, to be known all the same, and refused.
namespace sare::traffic::variants::missing_flows {
namespace {

class missing final : public flow_format {
  public:
    bool recognises(const flow_file& file) const override {
        const std::size_t first = file.text.find_first_not_of(" \t\r\n");
        return first != std::string::npos && (file.text[first] == '[' || file.text[first] == '{');
    }

    flow_list read(const flow_file& file) const override {
        config::throw_missing(file.line(1), "the reader of flows in JSON", "formats");
    }
};

flow_format* make(const config::no_parameters&, const config::value&) {
    return new missing;
}

constexpr const char* sentence = "Not in this program (SARE_PARTS).";
const config::registration<flow_format> booksim2{"booksim2", sentence, make};
const config::registration<flow_format> rapidchiplet{"rapidchiplet", sentence, make};

}  // namespace
}  // namespace sare::traffic::variants::missing_flows
