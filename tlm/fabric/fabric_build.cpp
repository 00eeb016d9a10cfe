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
    return std::tie(p.vcs, p.depth, p.switching, p.rc_delay, p.va_delay, p.sa_delay, p.st_delay, p.lookahead,
                    p.pipelined, p.speculative, p.va_allocator, p.sa_allocator, p.va_arbiter, p.sa_arbiter,
                    p.iterations, p.input_speedup, p.output_speedup, p.reallocation, p.credit_delay,
                    p.credit_batch, p.selection);
}

std::uint32_t power_of_two_from(std::uint32_t n) {
    std::uint32_t p = 1;
    while (p < n) p *= 2;
    return p;
}

/// Plain routers have the features that nearly all runs have, and no others.
bool is_plain(const router_shape& s) {
    const router_params& p = s.params;
    const std::uint32_t stride = s.vcs <= 2 && s.ports <= 16 ? 2 : s.vcs <= 4 ? 4 : 8;
    return s.vcs <= 8 && p.depth <= plain_block<2, 32>::max_depth && s.ports * stride <= 64 && s.ways == 0 &&
           s.rc <= 1 && s.va <= 1 && s.sa <= 1 && !s.queued_links && !s.batched && !s.atomic &&
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
    build_shapes();
    build_slabs();
    build_wires();
    build_route_table();
    choose_usual_steps();
    for (auto& e : m_shapes)
        if (e->step_list != nullptr) e->awake.resize(routers() + list_look_ahead);
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
    m_all_plain = std::all_of(m_shapes.begin(), m_shapes.end(), [](const auto& e) { return e->shape.plain; });
    for (auto& e : m_shapes) {
        router_shape& s = e->shape;
        s.plain = m_all_plain;
        if (s.plain) {
            s.stride = s.vcs <= 2 && s.ports <= 16 ? 2 : s.vcs <= 4 ? 4 : 8;
            s.in_vcs = s.ports * s.stride;
        }
        const std::uint32_t size = std::max({s.in_vcs, s.crossbar_inputs, s.crossbar_outputs});
        s.capacity = s.plain && size <= 32 && s.stride <= 4 ? 32 : size <= 64 ? 64 : size <= 256 ? 256 : 1024;
        for (std::uint32_t i = 0; i < s.in_vcs; ++i) s.port_of[i] = static_cast<std::uint8_t>(i / s.stride);
        s.inbox_sets = s.plain && s.capacity == 32 ? 1 : 1 + (s.capacity + 63) / 64;
        s.inbox_words = s.inbox_sets + s.ports + (m_batched ? (s.in_vcs + 3) / 4 : 0);
        place_stamps(s);
        choose_step(*e, false);
    }
}

/// The code that runs routers of a shape: see visit_block(), and plain_cycle for what is usual.
void fabric::choose_step(shape_entry& e, bool usual) {
    router_shape& s = e.shape;
    auto size = [&s](std::size_t bytes) {
        s.block_bytes = static_cast<std::uint32_t>((bytes + 63) / 64 * 64);
        // Not all blocks in the same few sets of a cache.
        if (s.plain) s.block_bytes |= 64;
    };
    auto use = [&](std::size_t bytes, auto step) {
        size(bytes);
        e.step = step;
    };
    const bool fast = has_bit_instructions();
    auto use_plain = [&](auto vcs, auto most) {
        constexpr int S = decltype(vcs)::value, N = decltype(most)::value;
        size(sizeof(plain_block<S, N>));
        e.step_list = fast ? &step_plain_list_fast<S, N> : &step_plain_list<S, N>;
        if constexpr (N == 32) {
            if (!usual) return;
            e.step_list = nullptr;
            e.step = fast ? &step_plain_fast<S, N> : &step_plain<S, N>;
        }
    };
    using std::integral_constant;
    if (s.plain && s.capacity == 32 && s.stride <= 2) {
        use_plain(integral_constant<int, 1>(), integral_constant<int, 32>());
    } else if (s.plain && s.capacity == 32) {
        use_plain(integral_constant<int, 2>(), integral_constant<int, 32>());
    } else if (s.plain && s.stride <= 4) {
        use_plain(integral_constant<int, 2>(), integral_constant<int, 64>());
    } else if (s.plain) {
        use_plain(integral_constant<int, 3>(), integral_constant<int, 64>());
    } else if (s.capacity == 64) {
        use(sizeof(router_block<64>), &step_router<64>);
    } else if (s.capacity == 256) {
        use(sizeof(router_block<256>), &step_router<256>);
    } else {
        use(sizeof(router_block<1024>), &step_router<1024>);
    }
}

