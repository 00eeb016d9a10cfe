// SPDX-License-Identifier: Apache-2.0
#include "tlm/fabric/fabric.h"

#include <sys/mman.h>

#include <algorithm>
#include <new>
#include <tuple>

/// Laying out the slabs, once all routers, NICs and links are known.
namespace sare {
namespace {

auto as_tuple(const router_params& p) {
    return std::tie(p.vcs, p.depth, p.switching, p.rc_delay, p.va_delay, p.sa_delay, p.st_delay, p.lookahead,
                    p.speculative, p.va_allocator, p.sa_allocator, p.va_arbiter, p.sa_arbiter, p.iterations,
                    p.input_speedup, p.output_speedup, p.reallocation, p.credit_delay, p.credit_batch, p.selection);
}

std::uint32_t power_of_two_above(std::uint32_t n) {
    std::uint32_t p = 1;
    while (p <= n) p *= 2;
    return p;
}

std::uint32_t words_for(std::uint32_t members) { return members <= 64 ? 1 : members <= 256 ? 4 : 16; }

/// Hands out aligned places behind the header of a router.
class layout_cursor {
  public:
    explicit layout_cursor(std::uint32_t start) : m_at(start) {}
    std::uint32_t take(std::size_t bytes, std::uint32_t alignment) {
        m_at = (m_at + alignment - 1) / alignment * alignment;
        const std::uint32_t place = m_at;
        m_at += static_cast<std::uint32_t>(bytes);
        return place;
    }

  private:
    std::uint32_t m_at;
};

template <int W>
void lay_out(router_shape& s) {
    const std::uint32_t n = s.in_vcs, x = s.crossbar_inputs, y = s.crossbar_outputs;
    const std::uint32_t banks = s.params.speculative ? 2 : 1;
    layout_cursor at(sizeof(router_state<W>));
    s.at_pipe = at.take(sizeof(pipe_slot<W>) * (s.pipe_mask + 1), 8);
    s.at_in = at.take(sizeof(in_vc) * n, 8);
    s.at_out = at.take(sizeof(out_vc) * n, 8);
    s.at_free = at.take(2 * s.ports, 2);
    s.at_va_row = at.take(2 * n, 2);
    s.at_va_column = at.take(2 * n, 2);
    s.at_sa_vc = at.take(2 * x * banks, 2);
    s.at_sa_column = at.take(2 * y * banks, 2);
    s.at_sa_row = at.take(2 * x * banks, 2);
    s.at_next_slot = at.take(s.queued_links ? 8 * s.ports : 0, 8);
    s.at_ways = at.take(sizeof(route_candidate) * n * s.ways, 4);
    std::uint32_t stamps = 0;
    auto matrix = [&](std::uint32_t which, std::uint32_t arbiters, std::uint32_t size) {
        s.stamps_of[which] = stamps + 1;
        stamps += arbiters * size + arbiters;
    };
    if (s.params.va_arbiter == arbiter_kind::matrix) {
        matrix(0, n, s.vcs);
        matrix(1, n, n);
    }
    if (s.params.sa_arbiter == arbiter_kind::matrix)
        for (std::uint32_t bank = 0; bank < banks; ++bank) {
            matrix(2 + bank, x, s.vcs);
            matrix(4 + bank, y, x);
            matrix(6 + bank, x, y);
        }
    s.at_stamps = at.take(4 * stamps, 4);
    s.bytes = at.take(0, 64);
}

void* map_pages(std::size_t bytes, bool huge) {
    void* p = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED) throw std::bad_alloc();
    if (huge) madvise(p, bytes, MADV_HUGEPAGE);
    return p;
}

}  // namespace

fabric::fabric(std::uint32_t vcs, std::uint32_t classes, std::uint64_t seed)
    : m_vcs(vcs), m_classes(classes), m_seed(seed) {
    if (classes == 0 || vcs % classes != 0)
        throw config::error("router.vcs is " + std::to_string(vcs) + "; it must be a multiple of the " +
                            std::to_string(classes) + " message classes of the workload");
}

