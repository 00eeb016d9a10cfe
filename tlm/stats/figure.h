// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/stats/table.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <variant>
#include <vector>

/// Figures of a run. Each is declared once, and becomes a column of a table or a key of summary.json, a line
/// of `sare describe statistics`, and a plot.
namespace sare {

class network_view;
class statistic;
class topology;
struct run_result;

/// Kinds of places that figures belong to; file_of() tells the table.
enum class scope : std::uint8_t { run, router, port, link, vc, node, message_class, flow };
constexpr scope scopes[] = {scope::run, scope::router, scope::port,          scope::link,
                            scope::vc,  scope::node,   scope::message_class, scope::flow};
const char* to_string(scope s);
/// Name of the file with the figures of a scope: summary.json, links.csv, ...
const char* file_of(scope s);

/// Ways by which a number that was read becomes the figure.
enum class summing : std::uint8_t {
    as_is,      ///< the number itself; its sentence says for which time it holds
    total,      ///< the number itself, a count in the measured window
    per_cycle,  ///< a count in the measured window over the cycles of the window
    share,      ///< cycles in the measured window over all of its cycles, at most 1
    mean,       ///< the number itself, a mean of samples in the measured window
};
const char* to_string(summing s);

using figure_cell = std::variant<std::uint64_t, double, std::string>;

/// Place of a figure's value.
struct figure_place {
    std::size_t row = 0;   ///< row of the scope's places in run_result
    std::uint32_t vc = 0;  ///< VC, for scope::vc
};

/// Sources from which figures are read when a run is over.
struct reading {
    const run_result& out;
    const topology& map;
    const network_view* net = nullptr;  ///< network; null: the contention-free model, or no run
    double window = 0;                  ///< cycles of the measured window; NaN: no run
    const statistic* own = nullptr;     ///< statistic that the figure belongs to; null: none
};

struct figure {
    scope of = scope::run;         ///< kind of places that have the figure
    std::string name;              ///< name of its column; for a run, keys joined by dots
    std::string unit;              ///< unit; "": it has none
    std::string sentence;          ///< explanation of the figure
    summing how = summing::as_is;  ///< way from the number that `read` returns to the figure
    /// Reads the number at a place. Not called without a run (`sare topo --svg`), unless `how` is as_is.
    std::function<figure_cell(const reading&, const figure_place&)> read;
    /// Returns true for runs that have this figure; null: all have it.
    std::function<bool(const reading&)> applies{};
    /// True if other figures derive from this one, so that its values are read once and kept.
    bool is_kept = false;

    figure_cell value(const reading& r, const figure_place& at) const;  ///< NaN: no run, or not known
};

/// Values of a figure at every place of a run_result. The result may move in memory: functions get it as an
/// argument (see figure_view).
class figure_column {
  public:
    /// Values are read when they are asked for, so all objects that `from` names, except its result, must
    /// live until then or until keep(). `vc`: VC of the column, for scope::vc. `rows`: number of places.
    figure_column(std::string name, const figure& about, std::uint32_t vc, const reading& from,
                  std::size_t rows);
    const std::string& name() const { return m_name; }
    const figure& about() const { return m_about; }
    std::size_t size() const { return m_rows; }
    /// Reads all values and keeps them, so that the objects that they are read from are not needed from here
    /// on. All values must have the type of the first one.
    void keep(const run_result& out);
    /// Calls f(value) with the value of a row, of type std::uint64_t, double or std::string.
    template <class F>
    void visit(const run_result& out, std::size_t row, F&& f) const {
        if (!m_kept) return std::visit(f, read(out, row));
        std::visit([&](const auto& all) { f(all[row]); }, m_values);
    }
    /// Header for a table: name, kind of cells, unit and sentence.
    column header(const run_result& out) const;

  private:
    figure_cell read(const run_result& out, std::size_t row) const;

    using values = std::variant<std::vector<std::uint64_t>, std::vector<double>, std::vector<std::string>>;
    std::string m_name;
    figure m_about;
    std::uint32_t m_vc;  ///< VC that the figure is of, if it is by VC
    const topology* m_map;
    const network_view* m_net;  ///< the network, for figures that ask it; null: none
    double m_window;            ///< length of the measured window, in cycles
    const statistic* m_own;     ///< statistic that the figure belongs to; null: none
    std::size_t m_rows;         ///< number of rows of the table
    bool m_kept = false;        ///< true: m_values has the figure of each row
    values m_values;
};

/// A column together with its result, or no column. Valid as long as the result is not moved.
class figure_view {
  public:
    figure_view() = default;
    figure_view(const run_result& out, const figure_column& column) : m_out(&out), m_column(&column) {}
    explicit operator bool() const { return m_column != nullptr; }
    const std::string& name() const { return m_column->name(); }
    const figure& about() const { return m_column->about(); }
    column header() const { return m_column->header(*m_out); }
    std::size_t size() const { return m_column->size(); }
    /// Value of a row as a number; NaN for a text.
    double number(std::size_t row) const;
    /// Row with the largest number; size(): there is none.
    std::size_t row_of_most() const;
    /// Calls f(value) with the value of a row, of type std::uint64_t, double or std::string.
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
/// `order`: place among the columns of a table; figures of order `last` are sorted by name.
class figures_declaration {
  public:
    static constexpr int last = 1000;
    figures_declaration(int order, std::vector<figure> all);
};

/// Returns the figures that every run has, in the order of columns.
std::vector<figure> declared_figures();

/// Adds the column of a figure to out.figures, for scope::vc one column for each VC. Adds nothing if
/// figure::applies is false for this run.
void read_figure(const figure& f, const reading& from, run_result& out);
/// Adds the columns of all declared figures.
void read_figures(const reading& from, run_result& out);

}  // namespace sare
