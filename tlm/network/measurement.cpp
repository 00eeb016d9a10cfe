// SPDX-License-Identifier: Apache-2.0
#include "tlm/network/measurement.h"

#include "tlm/base/world.h"
#include "tlm/network/results/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace sare {
namespace {

/// Half width of the 95% confidence interval of the mean of batch means (Student's t).
double half_width(const std::vector<double>& means) {
    const std::size_t n = means.size();
    if (n < 2) return std::numeric_limits<double>::quiet_NaN();
    static constexpr double t[] = {12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
                                   2.201,  2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086,
                                   2.080,  2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042};
    double mean = 0, squares = 0;
    for (const double m : means) mean += m / static_cast<double>(n);
    for (const double m : means) squares += (m - mean) * (m - mean);
    const double factor = n - 1 <= 30 ? t[n - 2] : 1.96;
    return factor * std::sqrt(squares / static_cast<double>(n - 1) / static_cast<double>(n));
}

constexpr std::size_t series_points = 500;

}  // namespace

measurement::measurement(network_engine& engine, workload& w, const measurement_params& params,
                         const run_control& control)
    : m_engine(engine),
      m_workload(w),
      m_params(params),
      m_control(control),
      m_collector(engine.counters(), params.matrix,
                  [&engine](std::uint32_t r, std::uint32_t p, std::uint32_t v) {
                      return engine.flits_sent(r, p, v);
                  }),
      m_kept(clock::now()),
      m_shown(m_kept) {
    engine.set_observer(&m_collector);
    m_progress.left = params.warmup;
    m_progress.length = params.series_interval != 0 ? params.series_interval : 100;
}

void measurement::run(run_result& out) {
    m_out = &out;
    m_now = m_engine.cycle();
    if (m_control.keep) {
        state_size nothing;
        serialize(nothing);
    }
    if (m_control.resume != nullptr) m_control.resume->restore([this](archive& a) { serialize(a); });
    if (m_workload.runs_to_completion())
        run_to_completion(out);
    else
        run_steady(out);
    finish(out);
    // Rank 0 alone knows all that was measured; they are to end alike.
    if (world* const all = m_engine.counters().processes())
        out.status = static_cast<run_status>(all->of_first(static_cast<std::uint64_t>(out.status)));
}

/// Returns the cycles of the next step, a point of the series: a very long warm-up has fewer points.
cycle_t measurement::warm_up_step() const {
    return std::min(m_progress.left,
                    std::max<cycle_t>(m_params.convergence_interval, m_params.warmup / series_points));
}

/// Returns false if the run has to end.
bool measurement::warm_up() {
    m_phase = "warm-up";
    while (m_progress.left != 0) {
        const cycle_t step = warm_up_step();
        if (!advance(step)) return false;
        m_progress.left -= step;
    }
    m_recent.clear();
    m_progress.is = stage::converging;
    return true;
}

/// Returns an interval long enough for as many packets as asked for, judging by the arrivals so far.
cycle_t measurement::with_packets(cycle_t length) const {
    constexpr double longest = 1000;  // times as asked for
    if (m_params.convergence_count == 0 || m_params.interval_packets == 0) return length;
    const std::uint64_t packets = m_engine.counters().packets_consumed();
    if (packets == 0) return length;
    const double wanted = std::ceil(static_cast<double>(m_params.interval_packets) *
                                    static_cast<double>(m_now) / static_cast<double>(packets));
    const auto least = static_cast<double>(length);
    return static_cast<cycle_t>(std::clamp(wanted, least, longest * least));
}

bool measurement::converge(run_result& out) {
    m_phase = "converging";
    for (; m_params.convergence_count != 0 && !converged(); ++m_progress.n) {
        if (m_progress.n == m_params.convergence_limit) {
            out.reason =
                fmt::format("latency and accepted load had not settled after {} cycles beyond the warm-up",
                            m_now - m_params.warmup);
            break;
        }
        if (!advance(with_packets(m_params.convergence_interval))) return false;
    }
    m_collector.start_measuring(m_now, m_workload);
    m_progress.is = stage::measuring;
    m_progress.n = 0;
    m_progress.length = with_packets(m_params.batch);
    return true;
}

