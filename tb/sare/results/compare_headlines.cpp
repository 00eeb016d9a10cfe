// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/commands.h"
#include "tb/sare/process/terminal.h"
#include "tb/sare/results/compare.h"
#include "tb/sare/results/headline.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace sare::cli {
namespace fs = std::filesystem;
namespace {

enum class verdict { identical, within_noise, differs, unknown };

/// A figure of both results; `where` is the point of a sweep.
struct figure_pair {
    std::string where;
    headline_figure a, b;
    verdict judged = verdict::identical;
    mean_difference how_much = {};
};

bool is_tested(const figure_pair& p) {
    return p.a.is_number && !p.a.samples.empty() && !p.b.samples.empty() && p.a.samples != p.b.samples &&
           p.a.value.has_error() && p.b.value.has_error();
}

void judge(figure_pair& p, double confidence) {
    const headline_figure &a = p.a, &b = p.b;
    if (!a.is_number) {
        p.judged = a.text == b.text ? verdict::identical : verdict::differs;
    } else if (a.samples == b.samples) {
        p.judged = verdict::identical;
    } else if (a.samples.empty() || b.samples.empty()) {
        p.judged = verdict::differs;
    } else if (is_tested(p)) {
        p.how_much = welch(a.value, b.value, confidence);
        p.judged = p.how_much.is_significant() ? verdict::differs : verdict::within_noise;
    } else {
        p.how_much = {b.value.mean - a.value.mean, NAN};
        p.judged = a.is_exact ? verdict::differs : verdict::unknown;
    }
}

/// Judges all figures. The more are tested, the more of them chance would call different: each has a share of
/// what the user allows for all (Bonferroni).
void judge(std::vector<figure_pair>& all, double confidence) {
    const auto tested = std::count_if(all.begin(), all.end(), is_tested);
    const double each = 1 - (1 - confidence) / static_cast<double>(std::max<std::ptrdiff_t>(tested, 1));
    for (figure_pair& p : all) judge(p, each);
}

std::string difference_text(const figure_pair& p) {
    std::string by =
        p.how_much.is_known() ? with_error(p.how_much.by, p.how_much.half_width) : readable(p.how_much.by, 3);
    if (p.how_much.by >= 0) by.insert(0, "+");
    if (p.a.value.mean != 0)
        by += fmt::format(" ({:+.3g} %)", 100 * p.how_much.by / std::abs(p.a.value.mean));
    return by;
}

std::string verdict_text(const figure_pair& p) {
    if (p.judged == verdict::identical) return in_colour("identical", colour::dim);
    const std::string differs = in_colour("differs", colour::red);
    if (!p.a.is_number || p.a.samples.empty() || p.b.samples.empty()) return differs;
    const std::string by = difference_text(p);
    if (p.judged == verdict::unknown) return in_colour("noise unknown", colour::yellow) + ": " + by;
    if (p.judged == verdict::differs) return differs + " by " + by;
    return in_colour("within noise", colour::green) + ": " + by;
}

std::size_t count_of(const std::vector<figure_pair>& all, verdict v) {
    return static_cast<std::size_t>(
        std::count_if(all.begin(), all.end(), [v](const figure_pair& p) { return p.judged == v; }));
}

/// Returns "seeds 5", "batches of one run".
std::string sample_text(const result_set& s) {
    std::size_t most = 0;
    for (const auto& one : s.settings) most = std::max(most, one.runs.size());
    return most > 1 ? fmt::format("{} seeds", most) : "one run";
}

/// Returns the parameters that differ.
std::string changed_parameters(const result_set& a, const result_set& b) {
    figures of_a, of_b;
    flatten(a.config, "", of_a);
    flatten(b.config, "", of_b);
    std::map<std::string, json> other(of_b.begin(), of_b.end());
    std::vector<std::string> parts;
    for (const auto& [path, x] : of_a) {
        const auto found = other.find(path);
        if (path != "seed" && (found == other.end() || found->second != x))
            parts.push_back(
                fmt::format("{} {} | {}", path, shown(x), found == other.end() ? "-" : shown(found->second)));
        if (found != other.end()) other.erase(found);
    }
    for (const auto& [path, y] : of_b)
        if (other.count(path) != 0 && path != "seed")
            parts.push_back(fmt::format("{} - | {}", path, shown(y)));
    constexpr std::size_t most = 8;
    if (parts.empty()) return "";
    std::string text = fmt::format(
        "{}", fmt::join(parts.begin(),
                        parts.begin() + static_cast<std::ptrdiff_t>(std::min(parts.size(), most)), "; "));
    if (parts.size() > most) text += fmt::format("; and {} more parameters", parts.size() - most);
    return wrapped("set: " + text, terminal_width() - 5, 5) + "\n";
}

void pair_up(const std::string& where, const std::vector<json>& a, const std::vector<json>& b,
             std::vector<figure_pair>& all) {
    std::vector<headline_figure> of_a = headlines(a), of_b = headlines(b);
    for (headline_figure& x : of_a) {
        const auto y = std::find_if(of_b.begin(), of_b.end(),
                                    [&](const headline_figure& h) { return h.name == x.name; });
        headline_figure other;
        other.name = x.name;
        other.is_number = x.is_number;
        if (y != of_b.end()) {
            other = std::move(*y);
            of_b.erase(y);
        }
        all.push_back({where, std::move(x), std::move(other)});
    }
    for (headline_figure& y : of_b) {
        headline_figure other;
        other.name = y.name;
        other.is_number = y.is_number;
        all.push_back({where, std::move(other), std::move(y)});
    }
}

/// Matches the settings of two sweeps by the values on the axes that both have.
class matched_sweeps {
  public:
    matched_sweeps(const result_set& a, const result_set& b) : m_a(a), m_b(b) {
        for (const std::string& axis : a.axes)
            if (std::find(b.axes.begin(), b.axes.end(), axis) != b.axes.end()) m_axes.push_back(axis);
        if (m_axes != a.axes || m_axes.size() != b.axes.size())
            throw usage_error(
                fmt::format("compare: {} is a sweep along {}, and {} along {}; points are compared where the "
                            "axes are the same",
                            a.where.string(), list(a.axes), b.where.string(), list(b.axes)));
    }

