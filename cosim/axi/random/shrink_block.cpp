// SPDX-License-Identifier: Apache-2.0
#include "cosim/axi/random/block_case.h"

#include <chrono>
#include <limits>
#include <set>

namespace sare::axi {
namespace {

using block_edit = std::function<void(block_case&)>;

/// Cycles and seeds tried with simpler parameters, and seeds tried with the simplest.
constexpr std::uint64_t trial_cycles = 4000, trial_seeds = 3, last_seeds = 60;

template <class Setting, class Field>
block_edit become(Setting block_case::*part, Field Setting::*field, Field value) {
    return [=](block_case& c) { c.*part.*field = value; };
}
template <class Setting>
block_edit at_most(Setting block_case::*part, std::uint32_t Setting::*field, std::uint32_t most) {
    return [=](block_case& c) { c.*part.*field = std::min(c.*part.*field, most); };
}

/// Edits that simplify bridges, the most useful first.
std::vector<block_edit> bridge_edits() {
    using b = bridge_setting;
    std::vector<block_edit> all;
    const auto to = [&](std::uint32_t b::*field, std::uint32_t value) {
        all.push_back(at_most(&block_case::bridges, field, value));
    };
    to(&b::managers, 1);
    to(&b::memories, 1);
    to(&b::request_classes, 1);
    to(&b::max_beats, 1);
    for (auto field : {&b::read_beats, &b::write_beats, &b::memory_read_beats}) to(field, 1);
    to(&b::data_width, 32);
    to(&b::addr_width, 32);
    to(&b::flit_width, 64);
    for (auto field : {&b::id_width, &b::user_width}) to(field, 1);
    to(&b::node_width, 3);
    for (auto field : {&b::reads, &b::writes, &b::per_id, &b::memory_reads, &b::memory_writes}) to(field, 1);
    all.push_back(become(&block_case::bridges, &b::keeps_order, false));
    for (auto field : {&b::managers, &b::memories, &b::max_beats, &b::id_width, &b::reads, &b::writes,
                       &b::per_id, &b::memory_reads, &b::memory_writes})
        to(field, 2);
    return all;
}

std::vector<block_edit> nic_edits() {
    using n = nic_setting;
    std::vector<block_edit> all;
    const auto to = [&](std::uint32_t n::*field, std::uint32_t value) {
        all.push_back(at_most(&block_case::nic, field, value));
    };
    for (auto field : {&n::classes, &n::vcs}) to(field, 1);
    for (auto field : {&n::depth, &n::places}) to(field, 2);
    for (auto field : {&n::delay, &n::credit_delay}) to(field, 0);
    to(&n::flit_width, 16);
    to(&n::nodes, 2);
    to(&n::side, 0);
    for (auto field : {&n::shared, &n::cut_through, &n::atomic, &n::lookahead, &n::rings})
        all.push_back(become(&block_case::nic, field, false));
    for (auto field : {&n::classes, &n::vcs, &n::side}) to(field, 2);
    return all;
}

/// Adapts parameters to each other.
void fit(block_case& c) {
    bridge_setting& b = c.bridges;
    for (auto* places : {&b.read_beats, &b.write_beats, &b.memory_read_beats})
        *places = std::max(*places, b.max_beats);
    nic_setting& n = c.nic;
    if (n.vcs % n.classes != 0) n.classes = 1;
    n.rings = n.rings && n.side != 0;
    n.reserved = std::min(n.reserved, n.depth);
    n.router = n.side == 0 ? 0 : n.router % (n.side * n.side);
}

class block_shrinker {
  public:
    block_shrinker(const block_case& failing, std::string sources, double seconds)
        : m_sources(std::move(sources)),
          m_end(std::chrono::steady_clock::now() + std::chrono::milliseconds(std::int64_t(seconds * 1000))) {
        m_shrunk.smallest = failing;
    }

    std::optional<shrunk_block> go() {
        if (!take(m_shrunk.smallest)) return {};
        const auto edits = m_shrunk.smallest.of == block_kind::bridges ? bridge_edits() : nic_edits();
        simplify(edits.begin(), edits.end());
        for (const block_edit& e : edits) try_edits(&e, &e + 1);
        for (std::uint64_t seed = 1; seed <= last_seeds && !late(); ++seed) {
            block_case c = m_shrunk.smallest;
            c.seed = seed;
            take(c, m_shrunk.cycles - 1);
        }
        m_shrunk.complete = !late();
        return m_shrunk;
    }

  private:
    using place = std::vector<block_edit>::const_iterator;

    bool late() const { return std::chrono::steady_clock::now() > m_end; }
    /// Takes `c`, up to the difference, if it fails by cycle `latest`. Bridges may fail after the traffic,
    /// while it is under way: then the cycles stay.
    bool take(block_case c, std::uint64_t latest = std::numeric_limits<std::uint64_t>::max()) {
        c.cycles = std::min(c.cycles, latest);
        if (c.cycles == 0) return false;
        ++m_shrunk.runs;
        random_run how;
        how.speed = cosim::rtl_speed::quick;
        how.sources = m_sources;
        const random_outcome o = run(c, how);
        if (o.wrong().empty() || o.cycle > latest) return false;
        m_shrunk.cycles = o.cycle;
        c.cycles = std::min(c.cycles, o.cycle);
        m_shrunk.problem = o.wrong();
        m_shrunk.smallest = std::move(c);
        return true;
    }
    /// Applies all edits at once; if the case then does not fail, either half of them.
    void simplify(place begin, place end) {
        if (begin == end || late() || try_edits(&*begin, &*begin + (end - begin)) || end - begin == 1) return;
        const place middle = begin + (end - begin) / 2;
        simplify(begin, middle);
        simplify(middle, end);
    }
    /// Returns true also if there is nothing left to change.
    bool try_edits(const block_edit* begin, const block_edit* end) {
        block_case c = m_shrunk.smallest;
        for (const block_edit* e = begin; e != end; ++e) (*e)(c);
        fit(c);
        const std::string key = parameters_of(c);
        if (key == parameters_of(m_shrunk.smallest)) return true;
        if (late() || !m_tried.insert(key).second) return false;
        ++m_shrunk.builds;
        const std::uint64_t first = c.seed;
        for (std::uint64_t k = 0; k < trial_seeds; ++k) {
            c.seed = first + k;
            c.cycles = trial_cycles;
            if (take(c)) return true;
        }
        return false;
    }

    const std::string m_sources;
    const std::chrono::steady_clock::time_point m_end;
    shrunk_block m_shrunk;
    std::set<std::string> m_tried;
};

}  // namespace

std::optional<shrunk_block> shrink(const block_case& failing, const std::string& sources, double seconds) {
    return block_shrinker(failing, sources, seconds).go();
}

}  // namespace sare::axi