fabric::~fabric() {
    for (int k = 0; k < 3; ++k)
        if (m_mapped[k] != nullptr) munmap(m_mapped[k], m_mapped_bytes[k]);
}

std::uint32_t fabric::add_router(const router_params& params, std::uint32_t ports) {
    if (params.vcs != m_vcs) throw config::error("all routers of a network must have the same number of vcs");
    if (ports == 0 || ports > 64)
        throw config::error("a router has " + std::to_string(ports) + " ports; it must be from 1 to 64");
    const auto same = [&](const auto& e) {
        return e->shape.ports == ports && as_tuple(e->shape.params) == as_tuple(params);
    };
    auto found = std::find_if(m_shapes.begin(), m_shapes.end(), same);
    if (found == m_shapes.end()) {
        m_shapes.push_back(std::make_unique<shape_entry>());
        m_shapes.back()->shape.params = params;
        m_shapes.back()->shape.ports = ports;
        found = m_shapes.end() - 1;
    }
    m_router_shape.push_back(static_cast<std::uint32_t>(found - m_shapes.begin()));
    return static_cast<std::uint32_t>(m_router_shape.size() - 1);
}

std::uint32_t fabric::add_nic(const nic_params& params) {
    m_nic_params.push_back(params);
    m_nics.emplace_back();
    return static_cast<std::uint32_t>(m_nics.size() - 1);
}

std::uint32_t fabric::add_foreign(foreign_endpoint& block) {
    m_foreign.push_back(&block);
    return static_cast<std::uint32_t>(m_foreign.size() - 1);
}

void fabric::connect(const end& from, const end& to, const link_attributes& link) {
    m_connections.push_back({from, to, link});
}

void fabric::set_routing(const topology& map, const routing_function& routing) {
    m_map = &map;
    m_routing = &routing;
}

void fabric::finish() {
    build_shapes();
    build_slabs();
    build_wires();
    build_route_table();
    m_connections.clear();
    m_connections.shrink_to_fit();
}

void fabric::build_shapes() {
    bool batched = false, slow = false;
    for (const auto& e : m_shapes) batched = batched || e->shape.params.credit_batch > 1;
    for (const auto& c : m_connections) slow = slow || c.link.cycles_per_flit > 1;
    for (const auto& p : m_nic_params) m_max_packet = std::max<std::uint64_t>(m_max_packet, p.max_packet_flits);
    for (auto& e : m_shapes) {
        router_shape& s = e->shape;
        const router_params& p = s.params;
        s.vcs = m_vcs;
        s.in_vcs = s.ports * s.vcs;
        s.rc = p.effective_rc_delay();
        s.va = p.va_delay;
        s.sa = p.sa_delay;
        s.crossbar_inputs = s.ports * p.input_speedup;
        s.crossbar_outputs = s.ports * p.output_speedup;
        s.words = words_for(std::max({s.in_vcs, s.crossbar_inputs, s.crossbar_outputs}));
        s.pipe_mask = power_of_two_above(std::max({s.rc + 1, s.va, s.sa})) - 1;
        s.slow_links = slow;
        s.queued_links = slow || p.output_speedup > 1;
        s.batched = batched;
        s.atomic = p.reallocation == reallocation_rule::atomic;
        s.room_for_packet = p.switching != switching_mode::wormhole;
        s.whole_packets = p.switching == switching_mode::store_and_forward;
        const std::uint32_t most = m_routing == nullptr ? 1 : m_routing->max_candidates();
        s.ways = most > 1 ? most : 0;
        for (std::uint32_t i = 0; i < s.in_vcs; ++i) s.port_of[i] = static_cast<std::uint8_t>(i / s.vcs);
        for (std::uint32_t v = 0; v < s.vcs; ++v)
            s.vcs_of_input[v % p.input_speedup] =
                static_cast<std::uint16_t>(s.vcs_of_input[v % p.input_speedup] | (1u << v));
        s.slot_words = 1 + s.words + s.ports + (batched ? (s.in_vcs + 3) / 4 : 0);
        switch (s.words) {
            case 1: lay_out<1>(s); e->step = &step_router<1>; break;
            case 4: lay_out<4>(s); e->step = &step_router<4>; break;
            default: lay_out<16>(s); e->step = &step_router<16>; break;
        }
    }
}

