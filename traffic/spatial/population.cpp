// SPDX-License-Identifier: Apache-2.0
#include "traffic/spatial/pattern.h"

#include <algorithm>
#include <sstream>

namespace sare::traffic {
namespace {

struct parameters {
    std::string file;
};

/// Weights as cumulative sums per source, in the order of the file.
class population : public pattern {
  public:
    population(const parameters& p, const config::value& section, const pattern_context& c)
        : m_by_source(c.nodes) {
        std::istringstream in(read_text(section.where(), c.folder, p.file));
        std::string line;
        for (int number = 1; std::getline(in, line); ++number) {
            line.erase(std::min(line.find('#'), line.size()));
            std::istringstream words(line);
            std::int64_t source = 0, destination = 0;
            double weight = 0;
            std::string rest;
            if (!(words >> rest)) continue;
            words.clear();
            words.str(line);
            words.seekg(0);
            const config::location at{file_path(c.folder, p.file), number, 1};
            if (!(words >> source >> destination >> weight) || words >> rest)
                throw config::error(at, "a line must be 'source destination weight'");
            for (const auto n : {source, destination})
                if (n < 0 || n >= c.nodes)
                    throw config::error(at, "there is no node " + std::to_string(n) + "; nodes are 0 to " +
                                                std::to_string(c.nodes - 1));
            if (!(weight >= 0 && weight < 1e300)) throw config::error(at, "a weight must be 0 or more");
            if (weight == 0) continue;
            auto& all = m_by_source[static_cast<std::size_t>(source)];
            all.push_back(
                {(all.empty() ? 0.0 : all.back().upto) + weight, static_cast<std::uint32_t>(destination)});
        }
    }

    bool silent(std::uint32_t source) const override { return m_by_source[source].empty(); }

    std::uint32_t destination(std::uint32_t source, rng& random) override {
        const auto& all = m_by_source[source];
        const double u = random.uniform() * all.back().upto;
        auto found =
            std::upper_bound(all.begin(), all.end(), u, [](double x, const target& t) { return x < t.upto; });
        return found == all.end() ? all.back().node : found->node;
    }

  private:
    struct target {
        double upto;
        std::uint32_t node;
    };
    std::vector<std::vector<target>> m_by_source;
};

const config::registration<pattern, const pattern_context&> registered{
    "population", "A weight per (source, destination), from a file; a source without weights sends nothing.",
    config::schema<parameters>().text("file", &parameters::file,
                                      "lines 'source destination weight'; # starts a comment"),
    [](const parameters& p, const config::value& section, const pattern_context& c) {
        if (p.file.empty())
            throw config::error(section.where(), "pattern 'population' needs 'file: ' with the weights");
        return new population(p, section, c);
    }};

}  // namespace
}  // namespace sare::traffic