void measurement::run_steady(run_result& out) {
    if (m_progress.is == stage::warm_up && !warm_up()) return;
    if (m_progress.is == stage::converging && !converge(out)) return;
    for (; m_progress.n < m_params.batches; ++m_progress.n) {
        m_phase = "measuring";
        const bool more = advance(m_progress.length);
        if (m_last.from != m_last.to)
            out.batches.push_back({m_last.from, m_last.to, m_last.latency_mean, m_last.accepted,
                                   m_last.offered, m_last.injected});
        if (!more) return;
    }
    // A network in which nothing moves any more is not saturated: the watchdog has to say what it is.
    while ((m_progress.end != 0 || stands_still()) && advance(m_params.batch)) continue;
}

/// Returns why nothing goes on; with several processes the text is in the first one.
std::string measurement::why_stuck() const {
    standstill why = m_workload.stuck();
    if (world* const all = m_engine.counters().processes(); all != nullptr) {
        const std::uint64_t place = why.first.empty() ? ~std::uint64_t{0} : why.place;
        why.first = all->first_said(all->least(place) == place ? why.first : "");
        why.tasks = all->sum(why.tasks);
    }
    return why.text();
}

/// Returns the cycles of the next interval of a run to completion; 0: the run has to end.
cycle_t measurement::length_to_go(cycle_t length) {
    if (m_params.max_cycles != 0 && m_now >= m_params.max_cycles) {
        end_now(run_status::cycle_limit, "measurement.max_cycles reached");
        return 0;
    }
    const cycle_t next = m_engine.next_work(m_now == 0 ? 0 : m_now - 1);
    if (m_now != 0 && next == workload::never) {
        const std::string why = why_stuck();
        end_now(run_status::stuck,
                why.empty() ? "nothing is left to do and the workload has not finished" : why);
        return 0;
    }
    // Over idle spans in one go.
    cycle_t step = length;
    if (m_now != 0 && next > m_now + length) step = next - m_now + length;
    if (m_params.max_cycles != 0) step = std::min(step, m_params.max_cycles - m_now);
    return step;
}

void measurement::run_to_completion(run_result& out) {
    if (m_progress.is != stage::running) m_collector.start_measuring(m_now, m_workload);
    m_progress.is = stage::running;
    m_phase = "running";
    while (!m_engine.finished()) {
        const cycle_t step = m_progress.end != 0 ? 0 : length_to_go(m_progress.length);
        if ((m_progress.end == 0 && step == 0) || !advance(step)) return;
        if (m_params.series_interval == 0 && out.series.size() >= series_points) {
            thin_series();
            m_progress.length *= 2;
        }
    }
}

/// Continues an interval that was begun before the run was resumed.
bool measurement::advance(cycle_t length) {
    if (m_progress.end == 0) m_progress.end = m_now + length;
    const cycle_t end = m_progress.end;
    while (m_now < end && !m_engine.finished() && !stop_wanted()) {
        pause_if_due();
        // A span takes its time from where there is something to do: idle cycles take none.
        const cycle_t next = m_now == 0 ? 0 : m_engine.next_work(m_now - 1);
        const cycle_t furthest = std::min({end, next_checkpoint(), m_pause_at, m_collector.next_look()});
        m_now = std::min(furthest, std::min(std::max(m_now, next), end) + m_attention_span);
        const auto begun = clock::now();
        m_engine.run_until(m_now);
        adapt_attention(clock::now() - begun);
        if (!m_engine.finished()) m_collector.look(m_now);
        agree();
        keep_if_due();
        show();
        pause_if_due();
    }
    // Looked at once: a wish that comes from here on is the next interval's, which writes its checkpoint.
    const bool stopped = stop_wanted() && !m_engine.finished();
    if (stopped) keep();
    m_progress.end = 0;
    if (m_engine.finished()) m_now = m_engine.finished_at() + 1;
    m_last = m_collector.end_interval(m_now, m_workload);
    if (!m_workload.runs_to_completion()) m_collector.note_backlogs(m_now, m_workload);
    if (m_last.from != m_last.to) {  // else stopped before its first cycle
        m_recent.push_back(m_last);
        if (m_recent.size() > m_params.convergence_count) m_recent.pop_front();
        note_series(m_last);
    }
    m_collector.sample_queues(m_now);
    return stopped ? end_now(run_status::interrupted, "stopped from outside") : alive();
}

