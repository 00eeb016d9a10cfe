// SPDX-License-Identifier: Apache-2.0
#include "cosim/axi/random/random_run.h"

#include "cosim/axi/bridge_pairs.h"
#include "cosim/axi/checker.h"
#include "cosim/axi/model/manager_model.h"
#include "cosim/axi/model/subordinate_model.h"
#include "cosim/axi/random/ends.h"
#include "cosim/axi/random/random_network.h"
#include "cosim/axi/rtl/bridge_rtl.h"

#include <fmt/format.h>

namespace sare::axi {
namespace {

/// Most cycles for ending all that is open.
constexpr std::uint64_t drain_limit = 400000;
constexpr std::uint64_t region_bytes = 0x10000;

class runner {
  public:
    runner(const random_run& what, const random_case& drawn);
    std::string go(std::uint64_t cycles, const std::function<void(double)>& on_cycle);
    void count(random_outcome& o) const;

  private:
    struct manager_node {
        std::unique_ptr<bridge_pair<manager_bridge>> pair;
        std::unique_ptr<manager_bridge> alone;
        std::unique_ptr<random_manager> end;
        pin_checker rules;
        std::uint32_t refused = 0;  ///< cycles in a row in which a response was not taken
        manager_bridge& bridge() { return alone ? *alone : *pair; }
    };
    struct memory_node {
        std::unique_ptr<bridge_pair<subordinate_bridge>> pair;
        std::unique_ptr<subordinate_bridge> alone;
        std::unique_ptr<random_memory> end;
        pin_checker rules;
        subordinate_bridge& bridge() { return alone ? *alone : *pair; }
    };
    void next_phase();
    void run_manager(std::uint32_t m, bool closing);
    void run_memory(std::uint32_t s);
    void compare_request(std::uint64_t id, bool write, const address& a);
    bool idle() const;
    void finish();
    bool differs() const;
    std::string problem() const;

