// SPDX-License-Identifier: Apache-2.0
#include "tlm/base/bits.h"
#include "tlm/router_api/plain_inbox.h"
#include "tlm/router_api/registry.h"
#include "tlm/router_api/router_context.h"

#include <array>
#include <deque>
#include <map>

namespace {
using namespace sare;

struct plain_parameters {
    std::uint32_t vcs = 2, depth = 4;
};

/// An input VC.
struct plain_queue {
    std::deque<flit> flits;
    route_set ways;                        ///< of the packet at the front; none before it has been routed
    std::uint16_t out = out_vc::no_owner;  ///< the output VC that it has
};

class plain_bank final : public router_bank {
  public:
    plain_bank(router_context& net, std::vector<std::uint32_t> routers, std::uint32_t ports,
               const router_terms& terms)
        : router_bank(std::move(routers), ports, terms), m_net(net), m_vcs(terms.vcs), m_all(ports * m_vcs) {
        m_queues.resize(std::size_t{size()} * m_all);
        m_outputs.resize(m_queues.size());
        m_ports.resize(std::size_t{size()} * ports);
    }

    std::string variant() const override { return "plain"; }

    // The inbox: a bit for each port with a flit, a bit for each output VC with a credit, then the flits.
    inbox_words inbox() const override { return {0, plain_inbox::words(ports(), credit_sets)}; }
    std::uint32_t reach() const override { return 1; }
    void construct(plane_layout at) override {
        for (std::uint32_t k = 0; k < size(); ++k) m_inboxes.emplace_back(at, k);
    }
    std::pair<wire, wire_extras> flits_into(std::uint32_t k, std::uint32_t port) const override {
        return {m_inboxes[k].flits(port, credit_sets), {}};
    }
    std::pair<wire, wire_extras> credits_into(std::uint32_t k, std::uint32_t port) const override {
        return {m_inboxes[k].credits(port * m_vcs), {}};
    }
    void wire_output(std::uint32_t k, std::uint32_t port, const wire& w, const wire_extras& x) override {
        at(k, port).flits = w;
        at(k, port).cycles_per_flit = x.cycles_per_flit;
        for (std::uint32_t v = 0; v < m_vcs; ++v) m_outputs[place(k, port, v)].credits = x.depth;
    }
    void wire_input(std::uint32_t k, std::uint32_t port, const wire& w, const wire_extras& x,
                    const link_end&) override {
        at(k, port).credits = w;
        at(k, port).credit_extras = x;
    }

    void step(std::uint64_t* awake, cycle_t t) override {
        for (std::uint32_t k = 0; k < size(); ++k)
            if (awake[k / 64] >> (k % 64) & 1) run(k, t);
        std::fill(awake, awake + words(), 0);
    }

    in_vc in(std::uint32_t k, std::uint32_t port, std::uint32_t vc) const override {
        const plain_queue& q = m_queues[place(k, port, vc)];
        in_vc seen;
        seen.count = static_cast<std::uint16_t>(q.flits.size());
        if (q.flits.empty() || q.ways.size == 0) return seen;
        seen.packet = q.flits.front().packet;
        seen.out_port = q.ways.candidates[0].port;
        seen.vcs = absolute(q, 0);
        if (q.out == out_vc::no_owner) return seen;
        seen.out = q.out;
        seen.out_port = static_cast<std::uint8_t>(q.out / m_vcs);
        seen.out_vc = static_cast<std::uint8_t>(q.out % m_vcs);
        return seen;
    }
    out_vc out(std::uint32_t k, std::uint32_t port, std::uint32_t vc) const override {
        return m_outputs[place(k, port, vc)];
    }
    std::uint32_t flits_sent(std::uint32_t k) const override {
        std::uint32_t sum = 0;
        for (std::uint32_t o = 0; o < m_all; ++o) sum += m_outputs[place(k, 0, o)].flits;
        return sum;
    }
    void count_buffers(std::uint32_t k, std::vector<std::uint64_t>& bins) const override {
        for (std::uint32_t i = 0; i < m_all; ++i)
            count_one(static_cast<std::uint32_t>(m_queues[place(k, 0, i)].flits.size()), bins);
    }
    flit buffered(std::uint32_t k, std::uint32_t port, std::uint32_t vc, std::uint32_t n) const override {
        return m_queues[place(k, port, vc)].flits[n];
    }
    bool bids_for_vc(std::uint32_t k, std::uint32_t port, std::uint32_t vc) const override {
        const plain_queue& q = m_queues[place(k, port, vc)];
        return !q.flits.empty() && q.out == out_vc::no_owner;
    }
    std::uint64_t bytes() const override { return m_queues.size() * (sizeof(plain_queue) + sizeof(out_vc)); }

