// SPDX-License-Identifier: Apache-2.0
#include "traffic/spatial/pattern.h"

namespace sare::traffic::variants::uniform {
namespace {

struct parameters {
    bool self = false;
};

class uniform_others : public pattern {
  public:
    explicit uniform_others(std::uint32_t nodes) : m_nodes(nodes) {}
    std::uint32_t destination(std::uint32_t source, rng& random) override {
        return other_node(source, m_nodes, random);
    }
    bool uniform() const override { return true; }
    bool shares(std::uint32_t source, std::vector<double>& to) const override {
        add_others(source, 1, to);
        return true;
    }

  private:
    std::uint32_t m_nodes;
};

class uniform_all : public pattern {
  public:
    explicit uniform_all(std::uint32_t nodes) : m_nodes(nodes) {}
    std::uint32_t destination(std::uint32_t, rng& random) override { return random.below(m_nodes); }
    bool shares(std::uint32_t, std::vector<double>& to) const override {
        for (double& p : to) p += 1.0 / m_nodes;
        return true;
    }

  private:
    std::uint32_t m_nodes;
};

const config::registration<pattern, const pattern_context&> registered{
    "uniform", "Every node is as likely as any other.",
    config::schema<parameters>().flag("self", &parameters::self,
                                      "the source itself is a destination as well"),
    [](const parameters& p, const config::value&, const pattern_context& c) -> pattern* {
        if (p.self) return new uniform_all(c.nodes);
        return new uniform_others(c.nodes);
    }};

}  // namespace
}  // namespace sare::traffic::variants::uniform
