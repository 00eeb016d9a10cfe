// SPDX-License-Identifier: Apache-2.0
#include "tlm/fabric/fabric.h"
#include "tlm/fabric/steps.h"
#include "tlm/topology/properties.h"

#include <sys/mman.h>

#include <algorithm>
#include <new>
#include <tuple>

/// Laying out the slabs, once all routers, NICs and links are known.
namespace sare {
namespace {

auto as_tuple(const router_params& p) {
    return std::tie(p.vcs, p.depth, p.switching, p.rc_delay, p.va_delay, p.sa_delay, p.st_delay,
                    p.input_register, p.lookahead, p.pipelined, p.speculative, p.va_allocator, p.sa_allocator,
                    p.va_arbiter, p.sa_arbiter, p.iterations, p.input_speedup, p.output_speedup,
                    p.reallocation, p.credit_delay, p.credit_batch, p.selection);
}

std::uint32_t power_of_two_from(std::uint32_t n) {
    std::uint32_t p = 1;
    while (p < n) p *= 2;
    return p;
}

/// From port to port in the numbers of VCs, if plain: a power of two.
std::uint32_t plain_stride(const router_shape& s) {
    return s.vcs <= 2 ? 2 : s.vcs <= 4 ? 4 : 8;
}

/// Plain routers have the features that nearly all runs have, and no others.
bool is_plain(const router_shape& s) {
    const router_params& p = s.params;
    return s.vcs <= 8 && p.depth <= plain_most_flits && s.ports * plain_stride(s) <= (s.vcs <= 2 ? 32 : 64) &&
           s.ways == 0 && s.rc <= 1 && s.va <= 1 && s.sa <= 1 && !s.queued_links && !s.batched && !s.atomic &&
           !s.room_for_packet && !p.speculative && p.iterations == 1 && p.input_speedup == 1 &&
           p.output_speedup == 1 && p.va_allocator == allocator_kind::input_first &&
           p.sa_allocator == allocator_kind::input_first && p.va_arbiter == arbiter_kind::round_robin &&
           p.sa_arbiter == arbiter_kind::round_robin && p.selection != selection_policy::same_vc;
}

void place_stamps(router_shape& s) {
    const std::uint32_t n = s.in_vcs, x = s.crossbar_inputs, y = s.crossbar_outputs;
    auto matrix = [&](std::uint32_t which, std::uint32_t arbiters, std::uint32_t size) {
        s.stamps_of[which] = s.stamps + 1;
        s.stamps += arbiters * size + arbiters;
    };
    if (s.params.va_arbiter == arbiter_kind::matrix) {
        matrix(0, n, s.vcs);
        matrix(1, n, n);
    }
    if (s.params.sa_arbiter == arbiter_kind::matrix)
        for (std::uint32_t bank = 0; bank < (s.params.speculative ? 2u : 1u); ++bank) {
            matrix(2 + bank, x, s.vcs);
            matrix(4 + bank, y, x);
            matrix(6 + bank, x, y);
        }
}

void* map_pages(std::size_t bytes, bool huge) {
    void* p =
        mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
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
    m_vcs_per_class = vcs / classes;
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

void fabric::connect(const end& from, const end& to, const link_attributes& link,
                     const std::optional<end>& in_place_of) {
    m_connections.push_back({from, to, link, in_place_of});
}

void fabric::set_routing(const topology& map, const routing_function& routing) {
    m_map = &map;
    m_routing = &routing;
    m_dims = node_dims(map);
}

void fabric::finish() {
    m_tabulated = tabulate_routes();
    build_shapes();
    choose_layout();
    build_slabs();
    build_wires();
    build_route_table();
    if (m_looks_through) find_usual_nics();
    if (m_in_lists) open_accounts();
    m_connections.clear();
    m_connections.shrink_to_fit();
}

void fabric::build_shapes() {
    bool slow = false;
    for (const auto& e : m_shapes) m_batched = m_batched || e->shape.params.credit_batch > 1;
    for (const auto& c : m_connections) slow = slow || c.link.cycles_per_flit > 1;
    for (const auto& p : m_nic_params)
        m_max_packet = std::max<std::uint64_t>(m_max_packet, p.max_packet_flits);
    for (auto& e : m_shapes) {
        router_shape& s = e->shape;
        const router_params& p = s.params;
        s.vcs = m_vcs;
        s.stride = s.vcs;
        s.in_vcs = s.ports * s.stride;
        s.rc = p.effective_rc_delay();
        s.va = p.va_delay;
        s.sa = p.sa_delay;
        s.crossbar_inputs = s.ports * p.input_speedup;
        s.crossbar_outputs = s.ports * p.output_speedup;
        s.slow_links = slow;
        s.queued_links = slow || p.output_speedup > 1 || (!p.pipelined && p.st_delay > 1);
        s.batched = m_batched;
        s.atomic = p.reallocation == reallocation_rule::atomic;
        s.room_for_packet = p.switching != switching_mode::wormhole;
        s.room_in_va = s.room_for_packet && m_routing != nullptr && m_routing->needs_escape();
        s.whole_packets = p.switching == switching_mode::store_and_forward;
        const std::uint32_t most = m_routing == nullptr ? 1 : m_routing->max_candidates();
        s.ways = most > 1 ? most : 0;
        for (std::uint32_t v = 0; v < s.vcs; ++v)
            s.vcs_of_input[v % p.input_speedup] =
                static_cast<std::uint16_t>(s.vcs_of_input[v % p.input_speedup] | (1u << v));
        s.plain = m_plain_allowed && m_foreign.empty() && is_plain(s) && plain_links(e.get());
    }
}

/// Plain blocks or general ones, of which size, and by which code: see block_type() and plain_cycle.
void fabric::choose_layout() {
    const auto all = [this](auto holds) {
        return std::all_of(m_shapes.begin(), m_shapes.end(), [&](const auto& e) { return holds(e->shape); });
    };
    m_all_plain = all([](const router_shape& s) { return s.plain; });
    const bool small =
        all([](const router_shape& s) { return s.ports * plain_stride(s) <= 32 && s.vcs <= 4; });
    m_keyed = m_all_plain && m_tabulated && std::size_t{nodes()} * m_classes <= 65536 &&
              m_choices.size() * m_classes <= 256;
    m_looks_through =
        m_keyed && small && are_few() && all([](const router_shape& s) { return s.rc == 1 && s.va == 1; });
    m_in_lists = m_all_plain && !m_looks_through;
    m_looks_ahead = m_in_lists && routers() > 512;
    for (auto& e : m_shapes) {
        router_shape& s = e->shape;
        s.plain = m_all_plain;
        s.in_list = m_in_lists;
        s.foresees = m_in_lists && s.rc == 1 && s.va == 1;
        if (s.plain) {
            s.stride = plain_stride(s);
            s.in_vcs = s.ports * s.stride;
        }
        const std::uint32_t size = std::max({s.in_vcs, s.crossbar_inputs, s.crossbar_outputs});
        s.capacity = s.plain && small ? 32 : size <= 64 ? 64 : size <= 256 ? 256 : 1024;
        for (std::uint32_t i = 0; i < s.in_vcs; ++i) s.port_of[i] = static_cast<std::uint8_t>(i / s.stride);
        s.inbox_sets = s.plain && s.capacity == 32 ? 1 : 1 + (s.capacity + 63) / 64;
        s.inbox_words = s.inbox_sets + s.ports + (m_batched ? (s.in_vcs + 3) / 4 : 0);
        const std::size_t bytes = block_type(s, [](auto* b) { return sizeof(*b); });
        s.block_bytes = static_cast<std::uint32_t>((bytes + 63) / 64 * 64);
        // Not all blocks in the same few sets of a cache.
        if (s.plain) s.block_bytes |= 64;
        place_stamps(s);
        choose_step(*e);
        if (s.in_list) e->awake.resize(routers() + list_look_ahead);
    }
}

void fabric::choose_step(shape_entry& e) {
    const bool fast = has_bit_instructions();
    block_type(e.shape, [&](auto* type) {
        using B = std::remove_pointer_t<decltype(type)>;
        if constexpr (!B::plain)
            e.step = &step_router<B::capacity>;
        else if constexpr (B::in_list)
            e.step_list = fast ? &step_plain_list_fast<B::S, B::N> : &step_plain_list<B::S, B::N>;
        else
            e.step = fast ? &step_plain_fast<B::S, B::N> : &step_plain<B::S, B::N>;
    });
}

/// What routers do lies in the caches.
bool fabric::are_few() const {
    constexpr std::uint32_t few = 256;
    return routers() <= few && nodes() <= few;
}

/// See nic_step.cpp.
void fabric::find_usual_nics() {
    const auto usual = [&](const nic_state& n) {
        return n.flits.delay == m_nics[0].flits.delay && n.credits.delay == m_nics[0].credits.delay &&
               n.flits_extras.cycles_per_flit == 1 && n.head_needs == 1;
    };
    m_usual_nics = m_classes == 1 && std::all_of(m_nics.begin(), m_nics.end(), usual);
}

/// Whether all wires that a router of this shape writes to are alike in delay, and the buffers they lead to
/// not too deep; notes the delays.
bool fabric::plain_links(shape_entry* e) const {
    router_shape& s = e->shape;
    bool same = true;
    auto note = [&](std::uint32_t& known, std::uint32_t delay) {
        same = same && (known == 0 || known == delay);
        known = delay;
    };
    for (const auto& c : m_connections) {
        const wire_delays d = delays_of(c);
        if (c.from.what == end::kind::router && m_shapes[m_router_shape[c.from.id]].get() == e) {
            note(s.flit_delay, d.forward);
            same = same && depth_at(c) <= plain_most_flits;
        }
        if (c.to.what == end::kind::router && m_shapes[m_router_shape[c.to.id]].get() == e)
            note(s.credit_delay, d.backward);
    }
    return same;
}

/// Cycles from the grant of a flit to its reading, and of its credit.
fabric::wire_delays fabric::delays_of(const connection& c) const {
    wire_delays d{c.link.latency + c.link.cycles_per_flit - 1, c.link.latency};
    if (c.from.what == end::kind::router) {
        const router_params& sender = shape(c.from.id).params;
        d.forward += sender.sa_delay + sender.st_delay;
        d.backward += sender.credit_delay + sender.input_delay();
    } else if (c.from.what == end::kind::nic) {
        d.forward += m_nic_params[c.from.id].delay;
        d.backward += m_nic_params[c.from.id].credit_delay;
    }
    if (c.to.what == end::kind::router) d.forward += shape(c.to.id).params.input_delay();
    return d;
}

/// The largest distance in time between writing and reading on a connection.
std::uint32_t fabric::reach_of(const connection& c) const {
    const wire_delays d = delays_of(c);
    std::uint32_t forward = d.forward, backward = d.backward;
    if (c.from.what == end::kind::router && shape(c.from.id).queued_links)
        // The output queue: as many as there are credits for.
        forward += m_vcs * depth_at(c) * c.link.cycles_per_flit + 2 * shape(c.from.id).params.st_delay;
    if (c.to.what == end::kind::router) backward += shape(c.to.id).params.credit_batch;
    return std::max(forward, backward) + 1;
}

/// Where in a plane the sets of endpoints are: of NICs alone, or of routers and NICs one after the other,
/// each 2^m_set_shift words after the one before; in lists the flits are in these words, too. Gives the word
/// behind.
std::uint32_t fabric::place_sets() {
    const std::uint32_t nic_sets = (nodes() + 63) / 64 * 64;
    if (!m_all_plain) return m_sets_at + nic_sets;
    std::uint32_t most = m_in_lists ? 2 : 1;
    for (const auto& e : m_shapes)
        most = std::max(most, m_in_lists ? e->shape.inbox_words : e->shape.inbox_sets);
    while (1u << m_set_shift < most) ++m_set_shift;
    return m_sets_at + ((m_first_nic + nic_sets) << m_set_shift);
}

void fabric::build_slabs() {
    // The longest delay and the current cycle: no more planes than that, for they want to stay in the caches.
    std::uint32_t reach = m_foreign.empty() ? 2 : 17;  // foreign blocks may write some cycles ahead
    std::uint32_t foresight = 0;
    for (const auto& e : m_shapes)
        if (e->shape.foresees) foresight = plain_foresight;
    for (const auto& c : m_connections) reach = std::max(reach, reach_of(c) + foresight);
    for (const auto& e : m_shapes)
        reach = std::max({reach, e->shape.rc + 2, e->shape.va + 1, e->shape.sa + 1});
    const std::uint32_t slots = power_of_two_from(reach);
    m_slot_mask = slots - 1;

    // Endpoints: routers first, then NICs, each group starting a word of the bits to wake.
    m_first_nic = (routers() + 63) / 64 * 64;
    m_first_foreign = m_first_nic + (nodes() + 63) / 64 * 64;
    m_endpoints = m_first_foreign + static_cast<std::uint32_t>(m_foreign.size());
    m_wake_words = (m_endpoints + 63) / 64;
    m_injecting.assign((nodes() + 63) / 64, 0);
    m_wires_of.assign(m_endpoints, 0);
    m_inbox_of.assign(m_endpoints, 0);

    m_flits_of.assign(m_endpoints, 0);

    m_plane_words = (1 + m_wake_words + 7) / 8 * 8;
    m_sets_at = static_cast<std::uint32_t>(m_plane_words);
    const std::uint32_t sets_end = place_sets();
    std::uint64_t flits = 0, ports = 0, ways = 0, stamps = 0;
    auto place = [&](std::uint32_t endpoint, std::uint32_t words, std::uint32_t its_ports) {
        m_wires_of[endpoint] = ports;
        ports += its_ports;
        if (m_all_plain) m_inbox_of[endpoint] = m_sets_at + (endpoint << m_set_shift);
        if (m_in_lists) {
            m_flits_of[endpoint] =
                m_inbox_of[endpoint] + (endpoint < m_first_nic ? shape(endpoint).inbox_sets : 1);
            return;
        }
        // An inbox of up to a cache line lies in one.
        if (words <= 8 && endpoint < m_first_nic) words = 8;
        if (!m_all_plain && (endpoint < m_first_nic || endpoint >= m_first_foreign))
            m_inbox_of[endpoint] = static_cast<std::uint32_t>(m_plane_words);
        m_flits_of[endpoint] = static_cast<std::uint32_t>(m_plane_words);
        m_plane_words += words;
    };
    m_plane_words = sets_end;
    for (std::uint32_t r = 0; r < routers(); ++r) {
        const router_shape& s = shape(r);
        add_to_group(r);
        m_router_bytes += s.block_bytes;
        m_router_buffer.push_back(flits);
        flits += static_cast<std::uint64_t>(s.in_vcs) * s.params.depth;
        ways += static_cast<std::uint64_t>(s.in_vcs) * s.ways;
        stamps += s.stamps;
        place(r, s.inbox_words - (s.plain ? s.inbox_sets : 0), s.ports);
        if (!s.plain) m_flits_of[r] += s.inbox_sets;
    }
    const std::uint32_t nic_words = 1 + (m_batched ? (m_vcs + 3) / 4 : 0);
    m_plane_words = (m_plane_words + 7) / 8 * 8;
    for (std::uint32_t n = 0; n < nodes(); ++n) {
        const std::uint32_t e = m_first_nic + n;
        if (!m_all_plain) m_inbox_of[e] = m_sets_at + n;
        place(e, nic_words, 1);
        m_nics[n].inbox = m_inbox_of[e];
        m_nics[n].flit_at = m_flits_of[e];
    }
    for (std::uint32_t k = 0; k < m_foreign.size(); ++k) {
        place(m_first_foreign + k, 2 + nic_words, 1);
        m_flits_of[m_first_foreign + k] += 2;
    }
    m_plane_words = (m_plane_words + 7) / 8 * 8;
    m_wires.resize(ports);
    m_extras.resize(ports);
    m_ways.resize(ways);
    m_stamps.resize(stamps);
    m_buffer_bytes = flits * sizeof(flit);
    const std::size_t sizes[3] = {m_router_bytes, m_buffer_bytes, m_plane_words * 8 * slots};
    for (int k = 0; k < 3; ++k) {
        m_mapped_bytes[k] = std::max<std::size_t>(sizes[k], 4096);
        // The buffers are mostly untouched at low load, so they stay in small pages.
        m_mapped[k] = map_pages(m_mapped_bytes[k], k != 1);
    }
    m_routers = static_cast<std::uint8_t*>(m_mapped[0]);
    m_buffers = static_cast<flit*>(m_mapped[1]);
    m_planes = static_cast<std::uint64_t*>(m_mapped[2]);
    std::uint8_t* at = m_routers;
    for (std::uint32_t r = 0; r < routers(); ++r) {
        m_router_at.push_back(at);
        at += shape(r).block_bytes;
    }
    std::uint64_t ways_given = 0, stamps_given = 0;
    for (std::uint32_t r = 0; r < routers(); ++r) {
        visit_block(r, [&](auto& b) { init_router(b, r, ways_given, stamps_given); });
        ways_given += static_cast<std::uint64_t>(shape(r).in_vcs) * shape(r).ways;
        stamps_given += shape(r).stamps;
    }
    m_lanes.assign(static_cast<std::size_t>(nodes()) * m_classes, {});
    m_nic_credits.assign(static_cast<std::size_t>(nodes()) * m_vcs, 0);
    m_expected.assign(static_cast<std::size_t>(nodes()) * m_vcs, 0);
    for (std::uint32_t n = 0; n < nodes(); ++n) {
        m_nics[n].vc_credits = &m_nic_credits[n * m_vcs];
        m_nics[n].expected = &m_expected[n * m_vcs];
        m_nics[n].node = n;
        m_nics[n].lanes = &m_lanes[static_cast<std::size_t>(n) * m_classes];
        m_nics[n].random = rng(m_seed, stream::routing, n);
        m_nics[n].max_packet = static_cast<std::uint16_t>(m_nic_params[n].max_packet_flits);
        for (std::uint32_t c = 0; c < m_classes; ++c) {
            nic_lane& lane = m_lanes[n * m_classes + c];
            lane.vc = lane.first_vc = static_cast<std::uint8_t>(c * m_vcs_per_class);
            lane.last_vc = static_cast<std::uint8_t>(lane.first_vc + m_vcs_per_class - 1);
            lane.header.source = n;
            lane.header.vc_base = lane.first_vc;
        }
    }
    for (const auto& e : m_shapes)
        if (e->shape.params.selection == selection_policy::random && m_router_random.empty())
            for (std::uint32_t r = 0; r < routers(); ++r)
                m_router_random.emplace_back(m_seed, stream::routing, (std::uint64_t{1} << 32) + r);
}

template <class B>
void fabric::init_router(B& place, std::uint32_t router, std::uint64_t ways, std::uint64_t stamps) {
    const router_shape& s = shape(router);
    B& b = *new (&place) B{};
    b.buffer = m_buffers + m_router_buffer[router];
    b.inbox = m_inbox_of[router];
    // Round-robin arbiters begin with number 0: the last one served was the one before it.
    auto begin_at_0 = [](auto& turns, std::uint32_t size) {
        for (auto& turn : turns) turn = static_cast<std::remove_reference_t<decltype(turn)>>(size - 1);
    };
    if constexpr (B::plain) {
        for (std::uint32_t k = 0; k < s.in_vcs; ++k) {
            b.in(k).out = static_cast<std::uint8_t>(m_vcs - 1);
            b.owner(k) = static_cast<std::uint8_t>(s.in_vcs - 1);
        }
        for (std::uint32_t p = 0; p < s.ports; ++p) {
            b.sa_vc(p) = static_cast<std::uint8_t>(m_vcs - 1);
            b.sa_column(p) = static_cast<std::uint8_t>(s.in_vcs - 1);
        }
        b.flits_at = m_flits_of[router];
    } else {
        b.shape = &s;
        b.id = router;
        b.wires = m_wires.data() + m_wires_of[router];
        b.wake_word = 1 + (router >> 6);
        b.wake_bit = std::uint64_t{1} << (router & 63);
        begin_at_0(b.va_row, m_vcs);
        begin_at_0(b.va_column, s.in_vcs);
        b.extras = m_extras.data() + m_wires_of[router];
        b.ways = m_ways.data() + ways;
        b.stamps = m_stamps.data() + stamps;
        b.st_start -= s.params.st_delay;  // no batch is in the crossbar at cycle 0
        for (auto& turns : b.turns) {
            begin_at_0(turns.vc, m_vcs);
            begin_at_0(turns.column, s.crossbar_inputs);
            begin_at_0(turns.row, s.crossbar_outputs);
        }
    }
}

void fabric::add_to_group(std::uint32_t router) {
    const std::uint32_t word = router / 64, kind = m_router_shape[router];
    const std::uint64_t bit = std::uint64_t{1} << (router & 63);
    for (auto g = m_groups.rbegin(); g != m_groups.rend() && g->word == word; ++g)
        if (g->kind == kind) {
            g->members |= bit;
            return;
        }
    m_groups.push_back({word, kind, bit});
}

}  // namespace sare
