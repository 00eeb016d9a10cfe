// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/stats/table.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <variant>
#include <vector>

/// What a run answers, figure by figure: each is declared once, and becomes a column of a table or a key of
/// summary.json, a line of `sare describe statistics`, and a plot.
namespace sare {

class network_view;
class statistic;
class topology;
struct run_result;

/// What a figure is of; file_of() has its table.
enum class scope : std::uint8_t { run, router, port, link, vc, node, message_class, flow };
constexpr scope scopes[] = {scope::run, scope::router, scope::port,          scope::link,
                            scope::vc,  scope::node,   scope::message_class, scope::flow};
const char* to_string(scope s);
/// summary.json, links.csv, ...
const char* file_of(scope s);

/// How what was read becomes the figure.
enum class summing : std::uint8_t {
    as_is,      ///< what it is, of whatever time its sentence says
    total,      ///< counted in the measured window
    per_cycle,  ///< that, over the cycles of the window
    share,      ///< cycles of the window, over all of them: at most 1
    mean,       ///< of samples in the window
};
const char* to_string(summing s);

using figure_cell = std::variant<std::uint64_t, double, std::string>;

/// Which row of its scope's places (run_result), and which VC.
struct figure_place {
    std::size_t row = 0;
    std::uint32_t vc = 0;
};

/// What figures are read from, when a run is over.
struct reading {
    const run_result& out;
    const topology& map;
    const network_view* net = nullptr;  ///< null: the contention-free model, or no run
    double window = 0;                  ///< cycles; NaN: no run
    const statistic* own = nullptr;     ///< that the figure belongs to; null: to none
};

struct figure {
    scope of = scope::run;
    std::string name;  ///< of a run: keys with dots between them
    std::string unit, sentence;
    summing how = summing::as_is;
    /// Nothing is read where no run was (`sare topo --svg`), unless it is as it is.
    std::function<figure_cell(const reading&, const figure_place&)> read;
    /// Only runs of which this is true have it; null: all have.
    std::function<bool(const reading&)> applies{};
    /// Others are made of it: it is read once, and kept.
    bool is_kept = false;

    figure_cell value(const reading& r, const figure_place& at) const;
};

/// The figure of every place. In a result, which may have moved since: see figure_view.
class figure_column {
  public:
    /// It is read when asked for, as long as all lives that `from` names but its result.
    figure_column(std::string name, const figure& about, std::uint32_t vc, const reading& from,
                  std::size_t rows);
    const std::string& name() const { return m_name; }
    const figure& about() const { return m_about; }
    std::size_t size() const { return m_rows; }
    /// Reads all of it, and needs nothing from here on. The first cell decides what it holds.
    void keep(const run_result& out);
    template <class F>
    void visit(const run_result& out, std::size_t row, F&& f) const {
        if (!m_kept) return std::visit(f, read(out, row));
        std::visit([&](const auto& all) { f(all[row]); }, m_values);
    }
    column header(const run_result& out) const;

  private:
    figure_cell read(const run_result& out, std::size_t row) const;

    using values = std::variant<std::vector<std::uint64_t>, std::vector<double>, std::vector<std::string>>;
    std::string m_name;
    figure m_about;
    std::uint32_t m_vc;
    const topology* m_map;
    const network_view* m_net;
    double m_window;
    const statistic* m_own;
    std::size_t m_rows;
    bool m_kept = false;
    values m_values;
};

/// A column as one looks at it, or none; as long as its result stays where it is.
class figure_view {
  public:
    figure_view() = default;
    figure_view(const run_result& out, const figure_column& column) : m_out(&out), m_column(&column) {}
    explicit operator bool() const { return m_column != nullptr; }
    const std::string& name() const { return m_column->name(); }
    const figure& about() const { return m_column->about(); }
    column header() const { return m_column->header(*m_out); }
    std::size_t size() const { return m_column->size(); }
    /// NaN for a text.
    double number(std::size_t row) const;
    /// The row with the largest number; size(): there is none.
    std::size_t row_of_most() const;
    template <class F>
    void visit(std::size_t row, F&& f) const {
        m_column->visit(*m_out, row, f);
    }

  private:
    const run_result* m_out = nullptr;
    const figure_column* m_column = nullptr;
};
using figure_columns = std::map<scope, std::vector<figure_column>>;

/// Declares figures that every run has: `const figures_declaration load{1, {{scope::link, "load", ...}}};`
/// `order`: among those of a table; equal ones by name.
class figures_declaration {
  public:
    static constexpr int last = 1000;
    figures_declaration(int order, std::vector<figure> all);
};

/// Those of every run, in the order of the columns.
std::vector<figure> declared_figures();

/// Adds the column of a figure to those of `out`.
void read_figure(const figure& f, const reading& from, run_result& out);
/// All declared figures.
void read_figures(const reading& from, run_result& out);

}  // namespace sare
