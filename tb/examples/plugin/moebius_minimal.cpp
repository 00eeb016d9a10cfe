// SPDX-License-Identifier: Apache-2.0
#include "moebius.h"
#include "tlm/routing/routing_support.h"

#include <algorithm>

namespace {
using namespace sare;

/// Goes across first, if that is nearer, then round the ring: on the lower half of the VCs, and from the link
/// between the last router and router 0 on the upper half.
class moebius_minimal final : public routing_function {
  public:
    moebius_minimal(const config::value& section, const routing_context& context) {
        const auto* shape = dynamic_cast<const moebius_shape*>(context.network->shape());
        if (shape == nullptr)
            throw config::error(
                place(section, "function"),
                "'function' is moebius_minimal, which needs a moebius, not a " + context.network->name());
        check_vcs(section, context, "moebius_minimal",
                  {2, "one before the last link of the ring, one after"});
        m_vcs = vc_classes(0, context.vcs);
        m_n = shape->n;
    }

    std::string name() const override { return "moebius_minimal"; }

    void begin(route_header& h, rng&) const override { h.state = way(h); }
    void every_header(const route_header& plain, std::vector<route_header>& out) const override {
        out.push_back(plain);
        out.back().state = way(plain);
    }

    void route(std::uint32_t r, std::uint32_t in, std::uint32_t, route_header& h,
               route_set& out) const override {
        const std::uint32_t t = h.destination;
        if (r == t) return out.add(3, m_vcs.all);
        if ((h.state & across) != 0 && in == 3) return out.add(2, m_vcs.all);
        const bool back = (h.state & backward) != 0;
        const bool late = (h.state & crosses) != 0 && (back ? r == 0 || r > t : r == m_n - 1 || r < t);
        out.add(back ? 1 : 0, late ? m_vcs.high : m_vcs.low);
    }

  private:
    static constexpr std::uint16_t across = 1, backward = 2, crosses = 4;

    std::uint16_t way(const route_header& h) const {
        std::uint32_t s = h.source, ahead = (h.destination + m_n - s) % m_n;
        std::uint16_t all = 0;
        if (std::min(ahead, m_n - ahead) > m_n / 4) {
            all |= across;
            s = (s + m_n / 2) % m_n;
            ahead = (ahead + m_n / 2) % m_n;
        }
        if (2 * ahead > m_n) all |= backward;
        if ((all & backward) != 0 ? h.destination > s : h.destination < s) all |= crosses;
        return all;
    }

    std::uint32_t m_n = 0;
    vc_classes m_vcs;
};

const config::registration<routing_function, const routing_context&> registered{
    "moebius_minimal", "Across, then round a moebius.", config::made<moebius_minimal>};

}  // namespace
