// SPDX-License-Identifier: Apache-2.0
#include "tests/cosim/fake_router.h"

/// A router that goes where it is told, as a library: credits, up to 8 ports, one VC. With LOOKAHEAD 1 it
/// looks ahead by dimension order in a mesh; with 2 it takes x for y in doing so.
namespace sare::cosim::test {
namespace {

class told_router final : public fake_router {
  public:
    static router_facts facts() {
        router_info most;
        most.ports = 8;
        most.vcs = 1;
        most.depth = 64;
        router_facts f = fake_router::facts(most, flow_control::credit);
        f.name = "told_router";
        return f;
    }
    explicit told_router(const router_info& info) : fake_router(info, flow_control::credit), m_info(info) {}

    bool read(std::uint32_t port, pin_flit& f) override {
        if (!fake_router::read(port, f)) return false;
        if (LOOKAHEAD != 0 && f.head && port < 4) {
            f.port = port_at_next(port, f.destination);
            f.vcs = 1;
        }
        return true;
    }

  private:
    std::uint32_t port_at_next(std::uint32_t port, std::uint32_t destination) const {
        std::uint32_t at[] = {m_info.here[0], m_info.here[1]};
        at[port / 2] += port % 2 == 0 ? 1u : ~0u;
        std::uint32_t to[] = {destination % m_info.sizes[0], destination / m_info.sizes[0]};
        if (LOOKAHEAD == 2) std::swap(to[0], to[1]);
        for (std::uint32_t d = 0; d < 2; ++d)
            if (to[d] != at[d]) return 2 * d + (to[d] < at[d] ? 1 : 0);
        return 4;
    }

    router_info m_info;
};

}  // namespace
}  // namespace sare::cosim::test

SARE_PIN_ADAPTER(sare::cosim::test::told_router)
