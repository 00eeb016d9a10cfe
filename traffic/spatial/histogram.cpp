// SPDX-License-Identifier: Apache-2.0
#include "traffic/spatial/pattern.h"
#include "traffic/spatial/weights.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace sare::traffic::variants::histogram {
namespace {

struct parameters {
    std::vector<std::uint32_t> weights{0, 1};
    std::string file;
    bool torus = false;
};

/// Returns the weights of distance 0, 1, ...: of the section, or of its file.
std::vector<double> weights_of(const parameters& p, const config::value& section, const pattern_context& c) {
    if (p.file.empty()) return {p.weights.begin(), p.weights.end()};
    constexpr std::int64_t furthest = 1 << 20;
    std::vector<double> all;
    read_weights(section.where(), c.folder, p.file, {"distance"},
                 [&](const config::location& at, const std::vector<std::int64_t>& distance, double weight) {
                     if (distance[0] < 0 || distance[0] > furthest)
                         throw config::error(
                             at, fmt::format("distance {} must be from 0 to {}", distance[0], furthest));
                     const auto d = static_cast<std::size_t>(distance[0]);
                     if (all.size() <= d) all.resize(d + 1);
                     all[d] += weight;
                 });
    return all;
}

/// Offsets of the grid by distance (hops of the node grid); the distance is drawn by weight among those that
/// the source has, the offset among those of that distance: on a mesh again until it stays inside.
class histogram : public pattern {
  public:
    histogram(const parameters& p, const config::value& section, const pattern_context& c)
        : m_dims(c.dims), m_torus(p.torus) {
        const auto weights = weights_of(p, section, c);
        std::vector<std::int32_t> low, high;
        for (const auto n : m_dims) {
            const auto size = static_cast<std::int32_t>(n);
            low.push_back(m_torus ? -(size - 1) / 2 : 1 - size);
            high.push_back(m_torus ? size / 2 : size - 1);
        }
        std::vector<std::int32_t> offset = low;
        m_by_distance.resize(weights.size());
        for (bool more = true; more;) {
            std::size_t distance = 0;
            for (const auto o : offset) distance += static_cast<std::size_t>(std::abs(o));
            if (distance < weights.size())
                m_by_distance[distance].insert(m_by_distance[distance].end(), offset.begin(), offset.end());
            more = false;
            for (std::size_t i = 0; i < offset.size() && !more; ++i) {
                more = offset[i] < high[i];
                offset[i] = more ? offset[i] + 1 : low[i];
            }
        }
        double sum = 0;
        for (const auto w : weights) m_upto.push_back(sum += w);
        for (std::uint32_t s = 0; s < c.nodes; ++s)
            if (reach(s) == 0)
                throw config::error(
                    section.where(),
                    fmt::format(
                        "pattern 'histogram': no node lies at a distance with a weight above 0 from node {}",
                        s));
    }

    std::uint32_t destination(std::uint32_t source, rng& random) override {
        const double pick = random.uniform() * reach(source);
        const auto distance =
            static_cast<std::size_t>(std::upper_bound(m_upto.begin(), m_upto.end(), pick) - m_upto.begin());
        const auto& offsets = m_by_distance[distance];
        const auto count = static_cast<std::uint32_t>(offsets.size() / m_dims.size());
        for (;;)
            if (const auto d = moved(source, &offsets[random.below(count) * m_dims.size()])) return *d;
    }

    bool shares(std::uint32_t source, std::vector<double>& to) const override {
        const double all = reach(source);
        double before = 0;
        for (std::size_t distance = 0; distance < m_by_distance.size() && before < all; ++distance) {
            const double weight = m_upto[distance] - before;
            before = m_upto[distance];
            std::vector<std::uint32_t> there;  // offsets that stay inside, each as likely
            const auto& offsets = m_by_distance[distance];
            for (std::size_t i = 0; i < offsets.size(); i += m_dims.size())
                if (const auto d = moved(source, &offsets[i])) there.push_back(*d);
            for (const std::uint32_t d : there) to[d] += weight / all / static_cast<double>(there.size());
        }
        return true;
    }

  private:
    /// Returns the node that an offset leads to; nothing if that is outside.
    std::optional<std::uint32_t> moved(std::uint32_t source, const std::int32_t* offset) const {
        bool inside = true;
        const std::uint32_t d =
            map_coordinates(m_dims, source, [&](std::size_t i, std::uint32_t x, std::uint32_t n) {
                const std::int64_t at = static_cast<std::int64_t>(x) + offset[i];
                const std::int64_t size = n;
                inside = inside && (m_torus || (at >= 0 && at < size));
                return static_cast<std::uint32_t>((at + size) % size);
            });
        if (!inside) return std::nullopt;
        return d;
    }
    /// Returns the sum of the weights of all distances that exist from `source`.
    double reach(std::uint32_t source) const {
        std::size_t furthest = 0;
        map_coordinates(m_dims, source, [&](std::size_t, std::uint32_t x, std::uint32_t n) {
            furthest += m_torus ? n / 2 : std::max(x, n - 1 - x);
            return x;
        });
        return m_upto[std::min(furthest, m_upto.size() - 1)];
    }

    std::vector<std::uint32_t> m_dims;
    bool m_torus;
    std::vector<std::vector<std::int32_t>> m_by_distance;  ///< offsets by distance, a number per dimension
    std::vector<double> m_upto;                            ///< sums of the weights of distances 0 to i
};

const config::registration<pattern, const pattern_context&> registered{
    "histogram", "Probability by distance, counted in hops of the node grid.",
    config::schema<parameters>()
        .integers("weights", &parameters::weights, 0, 1e9, "",
                  "weight of distance 0 (the node itself), 1, 2, ...; distances that a node does not have "
                  "are left out")
        .text("file", &parameters::file, "instead of weights: lines 'distance weight'; # starts a comment")
        .flag("torus", &parameters::torus, "distances go round the ends of the grid"),
    [](const parameters& p, const config::value& section, const pattern_context& c) {
        if (p.weights.empty())
            throw config::error(section.where(), "pattern 'histogram': 'weights' is empty");
        return new histogram(p, section, c);
    }};

}  // namespace
}  // namespace sare::traffic::variants::histogram
