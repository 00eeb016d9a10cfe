// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/bits.h"
#include "tlm/router_api/plain_inbox.h"
#include "tlm/router_api/registry.h"
#include "tlm/router_api/router_context.h"

#include <deque>
#include <map>

/// A kind of router that drops and copies: an output-queued switch. A packet waits at its input until it is
/// there as a whole; then all of it goes to the queue of an output VC, which is as long as it must be.
namespace sare::test {

struct leaky_parameters {
    std::uint32_t vcs = 2, depth = 8;
    std::uint32_t drop_every = 0;  ///< packets that come to a router; 0: none is dropped
    std::uint32_t copy_every = 0;  ///< packets that a router's node injects; the copy is for the node after
                                   ///< its destination
};

class leaky_bank final : public router_bank {
  public:
    leaky_bank(router_context& net, const leaky_parameters& p, std::vector<std::uint32_t> routers,
               std::uint32_t ports, const router_terms& terms)
        : router_bank(std::move(routers), ports, terms), m_net(net), m_params(p), m_all(ports * terms.vcs) {
        m_inputs.resize(std::size_t{size()} * m_all);
        m_outputs.resize(m_inputs.size());
        m_ports.resize(std::size_t{size()} * ports);
        m_counts.resize(size());
    }

    std::uint64_t received = 0, sent = 0;  ///< flits
    std::uint64_t queued() const {
        std::uint64_t flits = 0;
        for (const input& i : m_inputs) flits += i.flits.size();
        for (const output& o : m_outputs) flits += o.flits.size();
        return flits;
    }

    std::string variant() const override { return "leaky"; }
    inbox_words inbox() const override { return {0, plain_inbox::words(ports(), credit_sets)}; }
    std::uint32_t reach() const override { return 1; }
    void construct(plane_layout at) override {
        for (std::uint32_t k = 0; k < size(); ++k) m_inboxes.emplace_back(at, k);
    }
    std::pair<wire, wire_extras> flits_into(std::uint32_t k, std::uint32_t port) const override {
        return {m_inboxes[k].flits(port, credit_sets), {}};
    }
    std::pair<wire, wire_extras> credits_into(std::uint32_t k, std::uint32_t port) const override {
        return {m_inboxes[k].credits(port * terms().vcs), {}};
    }
    void wire_output(std::uint32_t k, std::uint32_t port, const wire& w, const wire_extras& x) override {
        m_ports[k * ports() + port].flits = w;
        for (std::uint32_t v = 0; v < terms().vcs; ++v) out_at(k, port * terms().vcs + v).credits = x.depth;
    }
    void wire_input(std::uint32_t k, std::uint32_t port, const wire& w, const wire_extras&,
                    const link_end&) override {
        m_ports[k * ports() + port].credits = w;
    }

    void step(std::uint64_t* awake, cycle_t t) override {
        for (std::uint32_t w = 0; w < words(); ++w) {
            for (std::uint64_t rest = awake[w]; rest != 0; rest &= rest - 1)
                run(w * 64 + static_cast<std::uint32_t>(lowest(rest)), t);
            awake[w] = 0;
        }
    }

    in_vc in(std::uint32_t k, std::uint32_t port, std::uint32_t vc) const override {
        in_vc seen;
        seen.count = static_cast<std::uint16_t>(m_inputs[k * m_all + port * terms().vcs + vc].flits.size());
        return seen;
    }
    out_vc out(std::uint32_t k, std::uint32_t port, std::uint32_t vc) const override {
        const output& o = m_outputs[k * m_all + port * terms().vcs + vc];
        return {o.sent, static_cast<std::uint16_t>(o.credits), out_vc::no_owner};
    }
    std::uint32_t flits_sent(std::uint32_t k) const override {
        std::uint32_t sum = 0;
        for (std::uint32_t o = 0; o < m_all; ++o) sum += m_outputs[k * m_all + o].sent;
        return sum;
    }
    void count_buffers(std::uint32_t k, std::vector<std::uint64_t>& bins) const override {
        for (std::uint32_t i = 0; i < m_all; ++i)
            count_one(static_cast<std::uint32_t>(m_inputs[k * m_all + i].flits.size()), bins);
    }
    flit buffered(std::uint32_t k, std::uint32_t port, std::uint32_t vc, std::uint32_t n) const override {
        return m_inputs[k * m_all + port * terms().vcs + vc].flits[n];
    }
    bool bids_for_vc(std::uint32_t, std::uint32_t, std::uint32_t) const override { return false; }
    std::uint64_t bytes() const override { return m_inputs.size() * (sizeof(input) + sizeof(output)); }

