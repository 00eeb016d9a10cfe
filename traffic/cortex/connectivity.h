// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/schema.h"

#include <cstdint>
#include <vector>

/// Connections between the neurons in a sheet of cortical columns.
namespace sare::traffic {

/// Parameters of a sheet of cortical columns whose neurons are connected at random.
struct cortex_parameters {
    std::vector<std::uint32_t> columns = {48, 48};  ///< number of columns of the sheet in x and in y: two
                                                    ///< numbers
    std::uint32_t neurons = 1240;                   ///< number of neurons of a column
    /// Two neurons of different columns whose centres are r um apart are connected with the probability
    /// amplitude * exp(-r / lambda): its value at distance 0 (0 to 1), and the length of its decay in um.
    double amplitude = 0.03, lambda = 290;
    double spacing = 100;  ///< distance between neighbouring columns in um
    /// Probability of a connection, 1e-12 to 1, that ends the stencil (connectivity::stencil()). Columns are
    /// not connected if they are farther apart, in x or in y, than the distance at which the probability
    /// falls to `cut`, rounded to whole columns; 0 columns if `amplitude` is not larger. With 0 columns there
    /// are no synapses at all.
    double cut = 0.001;
    /// Share, 0 to 0.999, of the synapses of a neuron in the middle of a large sheet that are in its own
    /// column; at the edges the share is larger.
    double local = 0.8;
};
/// Returns the schema of cortex_parameters.
const config::schema<cortex_parameters>& cortex_fields();

/// The connections between the neurons of processes, each of which simulates a rectangle of columns.
/// Connections depend only on the offset in x and y, in processes, from the first process to the second. The
/// sheet has edges: it is not closed to a torus.
class connectivity {
  public:
    /// Connections from a first process to a second one.
    struct pair {
        double reached = 0;   ///< probability, 0 to 1, that a spike of a neuron of the first process has a
                              ///< synapse in the second; 1 from a process to itself
        double synapses = 0;  ///< mean number of synapses in the second process that a spike of the first
                              ///< process reaches
    };

    /// Largest number of columns from a column to the edge of its stencil (see stencil()); largest number of
    /// columns of a process.
    static constexpr std::uint32_t most_half = 250, most_columns = 16384;

    /// `width` x `height`: columns of a process in x and y; they must divide `p.columns`, which is not
    /// checked. Throws config::error at `where` if a process has more than most_columns columns, or a stencil
    /// reaches farther than most_half columns.
    connectivity(const cortex_parameters& p, std::uint32_t width, std::uint32_t height,
                 const config::location& where = {});

    /// Returns the side, in columns, of the square stencil: a column, which is in the middle of it, may be
    /// connected to any other column in it.
    std::uint32_t stencil() const { return 2 * m_half + 1; }
    /// Return the largest offset, in processes, of a process that may be reached: in x, and in y.
    std::uint32_t reach_x() const { return m_reach_x; }
    std::uint32_t reach_y() const { return m_reach_y; }
    /// Returns the connections to the process at an offset of x and y processes. abs(x) must be at most
    /// reach_x(), abs(y) at most reach_y(); this is not checked.
    const pair& to(int x, int y) const;

    /// Return the mean number of synapses of a neuron in the middle of a large sheet: in other columns, and
    /// in its own column.
    double remote_synapses() const { return m_remote; }
    double local_synapses() const { return m_local; }

  private:
    void sum_up();  ///< sets m_remote and m_local
    /// Returns the probability that two neurons are connected whose columns are x and y columns apart; 0
    /// outside the stencil.
    double probability(int x, int y) const;
    /// Returns the connections to the process at an offset of x and y processes, as means over the columns of
    /// the first one.
    pair between(int x, int y) const;

    cortex_parameters m;
    std::uint32_t m_width, m_height, m_half, m_reach_x, m_reach_y;
    double m_remote = 0, m_local = 0;
    std::vector<pair> m_pairs;
};

}  // namespace sare::traffic