/// The largest distance in time between writing and reading on a connection.
std::uint32_t fabric::reach_of(const connection& c) const {
    std::uint32_t forward = c.link.latency + c.link.cycles_per_flit, backward = c.link.latency;
    if (c.from.what == end::kind::router) {
        const router_shape& s = shape(c.from.id);
        forward += s.params.sa_delay + s.params.st_delay;
        backward += s.params.credit_delay;
        if (s.params.output_speedup > 1) {
            // The output queue: as many flits as there are credits for.
            const std::uint32_t depth = c.to.what == end::kind::router ? shape(c.to.id).params.depth : 4096;
            forward += m_vcs * std::min(depth, s.params.depth * 4) * c.link.cycles_per_flit;
        }
    } else if (c.from.what == end::kind::nic) {
        forward += m_nic_params[c.from.id].delay;
        backward += m_nic_params[c.from.id].credit_delay;
    }
    if (c.to.what == end::kind::router) backward += shape(c.to.id).params.credit_batch;
    return std::max(forward, backward);
}

void fabric::build_slabs() {
    std::uint32_t reach = 16;
    for (const auto& c : m_connections) reach = std::max(reach, reach_of(c));
    for (const auto& e : m_shapes) reach = std::max(reach, e->shape.pipe_mask);
    const std::uint32_t slots = power_of_two_above(reach);
    m_slot_mask = slots - 1;

    // Endpoints: routers first, then NICs, each group starting a word of the wheel.
    m_first_nic = (routers() + 63) / 64 * 64;
    m_first_foreign = m_first_nic + (nodes() + 63) / 64 * 64;
    m_endpoints = m_first_foreign + static_cast<std::uint32_t>(m_foreign.size());
    m_wheel_words = (m_endpoints + 63) / 64;
    m_wheel.assign(static_cast<std::size_t>(slots) * m_wheel_words, 0);
    m_wheel_any.assign(slots, 0);
    m_injecting.assign((nodes() + 63) / 64, 0);

    std::uint64_t flits = 0, ports = 0;
    for (std::uint32_t r = 0; r < routers(); ++r) {
        const router_shape& s = shape(r);
        m_router_at.push_back(m_router_bytes);
        m_router_bytes += s.bytes;
        m_router_buffer.push_back(flits);
        flits += static_cast<std::uint64_t>(s.in_vcs) * s.params.depth;
        m_router_inbox.push_back(m_inbox_words);
        m_inbox_words += static_cast<std::uint64_t>(s.slot_words) * slots;
        m_wires_of.push_back(ports);
        ports += s.ports;
    }
    const std::uint64_t nic_words = 3 + (m_vcs + 3) / 4;
    for (auto& n : m_nics) {
        n.inbox = m_inbox_words;
        m_inbox_words += nic_words * slots;
    }
    for (std::size_t k = 0; k < m_foreign.size(); ++k) {
        m_foreign_inbox.push_back(m_inbox_words);
        m_inbox_words += nic_words * slots;
    }
    m_wires.resize(ports);
    m_foreign_wires.resize(m_foreign.size());
    m_buffer_bytes = flits * sizeof(flit);
    const std::size_t sizes[3] = {m_router_bytes, m_buffer_bytes, m_inbox_words * 8};
    for (int k = 0; k < 3; ++k) {
        m_mapped_bytes[k] = std::max<std::size_t>(sizes[k], 4096);
        // The buffers are mostly untouched at low load, so they stay in small pages.
        m_mapped[k] = map_pages(m_mapped_bytes[k], k != 1);
    }
    m_routers = static_cast<std::uint8_t*>(m_mapped[0]);
    m_buffers = static_cast<flit*>(m_mapped[1]);
    m_inboxes = static_cast<std::uint64_t*>(m_mapped[2]);
    for (std::uint32_t r = 0; r < routers(); ++r) {
        switch (shape(r).words) {
            case 1: init_router<1>(r); break;
            case 4: init_router<4>(r); break;
            default: init_router<16>(r); break;
        }
    }
    m_lanes.assign(static_cast<std::size_t>(nodes()) * m_classes, {});
    m_nic_credits.assign(static_cast<std::size_t>(nodes()) * m_vcs, 0);
    m_expected.assign(static_cast<std::size_t>(nodes()) * m_vcs, 0);
    for (std::uint32_t n = 0; n < nodes(); ++n) {
        m_nics[n].random = rng(m_seed, stream::routing, n);
        m_nics[n].max_packet = static_cast<std::uint16_t>(m_nic_params[n].max_packet_flits);
        for (std::uint32_t c = 0; c < m_classes; ++c)
            m_lanes[n * m_classes + c].last_vc = static_cast<std::uint8_t>(c * (m_vcs / m_classes));
    }
    for (const auto& e : m_shapes)
        if (e->shape.params.selection == selection_policy::random && m_router_random.empty())
            for (std::uint32_t r = 0; r < routers(); ++r)
                m_router_random.emplace_back(m_seed, stream::routing, (std::uint64_t{1} << 32) + r);
}