  private:
    static constexpr std::uint32_t credit_sets = 1;  ///< words of the inbox
    struct input {
        std::deque<flit> flits;     ///< of the packet that is coming
        std::uint32_t credits = 0;  ///< to be given back, one a cycle
    };
    struct output {
        std::deque<flit> flits;
        std::uint32_t credits = 0, sent = 0;
    };
    struct port_state {
        wire flits, credits;
        std::uint32_t last = 0;  ///< VC that sent last
    };
    struct counts {
        std::uint32_t came = 0, injected = 0;
    };

    link_ring& ring() { return m_net.domain_of(router(0)).ring(); }
    output& out_at(std::uint32_t k, std::uint32_t o) { return m_outputs[k * m_all + o]; }

    void run(std::uint32_t k, cycle_t t) {
        read_inbox(k, t);
        bool waits = false;
        for (std::uint32_t i = 0; i < m_all; ++i) {
            input& from = m_inputs[k * m_all + i];
            if (from.credits == 0) continue;
            ring().put_credit(m_ports[k * ports() + i / terms().vcs].credits, i % terms().vcs, t);
            waits = --from.credits != 0 || waits;
        }
        for (std::uint32_t p = 0; p < ports(); ++p) waits = send_by(k, p, t) || waits;
        if (waits) m_inboxes[k].wake(ring(), t + 1);
    }

    void read_inbox(std::uint32_t k, cycle_t t) {
        std::uint64_t* inbox = m_inboxes[k].in(ring(), t);
        for (std::uint64_t rest = inbox[1]; rest != 0; rest &= rest - 1)
            ++out_at(k, static_cast<std::uint32_t>(lowest(rest))).credits;
        for (std::uint64_t rest = inbox[0]; rest != 0; rest &= rest - 1) {
            const auto port = static_cast<std::uint32_t>(lowest(rest));
            const flit f = flit::from_word(inbox[plain_inbox::flit_of(port, credit_sets)]);
            ++received;
            m_inputs[k * m_all + port * terms().vcs + f.vc].flits.push_back(f);
            if (f.is_tail()) take_packet(k, port, f.vc);
        }
        inbox[0] = inbox[1] = 0;
    }

    /// All of it is here.
    void take_packet(std::uint32_t k, std::uint32_t port, std::uint32_t vc) {
        input& from = m_inputs[k * m_all + port * terms().vcs + vc];
        const std::uint32_t id = from.flits.front().packet, r = router(k);
        from.credits += static_cast<std::uint32_t>(from.flits.size());
        from.flits.clear();
        if (!m_net.knows_hops()) ++m_net.packets()[id].hops;
        const bool new_here = m_net.map()->peer(router_id(r), port_id(port)).what == port_peer::kind::node;
        if (m_params.drop_every != 0 && ++m_counts[k].came % m_params.drop_every == 0)
            return m_net.drop(router_id(r), packet_id(id), "leaked");
        if (m_params.copy_every != 0 && new_here && ++m_counts[k].injected % m_params.copy_every == 0) {
            route_header way = m_net.packets()[id].route;
            way.destination = (way.destination + 1) % m_net.nodes();
            queue(k, port, vc, m_net.copy(router_id(r), port_id(port), packet_id(id), way).value);
        }
        queue(k, port, vc, id);
    }