  private:
    static constexpr std::uint32_t credit_sets = 1;  ///< words for credits: at most 64 output VCs
    struct port_state {
        wire flits, credits;
        wire_extras credit_extras;
        std::uint32_t cycles_per_flit = 1;
        cycle_t free_at = 0;     ///< the link
        std::uint32_t last = 0;  ///< input VC that was served last
    };
    std::size_t place(std::uint32_t k, std::uint32_t port, std::uint32_t vc) const {
        return std::size_t{k} * m_all + port * m_vcs + vc;
    }
    port_state& at(std::uint32_t k, std::uint32_t port) { return m_ports[std::size_t{k} * ports() + port]; }
    link_ring& ring() { return m_net.domain_of(router(0)).ring(); }  // of routers of its clock
    /// VCs of a way as they are counted at the port: a packet's are those of its message class.
    std::uint16_t absolute(const plain_queue& q, std::uint32_t way) const {
        const std::uint32_t base = m_net.packets()[q.flits.front().packet].route.vc_base;
        return static_cast<std::uint16_t>(q.ways.candidates[way].vcs << base);
    }

    void run(std::uint32_t k, cycle_t t) {
        read_inbox(k, t);
        bool waits = false;
        for (std::uint32_t i = 0; i < m_all; ++i) {
            plain_queue& q = m_queues[place(k, 0, i)];
            if (q.flits.empty()) continue;
            waits = true;
            if (q.ways.size == 0) find_candidates(k, i, q);
            if (q.out == out_vc::no_owner) give_output(k, i, q);
        }
        std::uint64_t served = 0;  // input ports: a flit each
        for (std::uint32_t port = 0; port < ports(); ++port) send_by(k, port, served, t);
        if (waits) m_inboxes[k].wake(ring(), t + 1);
    }
    void read_inbox(std::uint32_t k, cycle_t t) {
        std::uint64_t* inbox = m_inboxes[k].in(ring(), t);
        for (std::uint64_t rest = inbox[0]; rest != 0; rest &= rest - 1) {
            const auto port = static_cast<std::uint32_t>(lowest(rest));
            const flit f = flit::from_word(inbox[plain_inbox::flit_of(port, credit_sets)]);
            m_queues[place(k, port, f.vc)].flits.push_back(f);
        }
        for (std::uint64_t rest = inbox[1]; rest != 0; rest &= rest - 1)
            ++m_outputs[place(k, 0, static_cast<std::uint32_t>(lowest(rest)))].credits;
        inbox[0] = inbox[1] = 0;
    }
    void find_candidates(std::uint32_t k, std::uint32_t i, plain_queue& q) {
        packet& p = m_net.packets()[q.flits.front().packet];
        ++p.hops;
        m_net.find_candidates(router(k), i / m_vcs, i % m_vcs, p.route, q.ways);
    }
    /// The first output VC that is free, in the order of the ways.
    void give_output(std::uint32_t k, std::uint32_t i, plain_queue& q) {
        for (std::uint32_t way = 0; way < q.ways.size; ++way)
            for (std::uint32_t v = 0; v < m_vcs; ++v) {
                const std::uint32_t port = q.ways.candidates[way].port;
                out_vc& o = m_outputs[place(k, port, v)];
                if ((absolute(q, way) >> v & 1) == 0 || o.owner != out_vc::no_owner) continue;
                o.owner = static_cast<std::uint16_t>(i);
                q.out = static_cast<std::uint16_t>(port * m_vcs + v);
                return;
            }
    }
    void send_by(std::uint32_t k, std::uint32_t port, std::uint64_t& served, cycle_t t) {
        port_state& link = at(k, port);
        if (t < link.free_at) return;
        for (std::uint32_t n = 1; n <= m_all; ++n) {
            const std::uint32_t i = (link.last + n) % m_all;
            const plain_queue& q = m_queues[place(k, 0, i)];
            if (q.flits.empty() || q.out == out_vc::no_owner || q.out / m_vcs != port) continue;
            if (m_outputs[place(k, 0, q.out)].credits == 0 || (served >> (i / m_vcs) & 1) != 0) continue;
            link.last = i;
            link.free_at = t + link.cycles_per_flit;
            served |= std::uint64_t{1} << (i / m_vcs);
            return send(k, i, t);
        }
    }
    void send(std::uint32_t k, std::uint32_t i, cycle_t t) {
        plain_queue& q = m_queues[place(k, 0, i)];
        out_vc& o = m_outputs[place(k, 0, q.out)];
        flit f = q.flits.front();
        q.flits.pop_front();
        f.vc = static_cast<std::uint8_t>(q.out % m_vcs);
        --o.credits;
        ++o.flits;
        ring().put_flit(at(k, q.out / m_vcs).flits, f, t);
        const port_state& from = at(k, i / m_vcs);
        ring().put_credit(from.credits, from.credit_extras, i % m_vcs, t);
        if (!f.is_tail()) return;
        o.owner = q.out = out_vc::no_owner;
        q.ways.size = 0;
    }

