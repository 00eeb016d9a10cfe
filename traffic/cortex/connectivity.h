// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/schema.h"

#include <cstdint>
#include <vector>

/// Connections between the neurons in a sheet of cortical columns.
namespace sare::traffic {

struct cortex_parameters {
    std::vector<std::uint32_t> columns = {48, 48};  ///< columns of the sheet in x and in y
    std::uint32_t neurons = 1240;                   ///< neurons of a column
    /// Probability at distance 0, and length (um) of its exponential decay, with which a neuron is connected
    /// to one of another column: amplitude * exp(-distance / lambda).
    double amplitude = 0.03, lambda = 290;
    double spacing = 100;  ///< distance of neighbouring columns in um
    double cut = 0.001;    ///< probability below which there are no connections
    double local = 0.8;    ///< share of a neuron's synapses that are in its own column, 0 to 0.999
};
const config::schema<cortex_parameters>& cortex_fields();

/// The connections between processes, each of which has a rectangle of columns; they depend only on the
/// offset in x and y from one process to the other. The sheet is not closed to a torus.
class connectivity {
  public:
    struct pair {
        double reached = 0;   ///< probability that a spike of the first process has a synapse in the second
        double synapses = 0;  ///< mean number of synapses in the second process of a spike of the first
    };

    static constexpr std::uint32_t most_half = 250, most_columns = 16384;

    /// `width` x `height`: columns of a process. Throws config::error for more than most_columns of them, and
    /// for a stencil with more than most_half columns on a side of the middle.
    connectivity(const cortex_parameters& p, std::uint32_t width, std::uint32_t height,
                 const config::location& where = {});

    /// Returns the length, in columns, of a side of the square of columns that a column may be connected to;
    /// the column itself is in its middle.
    std::uint32_t stencil() const { return 2 * m_half + 1; }
    /// Return the offset, in processes, of the farthest process that is reached, in x and in y.
    std::uint32_t reach_x() const { return m_reach_x; }
    std::uint32_t reach_y() const { return m_reach_y; }
    /// Returns the connections to the process at an offset of x and y processes, which is within reach.
    const pair& to(int x, int y) const;

    /// Return the mean number of synapses of a neuron in other columns, and in its own, in the middle of a
    /// large sheet.
    double remote_synapses() const { return m_remote; }
    double local_synapses() const { return m_local; }

  private:
    void sum_up();  ///< sums up the synapses of a neuron
    /// Returns the probability that two neurons are connected whose columns are (x, y) apart.
    double probability(int x, int y) const;
    pair between(int x, int y) const;

    cortex_parameters m;
    std::uint32_t m_width, m_height, m_half, m_reach_x, m_reach_y;
    double m_remote = 0, m_local = 0;
    std::vector<pair> m_pairs;
};

}  // namespace sare::traffic