    void queue(std::uint32_t k, std::uint32_t port, std::uint32_t vc, std::uint32_t id) {
        packet& p = m_net.packets()[id];
        route_set ways;
        m_net.find_candidates(router(k), port, vc, p.route, ways);
        const std::uint32_t vcs = static_cast<std::uint32_t>(ways.candidates[0].vcs) << p.route.vc_base;
        const auto out_vc = static_cast<std::uint32_t>(lowest(vcs));
        output& to = out_at(k, ways.candidates[0].port * terms().vcs + out_vc);
        for (std::uint32_t n = 0; n < p.flits; ++n) {
            const std::uint32_t kind = (n == 0 ? flit::head : 0) | (n + 1 == p.flits ? flit::tail : 0);
            to.flits.push_back(flit::from_word(
                flit::make_word(id, n == 0 ? m_net.head_number(packet_id(id)) : n, out_vc, kind)));
        }
    }

    /// The next VC in turn with a flit and a credit; true if flits are left.
    bool send_by(std::uint32_t k, std::uint32_t p, cycle_t t) {
        port_state& port = m_ports[k * ports() + p];
        bool waits = false, done = false;
        for (std::uint32_t n = 1; n <= terms().vcs; ++n) {
            const std::uint32_t v = (port.last + n) % terms().vcs;
            output& o = out_at(k, p * terms().vcs + v);
            if (!done && !o.flits.empty() && o.credits != 0) {
                ring().put_flit(port.flits, o.flits.front(), t);
                o.flits.pop_front();
                --o.credits;
                ++o.sent;
                ++sent;
                port.last = v;
                done = true;
                n = 0;  // all of them once more, for what is left
            }
            waits = waits || !o.flits.empty();
        }
        return waits;
    }

    router_context& m_net;
    leaky_parameters m_params;
    std::uint32_t m_all;                 ///< VCs of a router
    std::vector<plain_inbox> m_inboxes;  ///< by router
    std::vector<input> m_inputs;         ///< router by router, port by port
    std::vector<output> m_outputs;       ///< likewise
    std::vector<port_state> m_ports;
    std::vector<counts> m_counts;
};

class leaky_model final : public router_model {
  public:
    explicit leaky_model(const leaky_parameters& p) : m_params(p) {}
    std::string kind() const override { return "leaky"; }
    router_terms terms() const override {
        router_terms t;
        t.vcs = m_params.vcs;
        t.depth = m_params.depth;
        t.sharing = buffer_sharing::per_vc;
        t.whole_packets = true;
        return t;
    }
    bool equals(const router_model& other) const override { return &other == this; }
    std::vector<std::unique_ptr<router_bank>> make_banks(
        router_context& net, const std::vector<router_instance>& all) const override {
        std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::uint32_t>> alike;
        for (const router_instance& p : all) alike[{p.ports, p.domain}].push_back(p.router);
        std::vector<std::unique_ptr<router_bank>> banks;
        for (auto& [key, routers] : alike)
            banks.push_back(
                std::make_unique<leaky_bank>(net, m_params, std::move(routers), key.first, terms()));
        return banks;
    }
    static config::schema<leaky_parameters> fields() {
        config::schema<leaky_parameters> f;
        f.number("vcs", &leaky_parameters::vcs, 1, 8, "", "virtual channels of a port")
            .number("depth", &leaky_parameters::depth, 1, 4096, "flits", "places in an input VC")
            .number("drop_every", &leaky_parameters::drop_every, 0, 1e9, "packets", "the one that is dropped")
            .number("copy_every", &leaky_parameters::copy_every, 0, 1e9, "packets", "the one that is copied");
        return f;
    }

  private:
    leaky_parameters m_params;
};

inline const config::registration<router_model> leaky{
    "leaky", "A switch that drops and copies packets.", leaky_model::fields(),
    [](const leaky_parameters& p, const config::value&) { return new leaky_model(p); }};

}  // namespace sare::test