void fabric::choose_usual_steps() {
    constexpr std::uint32_t few = 256;
    const auto usual = [](const auto& e) {
        return e->shape.capacity == 32 && e->shape.rc == 1 && e->shape.va == 1;
    };
    m_looks_through =
        m_keyed && routers() <= few && nodes() <= few && std::all_of(m_shapes.begin(), m_shapes.end(), usual);
    if (!m_looks_through) return;
    for (auto& e : m_shapes) choose_step(*e, true);
    const auto usual_nic = [&](const nic_state& n) {
        return n.flits.delay == m_nics[0].flits.delay && n.credits.delay == m_nics[0].credits.delay &&
               n.flits_extras.cycles_per_flit == 1 && n.head_needs == 1;
    };
    m_usual_nics = m_classes == 1 && std::all_of(m_nics.begin(), m_nics.end(), usual_nic);
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
            same = same && depth_at(c) <= plain_block<2, 32>::max_depth;
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
        d.backward += sender.credit_delay;
    } else if (c.from.what == end::kind::nic) {
        d.forward += m_nic_params[c.from.id].delay;
        d.backward += m_nic_params[c.from.id].credit_delay;
    }
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

std::uint32_t fabric::most_inbox_sets() const {
    std::uint32_t most = 1;
    for (const auto& e : m_shapes) most = std::max(most, e->shape.inbox_sets);
    return most;
}

void fabric::build_slabs() {
    // The longest delay and the current cycle: no more planes than that, for they want to stay in the caches.
    std::uint32_t reach = m_foreign.empty() ? 2 : 17;  // foreign blocks may write some cycles ahead
    for (const auto& c : m_connections) reach = std::max(reach, reach_of(c));
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
    // First the sets of those whose sets are apart, then the flits of all.
    m_sets_at = static_cast<std::uint32_t>(m_plane_words);
    m_set_words = m_all_plain ? most_inbox_sets() : 1;
    const std::uint32_t nic_sets_at = m_sets_at + (m_all_plain ? m_first_nic * m_set_words : 0);
    m_plane_words = nic_sets_at + (nodes() + 63) / 64 * 64 * m_set_words;
    std::uint64_t flits = 0, ports = 0, ways = 0, stamps = 0;
    auto place = [&](std::uint32_t endpoint, std::uint32_t words, std::uint32_t its_ports) {
        // An inbox of up to a cache line lies in one.
        if (words <= 8 && endpoint < m_first_nic) words = 8;
        m_inbox_of[endpoint] = m_flits_of[endpoint] = static_cast<std::uint32_t>(m_plane_words);
        m_plane_words += words;
        m_wires_of[endpoint] = ports;
        ports += its_ports;
    };
    for (std::uint32_t r = 0; r < routers(); ++r) {
        const router_shape& s = shape(r);
        add_to_group(r);
        m_router_bytes += s.block_bytes;
        m_router_buffer.push_back(flits);
        flits += static_cast<std::uint64_t>(s.in_vcs) * s.params.depth;
        ways += static_cast<std::uint64_t>(s.in_vcs) * s.ways;
        stamps += s.stamps;
        place(r, s.inbox_words - (s.plain ? s.inbox_sets : 0), s.ports);
        if (s.plain)
            m_inbox_of[r] = m_sets_at + r * m_set_words;
        else
            m_flits_of[r] += s.inbox_sets;
    }
    const std::uint32_t nic_words = 1 + (m_batched ? (m_vcs + 3) / 4 : 0);
    m_plane_words = (m_plane_words + 7) / 8 * 8;
    for (std::uint32_t n = 0; n < nodes(); ++n) {
        place(m_first_nic + n, nic_words, 1);
        m_nics[n].inbox = m_inbox_of[m_first_nic + n] = nic_sets_at + n * m_set_words;
        m_nics[n].flit_at = m_flits_of[m_first_nic + n];
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
    b.id = router;
    // Round-robin arbiters begin with number 0: the last one served was the one before it.
    auto begin_at_0 = [](auto& turns, std::uint32_t size) {
        for (auto& turn : turns) turn = static_cast<std::remove_reference_t<decltype(turn)>>(size - 1);
    };
    if constexpr (B::plain) {
        for (auto& c : b.in) c.out = static_cast<std::uint8_t>(m_vcs - 1);
        begin_at_0(b.owner, s.in_vcs);
        begin_at_0(b.sa_vc, m_vcs);
        begin_at_0(b.sa_column, s.in_vcs);
        b.flits_at = m_flits_of[router];
    } else {
        b.shape = &s;
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