    router_context& m_net;
    std::uint32_t m_vcs, m_all;          ///< VCs of a port, of a router
    std::vector<plain_inbox> m_inboxes;  // by router
    std::vector<plain_queue> m_queues;   ///< router by router, port by port
    std::vector<out_vc> m_outputs;       ///< likewise
    std::vector<port_state> m_ports;
};

class plain_model final : public router_model {
  public:
    explicit plain_model(const plain_parameters& p) : m_parameters(p) {}
    std::string kind() const override { return "plain"; }
    router_terms terms() const override {
        router_terms t;
        t.vcs = m_parameters.vcs;
        t.depth = m_parameters.depth;
        return t;
    }
    bool equals(const router_model& other) const override {
        const auto* plain = dynamic_cast<const plain_model*>(&other);
        return plain != nullptr && plain->m_parameters.vcs == m_parameters.vcs &&
               plain->m_parameters.depth == m_parameters.depth;
    }
    std::vector<std::unique_ptr<router_bank>> make_banks(
        router_context& net, const std::vector<router_instance>& all) const override {
        if (net.batched()) throw config::error("routers of kind plain do not take credits in batches");
        std::map<std::array<std::uint32_t, 3>, std::vector<router_instance>>
            alike;  // by ports, depth and clock
        for (const router_instance& p : all) alike[{p.ports, p.model->terms().depth, p.clock}].push_back(p);
        std::vector<std::unique_ptr<router_bank>> banks;
        for (const auto& [key, places] : alike) {
            const router_terms terms = places.front().model->terms();
            if (key[0] * terms.vcs > 64)
                throw config::error("a router of kind plain has at most 64 VCs, not " +
                                    std::to_string(key[0] * terms.vcs));
            std::vector<std::uint32_t> routers;
            for (const router_instance& p : places) routers.push_back(p.router);
            banks.push_back(std::make_unique<plain_bank>(net, std::move(routers), key[0], terms));
        }
        return banks;
    }

  private:
    plain_parameters m_parameters;
};

const config::registration<router_model> registered{
    "plain", "A router in a cycle, with credits.",
    config::schema<plain_parameters>()
        .number("vcs", &plain_parameters::vcs, 1, 16, "", "virtual channels of a port")
        .number("depth", &plain_parameters::depth, 1, 4096, "flits", "places in an input VC"),
    [](const plain_parameters& p, const config::value&) { return new plain_model(p); }};

}  // namespace