template <int W>
void fabric::init_router(std::uint32_t router) {
    const router_shape& s = shape(router);
    auto* state = new (m_routers + m_router_at[router]) router_state<W>{};
    state->shape = &s;
    state->buffer = m_buffers + m_router_buffer[router];
    state->inbox = m_inboxes + m_router_inbox[router];
    state->wires = m_wires.data() + m_wires_of[router];
    state->id = router;
    std::uninitialized_fill_n(state->template at<in_vc>(s.at_in), s.in_vcs, in_vc{});
    std::uninitialized_fill_n(state->template at<out_vc>(s.at_out), s.in_vcs, out_vc{});
}

std::uint64_t fabric::inbox_of(const end& e) const {
    switch (e.what) {
        case end::kind::router: return m_router_inbox[e.id];
        case end::kind::nic: return m_nics[e.id].inbox;
        case end::kind::foreign: return m_foreign_inbox[e.id];
    }
    return 0;
}

std::uint32_t fabric::endpoint_of(const end& e) const {
    switch (e.what) {
        case end::kind::router: return e.id;
        case end::kind::nic: return m_first_nic + e.id;
        case end::kind::foreign: return m_first_foreign + e.id;
    }
    return 0;
}

void fabric::build_wires() {
    const bool batched = !m_shapes.empty() && m_shapes.front()->shape.batched;
    for (const auto& c : m_connections) {
        const bool from_router = c.from.what == end::kind::router, to_router = c.to.what == end::kind::router;
        const router_shape* sender = from_router ? &shape(c.from.id) : nullptr;
        const router_shape* receiver = to_router ? &shape(c.to.id) : nullptr;
        wire flits;
        flits.inbox = inbox_of(c.to);
        flits.reader = endpoint_of(c.to);
        flits.stride = static_cast<std::uint16_t>(to_router ? receiver->slot_words : 3 + (m_vcs + 3) / 4);
        flits.port = static_cast<std::uint8_t>(to_router ? c.to.port : 0);
        flits.place = static_cast<std::uint16_t>(to_router ? 1 + receiver->words + c.to.port : 2);
        flits.cycles_per_flit = static_cast<std::uint16_t>(c.link.cycles_per_flit);
        std::uint32_t delay = c.link.latency + c.link.cycles_per_flit - 1;
        if (from_router) delay += sender->params.sa_delay + sender->params.st_delay;
        if (c.from.what == end::kind::nic) delay += m_nic_params[c.from.id].delay;
        flits.delay = static_cast<std::uint16_t>(delay);

        wire credits;
        credits.inbox = inbox_of(c.from);
        credits.reader = endpoint_of(c.from);
        credits.stride = static_cast<std::uint16_t>(from_router ? sender->slot_words : 3 + (m_vcs + 3) / 4);
        credits.place = static_cast<std::uint16_t>(from_router ? c.from.port * m_vcs : 0);
        credits.counts = static_cast<std::uint16_t>(
            !batched ? 0 : from_router ? 1 + sender->words + sender->ports : 3);
        credits.batch = static_cast<std::uint8_t>(to_router ? receiver->params.credit_batch : 1);
        delay = c.link.latency;
        if (from_router) delay += sender->params.credit_delay;
        if (c.from.what == end::kind::nic) delay += m_nic_params[c.from.id].credit_delay;
        credits.delay = static_cast<std::uint16_t>(delay);

        std::uint32_t depth = 0;
        if (to_router) {
            m_wires[m_wires_of[c.to.id] + c.to.port].credits = credits;
            depth = receiver->params.depth;
            if (receiver->room_for_packet && m_max_packet > depth)
                throw config::error("router.depth is " + std::to_string(depth) + ", but with " +
                                    (receiver->whole_packets ? std::string("store_and_forward") : "cut_through") +
                                    " switching a buffer must hold a whole packet: nic.max_packet_flits is " +
                                    std::to_string(m_max_packet));
        } else if (c.to.what == end::kind::nic) {
            m_nics[c.to.id].credits = credits;
            depth = m_nic_params[c.to.id].ejection_depth;
            if (depth == 0) depth = sender != nullptr ? sender->params.depth : 1;
            if (sender != nullptr && sender->room_for_packet) depth = std::max<std::uint32_t>(depth, static_cast<std::uint32_t>(m_max_packet));
        } else {
            m_foreign_wires[c.to.id].credits = credits;
            depth = sender != nullptr ? sender->params.depth : 0;
        }
        if (from_router) {
            m_wires[m_wires_of[c.from.id] + c.from.port].flits = flits;
            out_vc* out = const_cast<out_vc*>(out_vcs(c.from.id)) + c.from.port * m_vcs;
            for (std::uint32_t v = 0; v < m_vcs; ++v)
                out[v].credits = out[v].depth = static_cast<std::uint16_t>(depth);
            // The port is wired: all its VCs are free.
            std::uint8_t* state = m_routers + m_router_at[c.from.id];
            reinterpret_cast<std::uint16_t*>(state + sender->at_free)[c.from.port] =
                static_cast<std::uint16_t>((1u << m_vcs) - 1);
        } else if (c.from.what == end::kind::nic) {
            m_nics[c.from.id].flits = flits;
            m_nics[c.from.id].atomic = receiver != nullptr && receiver->atomic;
            m_nics[c.from.id].whole_packets = receiver != nullptr && receiver->room_for_packet;
            m_nics[c.from.id].depth = static_cast<std::uint16_t>(depth);
            for (std::uint32_t v = 0; v < m_vcs; ++v)
                m_nic_credits[c.from.id * m_vcs + v] = static_cast<std::uint16_t>(depth);
        } else {
            m_foreign_wires[c.from.id].flits = flits;
        }
    }
}

void fabric::build_route_table() {
    constexpr std::size_t limit = 1 << 18;  // entries: one megabyte still lies in a cache
    const std::size_t entries = static_cast<std::size_t>(routers()) * nodes();
    if (m_routing == nullptr || !m_routing->tabular() || entries > limit) return;
    m_route_table.resize(entries);
    for (std::uint32_t r = 0; r < routers(); ++r)
        for (std::uint32_t d = 0; d < nodes(); ++d) {
            route_header header;
            header.destination = d;
            route_set ways;
            m_routing->route(r, 0, 0, header, ways);
            if (ways.size != 0) m_route_table[static_cast<std::size_t>(r) * nodes() + d] = ways.candidates[0];
        }
}

}  // namespace sare
