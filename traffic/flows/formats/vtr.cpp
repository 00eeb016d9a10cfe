// SPDX-License-Identifier: Apache-2.0
#include "tlm/config/xml/xml.h"
#include "traffic/flows/flow_format.h"

#include <regex>

/// VTR's traffic flows (`.flows`): `<single_flow src dst bandwidth [latency_cons] [priority]/>` in bit/s and
/// seconds; src and dst are regular expressions for the name of a router, here of a node.
namespace sare::traffic::variants::vtr_flows {
namespace {

class vtr final : public flow_format {
  public:
    bool recognises(const flow_file& file) const override {
        const std::size_t first = file.text.find_first_not_of(" \t\r\n");
        return first != std::string::npos && file.text[first] == '<';
    }

    flow_list read(const flow_file& file) const override {
        const config::xml_element root = config::read_xml(file.text, file.name);
        if (root.name != "traffic_flows")
            throw config::error(root.at, "<traffic_flows> is expected, not <" + root.name + ">");
        flow_list all;
        for (const config::xml_element& e : root.children) {
            if (e.name != "single_flow")
                throw config::error(e.at, "<single_flow> is expected, not <" + e.name + ">");
            flow f = file.usual;
            f.at = e.at;
            f.source = node(file, e, "src");
            f.destination = node(file, e, "dst");
            f.rate_unit = "Mbit/s";
            f.flits_per_cycle_of_unit = to_rate("1Mbit/s", "bandwidth", f.length, file.units, e.at);
            f.rate = to_share(e.attribute("bandwidth"), e.at) / 1e6 * f.flits_per_cycle_of_unit;
            if (e.attributes.count("latency_cons") != 0) {
                f.latency_unit = "ns";
                f.cycles_of_unit = to_cycles("1ns", "latency_cons", file.units, e.at);
                f.required_latency = to_share(e.attribute("latency_cons"), e.at) * 1e9 * f.cycles_of_unit;
            }
            all.push_back(f);
        }
        return all;
    }

  private:
    /// Returns the node that an attribute names, by its name or as the one name that the expression fits.
    static std::uint32_t node(const flow_file& file, const config::xml_element& e, const char* key) {
        const std::string& word = e.attribute(key);
        if (file.names == nullptr || file.names->number(place_kind::node, word)) return file.node(word, e.at);
        std::vector<std::uint32_t> fits;
        try {
            const std::regex pattern(word);
            for (std::uint32_t n = 0; n < file.nodes; ++n)
                if (const std::string& name = file.names->name(place_kind::node, n);
                    !name.empty() && std::regex_match(name, pattern))
                    fits.push_back(n);
        } catch (const std::regex_error&) {
            throw config::error(e.at, "'" + word + "' is no regular expression");
        }
        if (fits.size() > 1)
            throw config::error(e.at, "'" + word + "' fits nodes '" +
                                          file.names->name(place_kind::node, fits[0]) + "' and '" +
                                          file.names->name(place_kind::node, fits[1]) + "'");
        return fits.empty() ? file.node(word, e.at) : fits[0];
    }
};

const config::registration<flow_format> registered{
    "vtr", "VTR's .flows: bandwidths in bit/s and latencies in seconds between nodes that are named.",
    config::made<vtr>};

}  // namespace
}  // namespace sare::traffic::variants::vtr_flows
