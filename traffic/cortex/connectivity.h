// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/schema.h"

#include <cstdint>
#include <vector>

/// What is connected to what in a sheet of cortical columns.
namespace sare::traffic {

struct cortex_parameters {
    std::vector<std::uint32_t> columns = {48, 48};
    std::uint32_t neurons = 1240;                          ///< of a column
    double amplitude = 0.03, lambda = 290, spacing = 100;  ///< lengths in um
    double cut = 0.001, local = 0.8;
};
const config::schema<cortex_parameters>& cortex_fields();

/// Every process has a rectangle of columns; what two of them have to do with each other depends on the way
/// from one to the other alone. Edges are edges.
class connectivity {
  public:
    struct pair {
        double reached = 0;   ///< probability that a spike of the one has a synapse in the other
        double synapses = 0;  ///< that a spike of the one has there, in the mean
    };

    static constexpr std::uint32_t most_half = 250, most_columns = 16384;

    /// `width` x `height` columns of a process, most_columns at most. Throws config::error for more, and for
    /// a stencil of which more than most_half columns lie on a side of the middle.
    connectivity(const cortex_parameters& p, std::uint32_t width, std::uint32_t height,
                 const config::location& where = {});

    /// Columns on a side of the square of those that a column may be connected to, itself in the middle.
    std::uint32_t stencil() const { return 2 * m_half + 1; }
    /// Processes on the way to the farthest one that is reached, in x and in y.
    std::uint32_t reach_x() const { return m_reach_x; }
    std::uint32_t reach_y() const { return m_reach_y; }
    const pair& to(int x, int y) const;  ///< so many processes further on, at most as many as are reached

    /// Of a neuron in the middle of a large sheet.
    double remote_synapses() const { return m_remote; }
    double local_synapses() const { return m_local; }

  private:
    void sum_up();  ///< the synapses of a neuron
    /// That two neurons are connected whose columns are so many apart.
    double probability(int x, int y) const;
    pair between(int x, int y) const;

    cortex_parameters m;
    std::uint32_t m_width, m_height, m_half, m_reach_x, m_reach_y;
    double m_remote = 0, m_local = 0;
    std::vector<pair> m_pairs;
};

}  // namespace sare::traffic
