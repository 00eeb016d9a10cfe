// SPDX-License-Identifier: Apache-2.0
#include "tlm/fabric/fabric.h"

/// Connections become wires: where in a plane what is sent goes, and how deep the buffers at the ends are.
namespace sare {

std::uint32_t fabric::endpoint_of(const end& e) const {
    switch (e.what) {
        case end::kind::router:
            return e.id;
        case end::kind::nic:
            return m_first_nic + e.id;
        case end::kind::foreign:
            return m_first_foreign + e.id;
    }
    return 0;
}

/// The wire that ends at `reader`: flits into its port, or credits for what it sent by its port.
std::pair<wire, wire_extras> fabric::wire_to(const end& reader, bool credits) const {
    const std::uint32_t endpoint = endpoint_of(reader);
    const router_shape* s = reader.what == end::kind::router ? &shape(reader.id) : nullptr;
    const std::uint32_t sets = s != nullptr ? s->inbox_sets : reader.what == end::kind::nic ? 1 : 2;
    const std::uint32_t port = s == nullptr ? 0 : reader.port;
    const std::uint32_t first = s == nullptr ? 0 : port * s->stride;
    wire w;
    wire_extras x;
    w.inbox = m_inbox_of[endpoint] + (credits && sets > 1 ? 1 : 0);
    w.wake_word = 1 + (endpoint >> 6);
    w.wake_bit = std::uint64_t{1} << (endpoint & 63);
    if (credits) {
        w.place = static_cast<std::uint16_t>(first);
        w.port_bit = std::uint64_t{1} << (w.place & 63);
        if (m_batched) x.counts = m_flits_of[endpoint] + (s == nullptr ? 1 : s->ports) - w.inbox;
    } else {
        w.place = m_all_plain ? 63 : 0;
        w.port_bit = std::uint64_t{1} << ((sets == 1 ? 32 : 0) + (m_all_plain ? first : port));
        w.flit_at = m_flits_of[endpoint] + port;
    }
    return {w, x};
}

/// What is at the receiving end, or what a foreign block there stands for.
fabric::end fabric::receiving_end(const connection& c) {
    return c.in_place_of ? *c.in_place_of : c.to;
}

const router_shape* fabric::receiver_of(const connection& c) const {
    const end to = receiving_end(c);
    return to.what == end::kind::router ? &shape(to.id) : nullptr;
}

/// Places for flits in the buffer of one VC at the receiving end.
std::uint32_t fabric::depth_at(const connection& c) const {
    if (const router_shape* receiver = receiver_of(c)) return receiver->params.depth;
    if (c.from.what != end::kind::router) return 1;
    const router_params& sender = shape(c.from.id).params;
    const end to = receiving_end(c);
    if (to.what != end::kind::nic) return sender.depth;
    return ejection_places(sender, m_nic_params[to.id], static_cast<std::uint32_t>(m_max_packet));
}

void fabric::check_packet_fits(const router_shape& s) const {
    if (!s.room_for_packet || m_max_packet <= s.params.depth) return;
    throw config::error("router.depth is " + std::to_string(s.params.depth) + ", but with " +
                        (s.whole_packets ? "store_and_forward" : "cut_through") +
                        " switching a buffer must hold a whole packet: nic.max_packet_flits is " +
                        std::to_string(m_max_packet));
}

void fabric::build_wires() {
    for (const auto& e : m_shapes) check_packet_fits(e->shape);
    m_nic_router.assign(nodes(), 0);
    for (const auto& c : m_connections) {
        const router_shape* sender = c.from.what == end::kind::router ? &shape(c.from.id) : nullptr;
        const router_shape* receiver = receiver_of(c);
        auto [flits, flits_x] = wire_to(c.to, false);
        auto [credits, credits_x] = wire_to(c.from, true);
        const wire_delays delays = delays_of(c);
        const std::uint32_t depth = depth_at(c);
        flits.delay = static_cast<std::uint16_t>(delays.forward);
        flits_x.cycles_per_flit = static_cast<std::uint16_t>(c.link.cycles_per_flit);
        flits_x.depth = static_cast<std::uint16_t>(depth);
        credits.delay = static_cast<std::uint16_t>(delays.backward);
        credits_x.batch =
            static_cast<std::uint16_t>(c.to.what == end::kind::router ? receiver->params.credit_batch : 1);

        const std::uint64_t to =
            m_wires_of[endpoint_of(c.to)] + (c.to.what == end::kind::router ? c.to.port : 0);
        const std::uint64_t from = m_wires_of[endpoint_of(c.from)] + (sender != nullptr ? c.from.port : 0);
        m_wires[to].credits = credits;
        m_extras[to].credits = credits_x;
        m_wires[from].flits = flits;
        m_extras[from].flits = flits_x;
        if (c.to.what == end::kind::nic) {
            m_nics[c.to.id].credits = credits;
            m_nics[c.to.id].credits_extras = credits_x;
        }
        if (receiver != nullptr && receiver->plain)
            visit_block(c.to.id, [&, &w = credits](auto& b) {
                if constexpr (std::decay_t<decltype(b)>::plain) b.wire_credits(c.to.port, w);
            });
        if (sender != nullptr && sender->plain)
            visit_block(c.from.id, [&, &w = flits](auto& b) {
                if constexpr (std::decay_t<decltype(b)>::plain) b.wire_flits(c.from.port, w);
            });
        if (c.from.what == end::kind::nic && receiver != nullptr) m_nic_router[c.from.id] = c.to.id;
        if (sender != nullptr) {
            open_port(c.from.id, c.from.port, depth);
        } else if (c.from.what == end::kind::nic) {
            nic_state& n = m_nics[c.from.id];
            n.flits = flits;
            n.flits_extras = flits_x;
            n.depth = static_cast<std::uint16_t>(depth);
            if (receiver != nullptr && receiver->atomic)
                n.head_needs = n.depth;
            else if (receiver != nullptr && receiver->room_for_packet)
                n.head_needs = 0;
            for (std::uint32_t v = 0; v < m_vcs; ++v)
                m_nic_credits[c.from.id * m_vcs + v] = static_cast<std::uint16_t>(depth);
        }
    }
}

/// The port is wired: all its VCs are free, and have `depth` credits each.
void fabric::open_port(std::uint32_t router, std::uint32_t port, std::uint32_t depth) {
    const std::uint32_t first = port * shape(router).stride;
    visit_block(router, [&](auto& b) {
        using B = std::decay_t<decltype(b)>;
        const std::uint32_t all = (1u << m_vcs) - 1;
        if constexpr (B::plain) {
            b.free |= static_cast<typename B::set>(all) << first;
            b.wired = b.stocked = b.free;
            for (std::uint32_t v = 0; v < m_vcs; ++v) b.credits(first + v) = static_cast<std::uint8_t>(depth);
        } else {
            b.free[port] = static_cast<std::uint16_t>(all);
            for (std::uint32_t v = 0; v < m_vcs; ++v)
                b.out[first + v].credits = static_cast<std::uint16_t>(depth);
        }
    });
}

/// Of routers in lists: which accounts take the credits of whose output VCs.
void fabric::open_accounts() {
    for (const auto& c : m_connections) {
        if (c.to.what != end::kind::router) continue;
        const bool in_time = delays_of(c).backward + plain_foresight <= credit_account::longest;
        const bool open = c.from.what == end::kind::router && in_time;
        visit_block(c.to.id, [&](auto& receiver) {
            using B = std::decay_t<decltype(receiver)>;
            if constexpr (B::in_list) {
                auto* const vcs = &receiver.input_vcs[c.to.port * shape(c.to.id).stride];
                if (open)
                    block<B>(c.from.id).beyond[c.from.port] = vcs;
                else
                    for (std::uint32_t v = 0; v < m_vcs; ++v) vcs[v].account.close_for_ever();
            }
        });
    }
}

}  // namespace sare