/// Adapts the time between looks at the outside world to some looks a second, however large the network.
void measurement::adapt_attention(clock::duration took) {
    if (took > std::chrono::milliseconds(100) && m_attention_span > 1) m_attention_span /= 2;
    if (took < std::chrono::milliseconds(10) && m_attention_span < 1'000'000) m_attention_span *= 2;
}

/// Makes several processes do the same: rank 0 decides what depends on the wall clock and the outside world.
void measurement::agree() {
    world* const all = m_engine.counters().processes();
    if (all == nullptr) return;
    m_attention_span = all->of_first(m_attention_span);
    const bool told = m_control.stop != nullptr && *m_control.stop != 0;
    m_stopped = all->of_first(std::uint64_t{told}) != 0;
}

bool measurement::stop_wanted() const {
    if (m_engine.counters().processes() != nullptr) return m_stopped;
    return m_control.stop != nullptr && *m_control.stop != 0;
}

/// True if flits are in the network and none has moved for a batch.
bool measurement::stands_still() const {
    const counted_network& net = m_engine.counters();
    return net.flits_inside() != 0 && m_now - m_moved_at >= m_params.batch;
}

/// Ends a run whose network is dead.
bool measurement::alive() {
    const counted_network& net = m_engine.counters();
    const bool can_block = m_engine.has_contention() && net.flits_inside() != 0;
    const std::uint32_t moves = m_collector.moves();
    if (!can_block || moves != m_last_moves) {
        m_last_moves = moves;
        m_moved_at = m_now;
        return true;
    }
    if (m_now - m_moved_at < m_params.watchdog) return true;
    return end_now(run_status::deadlock, fmt::format("nothing moved from cycle {} to cycle {}; {}",
                                                     m_moved_at, m_now, m_engine.describe_standstill()));
}

bool measurement::end_now(run_status status, const std::string& reason) {
    m_out->status = status;
    m_out->reason = reason;
    return false;
}

bool measurement::converged() const {
    if (m_recent.size() < m_params.convergence_count) return false;
    double latency = 0, accepted = 0;
    for (const auto& i : m_recent) {
        latency += i.latency_mean / static_cast<double>(m_recent.size());
        accepted += i.accepted / static_cast<double>(m_recent.size());
    }
    const double slack = m_params.convergence_tolerance;
    return std::all_of(m_recent.begin(), m_recent.end(), [&](const collector::interval& i) {
        // An interval without packets agrees with others without packets.
        const bool same_latency =
            std::isnan(latency) ? i.packets == 0 : std::fabs(i.latency_mean - latency) <= slack * latency;
        return same_latency && std::fabs(i.accepted - accepted) <= slack * accepted;
    });
}

void measurement::note_series(const collector::interval& i) {
    const counted_network& net = m_engine.counters();
    m_out->series.push_back({i.to, i.offered, i.injected, i.accepted, i.latency_mean, net.packets_inside()});
}

/// Joins neighbouring points, so that the series of a run of unknown length stays short.
void measurement::thin_series() {
    auto& s = m_out->series;
    std::vector<series_point> joined;
    std::uint64_t start = 0;
    for (std::size_t k = 0; k + 1 < s.size(); k += 2) {
        const series_point &a = s[k], &b = s[k + 1];
        const auto first = static_cast<double>(a.cycle - start),
                   second = static_cast<double>(b.cycle - a.cycle);
        const double all = first + second;
        series_point p = b;
        p.offered = (a.offered * first + b.offered * second) / all;
        p.injected = (a.injected * first + b.injected * second) / all;
        p.accepted = (a.accepted * first + b.accepted * second) / all;
        const double arrived_a = std::isnan(a.latency_mean) ? 0 : a.accepted * first;
        const double arrived_b = std::isnan(b.latency_mean) ? 0 : b.accepted * second;
        if (arrived_a + arrived_b > 0)
            p.latency_mean = ((arrived_a > 0 ? a.latency_mean * arrived_a : 0) +
                              (arrived_b > 0 ? b.latency_mean * arrived_b : 0)) /
                             (arrived_a + arrived_b);
        joined.push_back(p);
        start = b.cycle;
    }
    if (s.size() % 2 != 0) joined.push_back(s.back());
    s = std::move(joined);
}

