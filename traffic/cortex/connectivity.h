// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/schema.h"

#include <cstdint>
#include <vector>

/// Connections between the neurons in a sheet of cortical columns.
namespace sare::traffic {

struct cortex_parameters {
    std::vector<std::uint32_t> columns = {48, 48};
    std::uint32_t neurons = 1240;                          ///< neurons of a column
    double amplitude = 0.03, lambda = 290, spacing = 100;  ///< lambda, spacing: um
    double cut = 0.001, local = 0.8;
};
const config::schema<cortex_parameters>& cortex_fields();

/// The connections between processes, each with a rectangle of columns; they depend only on the way from one
/// process to the other. The sheet ends at its edges.
class connectivity {
  public:
    struct pair {
        double reached = 0;   ///< probability that a spike of one has a synapse in the other
        double synapses = 0;  ///< mean number of synapses of a spike of one in the other
    };

    static constexpr std::uint32_t most_half = 250, most_columns = 16384;

    /// `width` x `height`: columns of a process. Throws config::error for more than most_columns of them, and
    /// for a stencil with more than most_half columns on a side of the middle.
    connectivity(const cortex_parameters& p, std::uint32_t width, std::uint32_t height,
                 const config::location& where = {});

    /// Returns the columns on a side of the square that a column may be connected to, itself in the middle.
    std::uint32_t stencil() const { return 2 * m_half + 1; }
    /// Returns the number of processes on the way to the farthest one that is reached, in x or y.
    std::uint32_t reach_x() const { return m_reach_x; }
    std::uint32_t reach_y() const { return m_reach_y; }
    const pair& to(int x, int y) const;  ///< pair so many processes apart, within reach

    /// Returns the mean number of synapses of a neuron in the middle of a large sheet.
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