    const random_case m_case;
    const std::uint32_t m_responses;  ///< class of responses
    rng m_random;
    random_network m_network;
    std::vector<manager_node> m_managers;
    std::vector<memory_node> m_memories;
    request_log m_asked;
    std::uint64_t m_held = 0;
    std::uint64_t m_now = 0;
    std::uint32_t m_phase = 0;
    std::string m_problem;
};

runner::runner(const random_run& what, const random_case& drawn)
    : m_case(drawn),
      m_responses(drawn.manager.widths.request_classes),
      m_random(what.seed, stream::test, 2),
      m_network(drawn.managers + drawn.memories, m_responses + 1, drawn.manager.keeps_order, what.seed) {
    std::shared_ptr<cosim::rtl_library> near, far;
    if (what.rtl) {
        near = library_for(what, drawn.manager.request());
        far = library_for(what, drawn.subordinate.request());
    }
    const format& f = drawn.manager.widths;
    for (std::uint32_t m = 0; m < drawn.managers; ++m) {
        std::vector<random_manager::part> parts;
        for (const region& r : drawn.manager.map)
            parts.push_back({r.first + m * (region_bytes / drawn.managers / 4096 * 4096), 8192});
        manager_node n{nullptr, nullptr, nullptr, pin_checker(f.data_width)};
        n.end = std::make_unique<random_manager>(drawn.manager, parts, stimulus_params(), what.seed, m);
        auto model = std::make_unique<manager_model>(drawn.manager, m);
        if (what.rtl)
            n.pair = std::make_unique<bridge_pair<manager_bridge>>(
                fmt::format("manager {}", m), std::move(model),
                std::make_unique<manager_rtl>(drawn.manager, m, *near));
        else
            n.alone = std::move(model);
        m_managers.push_back(std::move(n));
    }
    for (std::uint32_t s = 0; s < drawn.memories; ++s) {
        memory_node n{nullptr, nullptr, nullptr, pin_checker(f.data_width)};
        n.end = std::make_unique<random_memory>(
            f, stimulus_params(), static_cast<random_memory::write_order>(m_random.below(3)), what.seed, s);
        auto model = std::make_unique<subordinate_model>(drawn.subordinate);
        if (what.rtl)
            n.pair = std::make_unique<bridge_pair<subordinate_bridge>>(
                fmt::format("subordinate {}", s), std::move(model),
                std::make_unique<subordinate_rtl>(drawn.subordinate, *far));
        else
            n.alone = std::move(model);
        m_memories.push_back(std::move(n));
    }
}

/// Draws the next phase: managers, memories and network are idle or full, fast or slow, each by itself.
void runner::next_phase() {
    static const double rates[] = {0.03, 0.2, 0.5, 0.9, 1, 1, 1};
    const auto rate = [&] { return rates[m_random.below(7)]; };
    const auto any = [&] {
        stimulus_params how{rate(), rate(), rate(), m_random.uniform(), m_random.below(3) == 0 ? 0.2 : 0.02,
                            0};
        how.most = 1 + m_random.below(24);
        return how;
    };
    for (auto& m : m_managers) m.end->set_stimulus(any());
    for (auto& s : m_memories) s.end->set_stimulus(any());
    m_network.set_stalls({rate(), rate(), m_random.below(4) == 0 ? 0 : m_random.below(100)});
    m_phase = 100 + m_random.below(600);
}

void runner::run_manager(std::uint32_t m, bool closing) {
    manager_node& n = m_managers[m];
    const manager_bridge::outputs o = n.bridge().out();
    manager_bridge::inputs in;
    in.axi = n.end->drive(closing);
    in.req_ready = m_network.ready() & ((1u << m_responses) - 1);
    in.rsp = m_network.shown(m, m_responses);
    n.rules.cycle(in.axi, o.axi);
    if (in.axi.ar_valid && o.axi.ar_ready && m_case.manager.owner(in.axi.ar.addr) != nullptr)
        m_asked[{std::uint64_t{m} << m_case.manager.widths.id_width | in.axi.ar.id, false}].push_back(
            in.axi.ar);
    if (in.axi.aw_valid && o.axi.aw_ready && m_case.manager.owner(in.axi.aw.addr) != nullptr)
        m_asked[{std::uint64_t{m} << m_case.manager.widths.id_width | in.axi.aw.id, true}].push_back(
            in.axi.aw);
    n.end->clock(o.axi);
    n.bridge().clock(in);
    if (o.req.what.valid && (in.req_ready >> o.req.message_class & 1) != 0)
        m_network.sent(m, o.req.message_class, o.req);
    if (in.rsp.valid && o.rsp_ready) m_network.taken(m, m_responses);
    n.refused = in.rsp.valid && !o.rsp_ready ? n.refused + 1 : 0;
    if (n.refused > 1) m_problem = "a response is not taken";
}

/// Compares a request at a memory with the requests of managers, in the order of its ID.
void runner::compare_request(std::uint64_t id, bool write, const address& a) {
    auto& asked = m_asked[{id, write}];
    address was = a;
    if (!asked.empty()) was = asked.front();
    was.id = id;
    if (asked.empty() || !(was == a))
        m_problem = "a memory is asked for what its manager did not ask for, or in another order";
    if (!asked.empty()) asked.pop_front();
}

void runner::run_memory(std::uint32_t s) {
    memory_node& n = m_memories[s];
    const std::uint32_t node = m_case.managers + s;
    const subordinate_bridge::outputs o = n.bridge().out();
    subordinate_bridge::inputs in;
    in.axi = n.end->drive();
    for (std::uint32_t c = 0; c < m_responses; ++c) in.req.push_back(m_network.shown(node, c));
    in.rsp_ready = (m_network.ready() & 1) != 0;
    n.rules.cycle(o.axi, in.axi);
    n.end->clock(o.axi);
    for (const auto& [write, a] : n.end->seen()) compare_request(a.id, write, a);
    n.end->forget_seen();
    n.bridge().clock(in);
    for (std::uint32_t c = 0; c < m_responses; ++c) {
        if (!in.req[c].valid) continue;
        if ((o.req_ready >> c & 1) != 0)
            m_network.taken(node, c);
        else
            ++m_held;
    }
    if (o.rsp.what.valid && in.rsp_ready) m_network.sent(node, m_responses, o.rsp);
}

bool runner::idle() const {
    for (const auto& m : m_managers)
        if (!m.end->idle() || !m.rules.idle()) return false;
    for (const auto& s : m_memories)
        if (!s.end->idle() || !s.rules.idle()) return false;
    return m_network.empty();
}

void runner::finish() {
    for (auto& m : m_managers) m.bridge().finish();
    for (auto& s : m_memories) s.bridge().finish();
}

bool runner::differs() const {
    const auto does = [](const auto& n) { return n.pair && n.pair->first_divergence(); };
    return std::any_of(m_managers.begin(), m_managers.end(), does) ||
           std::any_of(m_memories.begin(), m_memories.end(), does);
}

std::string runner::problem() const {
    if (!m_problem.empty()) return m_problem;
    if (!m_network.first_error().empty()) return m_network.first_error();
    for (std::size_t m = 0; m < m_managers.size(); ++m) {
        const std::string at = fmt::format("manager {}: ", m);
        if (!m_managers[m].rules.first_violation().empty()) return at + m_managers[m].rules.first_violation();
        if (!m_managers[m].end->first_error().empty()) return at + m_managers[m].end->first_error();
    }
    for (std::size_t s = 0; s < m_memories.size(); ++s)
        if (!m_memories[s].rules.first_violation().empty())
            return fmt::format("memory {}: {}", s, m_memories[s].rules.first_violation());
    return "";
}

std::string runner::go(std::uint64_t cycles, const std::function<void(double)>& on_cycle) {
    for (std::uint64_t t = 0; t < cycles + drain_limit; ++t) {
        m_now = t;
        if (on_cycle && t % 1024 == 0 && t < cycles)
            on_cycle(static_cast<double>(t) / static_cast<double>(cycles));
        const bool closing = t >= cycles;
        if (closing && idle()) {
            finish();
            return problem();
        }
        if (!closing && m_phase-- == 0) next_phase();
        if (t == cycles) {
            for (auto& s : m_memories) s.end->set_stimulus({});
            for (auto& m : m_managers) m.end->set_stimulus({});
            m_network.set_stalls({});
        }
        for (std::uint32_t m = 0; m < m_managers.size(); ++m) run_manager(m, closing);
        for (std::uint32_t s = 0; s < m_memories.size(); ++s) run_memory(s);
        m_network.end_cycle();
        if (std::string found = problem(); !found.empty()) return fmt::format("cycle {}: {}", t, found);
        if (differs()) return "";  // what follows proves nothing
    }
    return "transactions do not end";
}

void runner::count(random_outcome& o) const {
    const auto pair = [&](const auto& p) {
        if (!p) return;
        o.bridge_cycles += p->cycles_compared();
        if (!o.difference.empty() || !p->first_divergence()) return;
        o.difference = p->first_difference();
        o.cycle = p->cycles_compared();
    };
    for (const auto& m : m_managers) {
        pair(m.pair);
        o.transactions += m.end->done();
    }
    for (const auto& s : m_memories) pair(s.pair);
    if (!o.problem.empty() && o.difference.empty()) o.cycle = m_now;
    o.flits = m_network.flits();
    o.requests_held = m_held;
}

}  // namespace

config::schema<bridge_setting> bridge_setting::fields() {
    using p = bridge_setting;
    config::schema<p> s;
    s.number("managers", &p::managers, 1, 8, "nodes", "With a bridge of a manager each.")
        .number("memories", &p::memories, 1, 8, "nodes", "With a bridge of a subordinate each.")
        .number("addr_width", &p::addr_width, 20, 64, "bits", "Of an address.")
        .number("data_width", &p::data_width, 32, 512, "bits", "Of a beat; a power of two.")
        .number("id_width", &p::id_width, 1, 16, "bits", "Of a manager's IDs.")
        .number("user_width", &p::user_width, 1, 64, "bits", "Of user signals.")
        .number("flit_width", &p::flit_width, 16, 512, "bits", "Data of a flit.")
        .number("node_width", &p::node_width, 3, 16, "bits", "Of a node's number.")
        .number("request_classes", &p::request_classes, 1, 15, "classes", "Message classes of requests.")
        .number("reads", &p::reads, 1, 64, "transactions", "Of a manager at once.")
        .number("writes", &p::writes, 1, 64, "transactions", "Of a manager at once.")
        .number("per_id", &p::per_id, 1, 64, "transactions", "Of one ID at once.")
        .flag("keeps_order", &p::keeps_order, "The network keeps packets in order.")
        .number("max_beats", &p::max_beats, 1, 256, "beats", "The longest burst.")
        .number("read_beats", &p::read_beats, 1, 1024, "beats", "Places at a manager for what is read.")
        .number("write_beats", &p::write_beats, 1, 1024, "beats", "Places at a manager for what is written.")
        .number("memory_reads", &p::memory_reads, 1, 64, "transactions", "Of a memory at once.")
        .number("memory_writes", &p::memory_writes, 1, 64, "transactions", "Of a memory at once.")
        .number("memory_read_beats", &p::memory_read_beats, 1, 1024, "beats", "Places at a memory.");
    return s;
}

random_case case_of(const bridge_setting& s) {
    random_case c;
    c.managers = s.managers;
    c.memories = s.memories;
    format& f = c.manager.widths;
    f = {s.addr_width, s.data_width, s.id_width, s.user_width, s.flit_width, s.node_width, s.request_classes};
    manager_params& m = c.manager;
    m.reads = s.reads;
    m.writes = s.writes;
    m.per_id = s.per_id;
    m.keeps_order = s.keeps_order;
    m.max_beats = s.max_beats;
    m.read_beats = s.read_beats;
    m.write_beats = s.write_beats;
    m.map.clear();
    for (std::uint32_t n = 0; n < c.memories; ++n) {
        const std::uint64_t first = 0x10000 + n * (region_bytes + 0x1000);
        m.map.push_back({first, first + region_bytes - 1, c.managers + n});
    }
    c.subordinate = {f, s.memory_reads, s.memory_writes, s.max_beats, s.memory_read_beats};
    return c;
}

bridge_setting draw_bridges(std::uint64_t seed) {
    rng random(seed, stream::test, 1);
    const auto one_of = [&](std::initializer_list<std::uint32_t> all) {
        return *(all.begin() + random.below(static_cast<std::uint32_t>(all.size())));
    };
    bridge_setting s;
    const auto beats = [&] { return s.max_beats + random.below(2) * random.below(2 * s.max_beats + 1); };
    s.managers = 1 + random.below(3);
    s.memories = 1 + random.below(3);
    s.addr_width = one_of({20, 32, 32, 40, 64});
    s.data_width = one_of({32, 64, 64, 128, 256, 512});
    s.id_width = 1 + random.below(6);
    s.user_width = one_of({1, 1, 4, 13});
    s.flit_width = one_of({16, 32, 64, 72, 100, 128, 256, 512});
    s.node_width = one_of({3, 4, 8});
    s.request_classes = one_of({1, 1, 1, 2, 3});
    s.reads = one_of({1, 2, 4, 8, 16});
    s.writes = one_of({1, 2, 4, 8, 16});
    s.per_id = 1 + random.below(8);
    s.keeps_order = random.below(2) == 0;
    s.max_beats = one_of({1, 4, 7, 16, 16, 64, 256});
    s.read_beats = beats();
    s.write_beats = beats();
    s.memory_reads = one_of({1, 2, 4, 8});
    s.memory_writes = one_of({1, 2, 4, 8});
    s.memory_read_beats = beats();
    return s;
}

std::shared_ptr<cosim::rtl_library> library_for(const random_run& what, cosim::rtl_request request) {
    request.speed = what.speed;
    request.sources = what.sources;
    request.waves = !what.waves.file.empty();
    if (what.on_build && !cosim::rtl_library::is_built(request)) what.on_build(request.top);
    return cosim::rtl_library::get(request);
}

random_outcome run(const random_run& what) {
    return run(what, case_of(draw_bridges(what.seed)));
}

random_outcome run(const random_run& what, const random_case& drawn) {
    random_outcome o;
    o.parameters = fmt::format("{} managers, {} memories: {}; subordinate: {}", drawn.managers,
                               drawn.memories, cosim::text(drawn.manager.request().parameters),
                               cosim::text(drawn.subordinate.request().parameters));
    runner both(what, drawn);
    o.problem = both.go(what.cycles, what.on_cycle);
    both.count(o);
    return o;
}

}  // namespace sare::axi