void measurement::show() {
    if (!m_control.on_progress) return;
    const auto now = clock::now();
    if (now - m_shown < std::chrono::milliseconds(200)) return;
    m_shown = now;
    m_control.on_progress({m_now, done(), m_phase});
}

/// A pause sees the state that a checkpoint of the same cycle has.
void measurement::pause_if_due() {
    if (m_now < m_pause_at || m_engine.finished()) return;
    m_pause_at =
        m_control.pause ? m_control.pause(m_now, [this](archive& a) { serialize(a); }) : workload::never;
}

/// Returns the part done, in [0, 1]; negative: unknown. A steady run counts cycles as if it converges at
/// once.
double measurement::done() const {
    if (m_workload.runs_to_completion()) return m_workload.progress();
    const cycle_t settling = m_params.convergence_count * m_params.convergence_interval;
    const cycle_t batch = m_progress.is == stage::measuring ? m_progress.length : m_params.batch;
    cycle_t before = m_params.warmup - m_progress.left, step = warm_up_step();
    if (m_progress.is == stage::converging) {
        before += std::min(m_progress.n, m_params.convergence_count) * m_params.convergence_interval;
        step = m_progress.n < m_params.convergence_count ? m_params.convergence_interval : 0;
    } else if (m_progress.is == stage::measuring) {
        before += settling + m_progress.n * batch;
        step = m_progress.n < m_params.batches ? batch : 0;
    }
    const cycle_t to_come = m_progress.end > m_now ? m_progress.end - m_now : 0;
    if (m_progress.end != 0 && step > to_come) before += step - to_come;
    const cycle_t all = m_params.warmup + settling + m_params.batches * batch;
    return static_cast<double>(before) / static_cast<double>(all);
}

/// Judges a network where nothing piles up, but many messages may be under way.
void measurement::judge_without_contention(run_result& out) const {
    if (m_engine.slowest_message() <= out.measured_from || out.status == run_status::saturated) return;
    out.status = run_status::unsettled;
    out.reason = fmt::format(
        "messages take up to {} cycles, and were measured from cycle {} on: of those that take long too few "
        "had arrived; raise measurement.warmup",
        m_engine.slowest_message(), out.measured_from);
}

void measurement::finish(run_result& out) {
    out.cycles = m_now;
    const source_backlogs::trend backlogs = m_collector.report(m_now, m_workload, out);
    std::vector<double> means;
    for (const auto& b : out.batches)
        if (!std::isnan(b.latency_mean)) means.push_back(b.latency_mean);
    out.packet_latency.from_generation.ci95 = half_width(means);
    if (out.status == run_status::completed && !m_workload.runs_to_completion()) {
        judge({backlogs, out.reason, m_params.convergence_tolerance, m_workload.loop(),
               m_engine.queues_at_nodes()},
              out);
        if (!m_engine.has_contention()) judge_without_contention(out);
        m_workload.judged(seen_by_workload(backlogs, m_engine.counters().classes(), out.status));
    }
    const bool at_its_end = out.status == run_status::completed || out.status == run_status::saturated ||
                            out.status == run_status::unsettled;
    if (std::string why = at_its_end ? m_workload.failure() : ""; !why.empty()) {
        out.status = run_status::failed;
        out.reason = std::move(why);
    }
    if (world* const all = m_engine.counters().processes()) m_workload.add_up(*all);
    out.workload = m_workload.results();
    out.workload_host = m_workload.host_results();
    out.tables = m_workload.tables();
    out.files = m_workload.files();
}

}  // namespace sare
