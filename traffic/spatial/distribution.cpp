// SPDX-License-Identifier: Apache-2.0
#include "tlm/state/archive.h"
#include "traffic/spatial/pattern.h"

namespace sare::traffic::variants::distribution {
namespace {

enum class first { next, random };

struct parameters {
    first start = first::next;
};

class distribution : public pattern {
  public:
    distribution(const parameters& p, std::uint32_t nodes) : m(p), m_nodes(nodes), m_offset(nodes, 0) {}
    void serialize(archive& a) override { a(m_offset); }
    bool shares(std::uint32_t source, std::vector<double>& to) const override {
        add_others(source, 1, to);
        return true;
    }
    std::uint32_t destination(std::uint32_t source, rng& random) override {
        if (m_nodes == 1) return 0;
        std::uint32_t& offset = m_offset[source];  // 1 to nodes - 1; 0: not begun
        if (offset == 0 && m.start == first::random) offset = random.below(m_nodes - 1);
        offset = offset == m_nodes - 1 ? 1 : offset + 1;
        const std::uint32_t d = source + offset;
        return d >= m_nodes || d < source ? d - m_nodes : d;
    }

  private:
    parameters m;
    std::uint32_t m_nodes;
    std::vector<std::uint32_t> m_offset;
};

const config::registration<pattern, const pattern_context&> registered{
    "distribution", "Each other node in turn.",
    config::schema<parameters>().choice(
        "start", &parameters::start, {{"next", first::next}, {"random", first::random}},
        "next: from the id after the source's (SD); random: from a random one (RD)"),
    [](const parameters& p, const config::value&, const pattern_context& c) {
        return new distribution(p, c.nodes);
    }};

}  // namespace
}  // namespace sare::traffic::variants::distribution