    std::vector<figure_pair> pairs() {
        std::vector<figure_pair> all;
        add_curves(all);
        std::map<std::vector<std::string>, const result_setting*> others;
        for (const auto& s : m_b.settings) others.emplace(key(m_b, s), &s);
        for (const auto& s : m_a.settings) {
            const auto found = others.find(s.values);
            if (found == others.end()) continue;
            ++m_matched;
            pair_up(name(s.values, ""), s.runs, found->second->runs, all);
        }
        if (m_matched == 0)
            throw usage_error(fmt::format("compare: no point of {} has the parameters of one of {}",
                                          m_a.where.string(), m_b.where.string()));
        return all;
    }

    std::string left_over() const {
        const std::size_t a = m_a.settings.size() - m_matched, b = m_b.settings.size() - m_matched;
        std::string text = fmt::format("{} points compared", m_matched);
        if (a != 0) text += fmt::format("; {} are in A alone", a);
        if (b != 0) text += fmt::format("; {} are in B alone", b);
        return text + "\n";
    }

  private:
    static constexpr const char* load = "traffic.load";

    static std::string list(const std::vector<std::string>& axes) {
        return axes.empty() ? "none" : fmt::format("{}", fmt::join(axes, ", "));
    }

    /// Returns the values in the order of the first sweep's axes.
    std::vector<std::string> key(const result_set& of, const result_setting& s) const {
        std::vector<std::string> values;
        for (const std::string& axis : m_axes)
            values.push_back(s.values[static_cast<std::size_t>(
                std::find(of.axes.begin(), of.axes.end(), axis) - of.axes.begin())]);
        return values;
    }

