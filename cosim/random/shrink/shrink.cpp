// SPDX-License-Identifier: Apache-2.0
#include "cosim/random/shrink/shrink.h"

#include "cosim/random/shrink/edits.h"
#include "cosim/random/shrink/event_shrink.h"
#include "cosim/random/shrink/stand.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <set>

namespace sare::cosim {
namespace {

using verdict = stand::verdict;

/// Random traffic tried on a router whose adapted events do not fail.
constexpr std::uint64_t draws = 3;
constexpr cycle_t cycles_of_a_draw = 4000;

/// First random number of traffic tried on another router.
constexpr std::uint64_t first_draw = 1000;

class shrinker {
  public:
    shrinker(const random_run& what, double seconds, const std::function<void(const std::string&)>& on_step)
        : m_what(what),
          m_on_step(on_step),
          m_end(std::chrono::steady_clock::now() + std::chrono::milliseconds(std::int64_t(seconds * 1000))) {}

    std::optional<shrunk_case> go() {
        random_case drawn = draw_case(m_what.seed, m_what.most_vcs, m_what.held);
        m_best.setting = drawn.setting;
        m_best.place = drawn.at;
        m_stand = std::make_unique<stand>(m_best.setting, m_best.place, m_what.sources, m_what.old_sources);
        m_verdict = m_stand->draw(m_what.seed, m_what.cycles, m_what.drains, m_best);
        if (!m_verdict.fails) return {};
        cut_events(events());
        tell("traffic");
        shrink_events(events(), 200);
        shrink_router();
        tell("events");
        polish_events(events());
        shrunk_case s;
        s.smallest = m_best;
        s.problem = m_verdict.text;
        s.cycles = m_verdict.cycle != 0 ? m_verdict.cycle : m_best.end();
        s.builds = m_builds;
        s.runs = m_runs;
        s.complete = !late();
        return s;
    }

  private:
    bool late() const { return std::chrono::steady_clock::now() > m_end; }
    void tell(const char* what) const {
        if (m_on_step)
            m_on_step(fmt::format("{}: {} ports, {} VCs, {} packets, cycle {}", what, m_best.setting.ports,
                                  m_best.setting.model.vcs, m_best.packets.size(), m_verdict.cycle));
    }

    // ---- events, on a router that is built

    /// Takes `c` if it fails.
    bool take(pin_case c) {
        if (late() || c.packets.empty()) return false;
        ++m_runs;
        const verdict v = m_stand->run(c);
        if (!v.fails) return false;
        m_best = std::move(c);
        m_verdict = v;
        return true;
    }
    /// Tries on m_best of changed events.
    event_trial events() {
        return {m_best,
                [this](pin_events e) {
                    pin_case c = m_best;
                    static_cast<pin_events&>(c) = std::move(e);
                    return take(std::move(c));
                },
                [this] { return m_verdict.cycle; }};
    }

    // ---- the router

    void shrink_router() {
        simplify(simplifying_edits(m_best));
        simplify_each(halving_edits());
        simplify_each(simplifying_edits(m_best));
    }
    /// Applies all edits at once; if the case then does not fail, either half of them.
    void simplify(const std::vector<edit>& edits) {
        if (edits.empty() || late() || try_router(edits) || edits.size() == 1) return;
        const auto middle = edits.begin() + static_cast<std::ptrdiff_t>(edits.size() / 2);
        simplify({edits.begin(), middle});
        simplify({middle, edits.end()});
    }
    void simplify_each(const std::vector<edit>& edits) {
        for (const edit& e : edits)
            if (!late()) try_router({e});
    }

    /// Returns true also if there is nothing left to change.
    bool try_router(const std::vector<edit>& edits) {
        pin_case c = m_best;
        for (const edit& e : edits) e(c);
        fit_events(c);
        const std::string key = router_text(c);
        if (key == router_text(m_best)) return true;
        if (!c.setting.problem().empty() || !m_tried.insert(key).second) return false;
        try {
            return fails_on(c);
        } catch (const std::runtime_error&) {
            return false;  // no such router
        }
    }
    static std::string router_text(pin_case c) {
        c.packets.clear();
        c.credits.clear();
        return text(c);
    }
    bool fails_on(const pin_case& c) {
        auto other = std::make_unique<stand>(c.setting, c.place, m_what.sources, m_what.old_sources);
        ++m_builds;
        std::swap(m_stand, other);
        if (take(c)) {
            cut_events(events());
            tell("router");
            return true;
        }
        for (std::uint64_t n = 0; n < draws && !late(); ++n) {
            pin_case drawn = c;
            const verdict v = m_stand->draw(first_draw + n, cycles_of_a_draw, n % 2 != 0, drawn);
            ++m_runs;
            if (!v.fails) continue;
            m_best = drawn;
            m_verdict = v;
            cut_events(events());
            shrink_events(events(), 100);
            tell("router, other traffic");
            return true;
        }
        std::swap(m_stand, other);
        return false;
    }

    const random_run m_what;
    const std::function<void(const std::string&)> m_on_step;
    const std::chrono::steady_clock::time_point m_end;
    pin_case m_best;
    verdict m_verdict;
    std::unique_ptr<stand> m_stand;
    std::set<std::string> m_tried;  ///< routers that were tried
    std::uint32_t m_builds = 0, m_runs = 0;
};

}  // namespace

std::optional<shrunk_case> shrink(const random_run& what, double seconds,
                                  const std::function<void(const std::string&)>& on_step) {
    return shrinker(what, seconds, on_step).go();
}

}  // namespace sare::cosim
