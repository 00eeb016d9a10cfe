// SPDX-License-Identifier: Apache-2.0
#include "tlm/topology/place_names.h"
#include "traffic/spatial/pattern.h"
#include "traffic/spatial/weights.h"

#include <fmt/format.h>

namespace sare::traffic::variants::population {
namespace {

struct parameters {
    std::string file;
};

class population : public pattern {
  public:
    population(const parameters& p, const config::value& section, const pattern_context& c)
        : m_by_source(c.nodes) {
        word_number by_name;
        if (c.names != nullptr)
            by_name = [&c](const config::location& at, const std::string& word) {
                return c.names->find(place_kind::node, word, c.nodes, at);
            };
        read_weights(
            section.where(), c.folder, p.file, {"source", "destination"},
            [&](const config::location& at, const std::vector<std::int64_t>& ends, double weight) {
                for (const auto n : ends)
                    if (n < 0 || n >= c.nodes)
                        throw config::error(
                            at, fmt::format("there is no node {}; nodes are 0 to {}", n, c.nodes - 1));
                if (weight > 0)
                    m_by_source[static_cast<std::size_t>(ends[0])].add(static_cast<std::uint32_t>(ends[1]),
                                                                       weight);
            },
            by_name);
    }

    bool silent(std::uint32_t source) const override { return m_by_source[source].empty(); }
    std::uint32_t destination(std::uint32_t source, rng& random) override {
        return m_by_source[source].draw(random);
    }

    bool shares(std::uint32_t source, std::vector<double>& to) const override {
        if (!silent(source)) m_by_source[source].add_shares(to);
        return true;
    }

  private:
    std::vector<weighted> m_by_source;
};

const config::registration<pattern, const pattern_context&> registered{
    "population", "A weight per (source, destination), from a file; a source without weights sends nothing.",
    config::schema<parameters>().text(
        "file", &parameters::file,
        "lines 'source destination weight', nodes by number or name; # starts a comment"),
    [](const parameters& p, const config::value& section, const pattern_context& c) {
        if (p.file.empty())
            throw config::error(section.where(), "pattern 'population' needs 'file: ' with the weights");
        return new population(p, section, c);
    }};

}  // namespace
}  // namespace sare::traffic::variants::population