    std::string name(const std::vector<std::string>& values, const std::string& without) const {
        std::string text;
        for (std::size_t i = 0; i < m_axes.size(); ++i)
            if (m_axes[i] != without)
                text +=
                    (text.empty() ? "" : ", ") + m_axes[i].substr(m_axes[i].rfind('.') + 1) + " " + values[i];
        return text;
    }

    using curve = std::vector<const std::vector<json>*>;
    std::map<std::string, curve> curves(const result_set& of) const {
        std::map<std::string, curve> all;
        for (const auto& s : of.settings) all[name(key(of, s), load)].push_back(&s.runs);
        return all;
    }

    void add_curves(std::vector<figure_pair>& all) const {
        if (std::find(m_axes.begin(), m_axes.end(), load) == m_axes.end()) return;
        const auto others = curves(m_b);
        for (const auto& [name, points] : curves(m_a))
            if (const auto found = others.find(name); found != others.end())
                all.push_back({name, saturation(points), saturation(found->second)});
    }

    const result_set &m_a, &m_b;
    std::vector<std::string> m_axes;
    std::size_t m_matched = 0;
};

std::string row_name(const figure_pair& p) {
    return p.where.empty() ? p.a.name : p.a.name + ", " + p.where;
}

std::string counts_text(const std::vector<figure_pair>& all) {
    std::string text =
        fmt::format("{} of {} figures differ; {} within noise, {} identical", count_of(all, verdict::differs),
                    all.size(), count_of(all, verdict::within_noise), count_of(all, verdict::identical));
    if (const auto n = count_of(all, verdict::unknown))
        text += fmt::format(", {} of unknown noise (--seeds of run and sweep tells it)", n);
    return wrapped(text, terminal_width(), 0) + "\n";
}

}  // namespace

comparison compare_headlines(const fs::path& where_a, const fs::path& where_b, const compare_options& o) {
    const result_set a = read_results(where_a), b = read_results(where_b);
    const bool single = a.is_one() && b.is_one();
    if (!single && a.is_one() != b.is_one()) {
        const auto& [sweep, run] = a.is_one() ? std::tie(b, a) : std::tie(a, b);
        throw usage_error(fmt::format(
            "compare: {} is a sweep and {} a run; name two of a kind: the runs of a sweep are in {}",
            sweep.where.string(), run.where.string(), (sweep.where / "points").string()));
    }
    std::string text =
        wrapped(fmt::format("A: {}, {}", where_a.string(), sample_text(a)), terminal_width(), 3) + "\n" +
        wrapped(fmt::format("B: {}, {}", where_b.string(), sample_text(b)), terminal_width(), 3) + "\n" +
        changed_parameters(a, b);
    std::vector<figure_pair> pairs;
    std::string left_over;
    if (single) {
        pair_up("", a.settings[0].runs, b.settings[0].runs, pairs);
    } else {
        matched_sweeps both(a, b);
        pairs = both.pairs();
        left_over = both.left_over();
    }
    judge(pairs, o.confidence);
    std::vector<std::vector<std::string>> rows{{"figure", "A", "B", "B against A"}};
    bool any_star = false;
    for (const figure_pair& p : pairs)
        if (single || p.judged == verdict::differs || p.a.name == "highest accepted load") {
            rows.push_back({row_name(p), p.a.cell(), p.b.cell(), verdict_text(p)});
            any_star = any_star || !p.a.is_steady || !p.b.is_steady;
        }
    if (rows.size() > 1) text += "\n" + table_or_paragraphs(rows, terminal_width()) + "\n";
    if (any_star) text += wrapped(not_steady, terminal_width(), 2) + "\n";
    return {count_of(pairs, verdict::differs) != 0, text + left_over + counts_text(pairs)};
}

}  // namespace sare::cli
