// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/stats/table.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <variant>
#include <vector>

/// Figures: results of a run that have a name, such as the load of each link. Each is declared once, and
/// becomes a column of a table or a key of summary.json, a line of `sare describe statistics`, and a plot.
namespace sare {

class network_view;
class statistic;
class topology;
struct run_result;

/// Kinds of places for each of which a figure has a value: the run as a whole; a router; an input port of a
/// router; a link; a VC of a link; a node; a message class; a flow, which is a pair of source and destination
/// node.
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
    per_cycle,  ///< a count in the measured window, divided by the cycles of the window
    share,      ///< a number of cycles in the measured window, divided by all its cycles; at most 1
    mean,       ///< the number itself, a mean of samples in the measured window
};
/// Returns the way in words, such as "share of the window".
const char* to_string(summing s);

/// Value of a figure: a count, a number or a text.
using figure_cell = std::variant<std::uint64_t, double, std::string>;

/// Place for which a figure is read.
struct figure_place {
    std::size_t row = 0;   ///< row of the place in run_result, such as in link_loads for scope::link
    std::uint32_t vc = 0;  ///< number of the VC, for scope::vc; else 0
};

/// The sources from which figures are read when a run is over.
struct reading {
    const run_result& out;              ///< results filled in so far
    const topology& map;                ///< topology of the network
    const network_view* net = nullptr;  ///< network; null: the contention-free model, or no run
    double window = 0;                  ///< cycles of the measured window; NaN: no run
    /// Statistic that declares the figure; null: it is a figure that every run has (figures_declaration).
    const statistic* own = nullptr;
};

/// Declaration of a figure: its kind of place, name, explanation, and the function that reads its values.
struct figure {
    scope of = scope::run;  ///< kind of places that have the figure
    /// Name of the column, to which scope::vc appends the number of the VC ("vc" gives vc0, vc1, ...). For
    /// scope::run the path of keys in summary.json, joined by dots ("links.mean_load").
    std::string name;
    std::string unit;              ///< unit, such as "flits/cycle"; "": the figure has none
    std::string sentence;          ///< explanation of the figure, one sentence with its full stop
    summing how = summing::as_is;  ///< way from the number that `read` returns to the figure
    /// Returns the number at a place. Not called without a run (as for drawings of networks), unless `how` is
    /// as_is.
    std::function<figure_cell(const reading&, const figure_place&)> read;
    /// Returns true for runs that have this figure; empty: all runs have it.
    std::function<bool(const reading&)> applies{};
    /// True: values are read once, by read_figure(), and stored, since other figures derive from this one.
    bool is_kept = false;

    /// Returns the figure at a place, from `read` by the way `how`. NaN if there was no run and `how` is not
    /// as_is, if `read` returns NaN, or for a share of a window without cycles.
    figure_cell value(const reading& r, const figure_place& at) const;
};

/// Column of a table: the values of a figure at every place, a row each. Functions take the run_result as an
/// argument, since it may move in memory; figure_view joins column and result.
class figure_column {
  public:
    /// Makes a column whose values are read when they are asked for. All objects that `from` names, except
    /// its result, must live until then, or until keep(). `vc`: VC of the column, for scope::vc, else 0.
    /// `rows`: number of places.
    figure_column(std::string name, const figure& about, std::uint32_t vc, const reading& from,
                  std::size_t rows);
    const std::string& name() const { return m_name; }  ///< name of the column
    const figure& about() const { return m_about; }     ///< declaration of the figure
    std::size_t size() const { return m_rows; }         ///< number of rows
    /// Reads and stores all values; afterwards the objects from which they are read may be destroyed. Does
    /// nothing the second time. Throws std::bad_variant_access if a value has another type than the first.
    void keep(const run_result& out);
    /// Calls f(value) with the value of a row; its type is std::uint64_t, double or std::string. `row` must
    /// be below size() (not checked).
    template <class F>
    void visit(const run_result& out, std::size_t row, F&& f) const {
        if (!m_kept) return std::visit(f, read(out, row));
        std::visit([&](const auto& all) { f(all[row]); }, m_values);
    }
    /// Returns the header for a table: name, kind of cells (by the first row; `count` without rows), unit,
    /// sentence.
    column header(const run_result& out) const;

  private:
    figure_cell read(const run_result& out, std::size_t row) const;

    using values = std::variant<std::vector<std::uint64_t>, std::vector<double>, std::vector<std::string>>;
    std::string m_name;
    figure m_about;
    std::uint32_t m_vc;         ///< VC of the column, for scope::vc
    const topology* m_map;      ///< topology of the network
    const network_view* m_net;  ///< the network, for figures that ask it; null: none
    double m_window;            ///< cycles of the measured window; NaN: no run
    const statistic* m_own;     ///< statistic that the figure belongs to; null: none
    std::size_t m_rows;         ///< number of rows of the table
    bool m_kept = false;        ///< true: m_values has the values of all rows
    values m_values;            ///< stored values by row, all of one type
};

/// A column together with its result; or no column, for which operator bool is false. Valid as long as the
/// result is neither moved nor gets more columns.
class figure_view {
  public:
    figure_view() = default;  ///< no column
    /// Joins `out` and one of its columns, which both must outlive this object.
    figure_view(const run_result& out, const figure_column& column) : m_out(&out), m_column(&column) {}
    /// True if there is a column; no function below may be called without one (not checked).
    explicit operator bool() const { return m_column != nullptr; }
    const std::string& name() const { return m_column->name(); }  ///< name of the column
    const figure& about() const { return m_column->about(); }     ///< declaration of the figure
    column header() const { return m_column->header(*m_out); }    ///< see figure_column::header()
    std::size_t size() const { return m_column->size(); }         ///< number of rows
    /// Returns the value of a row, which must be below size() (not checked), as a number; NaN for a text.
    double number(std::size_t row) const;
    /// Returns the first row with the largest number; size() if no row has a number.
    std::size_t row_of_most() const;
    /// Calls f(value) with the value of a row; see figure_column::visit().
    template <class F>
    void visit(std::size_t row, F&& f) const {
        m_column->visit(*m_out, row, f);
    }

  private:
    const run_result* m_out = nullptr;        ///< result that the values are read from; null: no column
    const figure_column* m_column = nullptr;  ///< the column; null: none
};
/// Columns by scope, in order; columns of scope::vc are listed at scope::link.
using figure_columns = std::map<scope, std::vector<figure_column>>;

/// Declares figures that every run has, as a constant in a source file:
/// `const figures_declaration load{1, {{scope::link, "load", ...}}};`
class figures_declaration {
  public:
    static constexpr int last = 1000;  ///< `order` of figures that come last, sorted by name
    /// Declares figures. `order`: columns of a table are in ascending order of this number. A name that the
    /// figure's scope already has is an error, see config::name_taken().
    figures_declaration(int order, std::vector<figure> all);
};

/// Returns the figures that every run has, in the order of columns.
std::vector<figure> declared_figures();

/// Appends the column of a figure to out.figures, for scope::vc one column for each VC; nothing if
/// figure::applies is false for this run. Twice the same figure gives two columns.
void read_figure(const figure& f, const reading& from, run_result& out);
/// Adds the columns of all declared figures to out.figures, columns of scope::run last; columns of message
/// classes only if there are several classes.
void read_figures(const reading& from, run_result& out);

}  // namespace sare
