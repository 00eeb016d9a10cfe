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

/// Kinds of places that a figure has a value for: the run as a whole; each router; each input port of a
/// router; each link; each VC of a link; each node; each message class; each flow, that is pair of source and
/// destination node.
enum class scope : std::uint8_t { run, router, port, link, vc, node, message_class, flow };
/// All scopes, in the order of the enumerators.
constexpr scope scopes[] = {scope::run, scope::router, scope::port,          scope::link,
                            scope::vc,  scope::node,   scope::message_class, scope::flow};
/// Returns the name of a scope in texts: "run", "router", "port", "link", "VC", "node", "class", "flow".
const char* to_string(scope s);
/// Returns the name of the file with the figures of a scope: summary.json for a run, else a CSV file such as
/// links.csv.
const char* file_of(scope s);

/// Ways from the number that figure::read returns to the figure.
enum class summing : std::uint8_t {
    as_is,      ///< the number itself; the figure's sentence says for which time it holds
    total,      ///< the number itself, a count in the measured window
    per_cycle,  ///< a count in the measured window over the cycles of the window
    share,      ///< a number of cycles in the measured window over all cycles of the window; 1 if it is more
    mean,       ///< the number itself, a mean of samples in the measured window
};
/// Returns the way in words, such as "share of the window".
const char* to_string(summing s);

/// Value of a figure: a count, a number or a text.
using figure_cell = std::variant<std::uint64_t, double, std::string>;

/// Place for which a figure is read.
struct figure_place {
    std::size_t row = 0;   ///< row of the place in run_result, such as in link_loads for scope::link
    std::uint32_t vc = 0;  ///< VC, for scope::vc
};

/// The sources from which figures are read when a run is over.
struct reading {
    const run_result& out;              ///< results so far
    const topology& map;                ///< topology of the network
    const network_view* net = nullptr;  ///< network; null: the contention-free model, or no run
    double window = 0;                  ///< cycles of the measured window; NaN: no run
    /// Statistic that declares the figure; null: it is a figure of every run.
    const statistic* own = nullptr;
};

/// A figure of a run: where it belongs, how it is explained, and how it is read.
struct figure {
    scope of = scope::run;  ///< kind of places that have the figure
    /// Name of its column, for scope::vc before the number of the VC; for scope::run, keys joined by dots.
    std::string name;
    std::string unit;              ///< unit; "": the figure has none
    std::string sentence;          ///< explanation of the figure
    summing how = summing::as_is;  ///< way from the number that `read` returns to the figure
    /// Returns the number at a place. Not called without a run (as for drawings of networks), unless `how` is
    /// as_is.
    std::function<figure_cell(const reading&, const figure_place&)> read;
    /// Returns true for runs that have this figure; empty: all runs have it.
    std::function<bool(const reading&)> applies{};
    /// True if other figures derive from this one, so that its values are read once and stored.
    bool is_kept = false;

    /// Returns the figure at a place, from `read` by the way `how`; NaN if there was no run, or if it is not
    /// known.
    figure_cell value(const reading& r, const figure_place& at) const;
};

/// Values of a figure at every place of a run_result, which is an argument of the functions, since it may
/// move in memory (figure_view joins both).
class figure_column {
  public:
    /// Values are read when they are asked for: all objects that `from` names, except its result, must live
    /// until then, or until keep(). `vc`: VC of the column, for scope::vc; `rows`: number of places.
    figure_column(std::string name, const figure& about, std::uint32_t vc, const reading& from,
                  std::size_t rows);
    const std::string& name() const { return m_name; }
    /// Declaration of the figure.
    const figure& about() const { return m_about; }
    /// Number of places.
    std::size_t size() const { return m_rows; }
    /// Reads and stores all values; afterwards the objects from which they are read may go. Does nothing the
    /// second time. All values must have the type of the first one.
    void keep(const run_result& out);
    /// Calls f(value) with the value of a row; its type is std::uint64_t, double or std::string.
    template <class F>
    void visit(const run_result& out, std::size_t row, F&& f) const {
        if (!m_kept) return std::visit(f, read(out, row));
        std::visit([&](const auto& all) { f(all[row]); }, m_values);
    }
    /// Returns the header for a table: name, kind of cells, unit and sentence.
    column header(const run_result& out) const;

  private:
    figure_cell read(const run_result& out, std::size_t row) const;

    using values = std::variant<std::vector<std::uint64_t>, std::vector<double>, std::vector<std::string>>;
    std::string m_name;
    figure m_about;
    std::uint32_t m_vc;  ///< VC of the column, for scope::vc
    const topology* m_map;
    const network_view* m_net;  ///< the network, for figures that ask it; null: none
    double m_window;            ///< cycles of the measured window
    const statistic* m_own;     ///< statistic that the figure belongs to; null: none
    std::size_t m_rows;         ///< number of rows of the table
    bool m_kept = false;        ///< true: m_values has the values of all rows
    values m_values;
};

/// A column together with its result; or no column, which operator bool tells. Valid as long as the result is
/// neither moved nor gets more columns.
class figure_view {
  public:
    figure_view() = default;
    figure_view(const run_result& out, const figure_column& column) : m_out(&out), m_column(&column) {}
    /// True if there is a column; all functions below need one.
    explicit operator bool() const { return m_column != nullptr; }
    const std::string& name() const { return m_column->name(); }
    const figure& about() const { return m_column->about(); }
    column header() const { return m_column->header(*m_out); }
    std::size_t size() const { return m_column->size(); }
    /// Returns the value of a row as a number; NaN for a text.
    double number(std::size_t row) const;
    /// Returns the first row with the largest number; size() if no row has a number.
    std::size_t row_of_most() const;
    /// Calls f(value) with the value of a row; its type is std::uint64_t, double or std::string.
    template <class F>
    void visit(std::size_t row, F&& f) const {
        m_column->visit(*m_out, row, f);
    }

  private:
    const run_result* m_out = nullptr;
    const figure_column* m_column = nullptr;
};
/// Columns by scope; those of scope::vc are among those of scope::link.
using figure_columns = std::map<scope, std::vector<figure_column>>;

/// Declares figures that every run has, as a constant in a source file:
/// `const figures_declaration load{1, {{scope::link, "load", ...}}};`
class figures_declaration {
  public:
    static constexpr int last = 1000;  ///< `order` of figures that come last, sorted by name
    /// `order`: columns of a table are in ascending order of it. Calls config::name_taken() for a figure
    /// whose name its scope already has.
    figures_declaration(int order, std::vector<figure> all);
};

/// Returns the figures that every run has, in the order of columns.
std::vector<figure> declared_figures();

/// Adds the column of a figure to out.figures, for scope::vc one column for each VC; nothing if
/// figure::applies is false for this run.
void read_figure(const figure& f, const reading& from, run_result& out);
/// Adds the columns of all declared figures, those of scope::run last; those of message classes only if there
/// are several.
void read_figures(const reading& from, run_result& out);

}  // namespace sare
