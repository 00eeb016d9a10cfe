// SPDX-License-Identifier: Apache-2.0
#include "tlm/router_api/base/buffered_bank.h"
#include "tlm/router_api/registry.h"
#include "tlm/state/archive.h"

#include <algorithm>

namespace {
using namespace sare;

struct plain_parameters {
    std::uint32_t vcs = 2, depth = 4;

    router_terms terms() const {
        router_terms t;
        t.vcs = vcs;
        t.depth = depth;
        t.sharing = buffer_sharing::per_vc;
        t.conserves_packets = true;
        t.thread_safe = true;
        return t;
    }
    static config::schema<plain_parameters> fields() {
        config::schema<plain_parameters> s;
        s.number("vcs", &plain_parameters::vcs, 1, 16, "", "virtual channels of a port")
            .number("depth", &plain_parameters::depth, 1, 4096, "flits", "places in an input VC");
        return s;
    }
};

class plain_bank final : public buffered_bank {
  public:
    using parameters = plain_parameters;
    plain_bank(router_context& net, std::vector<std::uint32_t> routers, std::uint32_t ports,
               const router_terms& terms, const parameters&)
        : buffered_bank(net, std::move(routers), ports, terms), m_last(std::size_t{size()} * ports) {}

    std::string variant() const override { return "plain"; }
    void clear(std::uint32_t k, cycle_t t) override {
        buffered_bank::clear(k, t);
        std::fill_n(&m_last[std::size_t{k} * ports()], ports(), 0);
    }
    void serialize(archive& a) override {
        buffered_bank::serialize(a);
        a.in_place(m_last);
    }

  private:
    void run(std::uint32_t k, cycle_t t) override {
        for (std::uint32_t i = 0; i < all(); ++i) {
            const buffer& from = input(k, i);
            if (from.flits.empty()) continue;
            if (from.ways.size == 0) find_ways(k, i);
            if (!from.has_output()) take_output(k, i);
        }
        std::uint64_t served = 0;  // input ports: a flit each
        for (std::uint32_t port = 0; port < ports(); ++port)
            if (is_free(k, port, t)) send_by(k, port, served, t);
    }
    /// Takes the first output VC that is free, in the order of the routes.
    void take_output(std::uint32_t k, std::uint32_t i) {
        const buffer& from = input(k, i);
        for (std::uint32_t way = 0; way < from.ways.size; ++way)
            for (std::uint32_t v = 0; v < vcs(); ++v) {
                const std::uint32_t o = from.ways.candidates[way].port * vcs() + v;
                if ((vcs_of(from, way) >> v & 1) != 0 && output(k, o).owner == out_vc::no_owner)
                    return give_output(k, i, o);
            }
    }
    /// Sends from the next input VC in turn that has a flit for the port.
    void send_by(std::uint32_t k, std::uint32_t port, std::uint64_t& served, cycle_t t) {
        std::uint32_t& last = m_last[std::size_t{k} * ports() + port];
        for (std::uint32_t n = 1; n <= all(); ++n) {
            const std::uint32_t i = (last + n) % all(), from = i / vcs();
            if (!can_send(k, i) || input(k, i).out / vcs() != port || (served >> from & 1) != 0) continue;
            last = i;
            served |= std::uint64_t{1} << from;
            return send(k, i, t);
        }
    }

    std::vector<std::uint32_t> m_last;  ///< input VC that was served last, by router and output port
};

const config::registration<router_model> registered{"plain", "A router in a cycle, with credits.",
                                                    plain_parameters::fields(),
                                                    [](const plain_parameters& p, const config::value&) {
                                                        return new buffered_model<plain_bank>("plain", p);
                                                    }};

}  // namespace
