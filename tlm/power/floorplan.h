// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/power/params.h"

#include <cstdint>
#include <functional>
#include <map>
#include <utility>

namespace sare {

class topology;

/// Lengths of the links of a network. Routers stand where the topology's picture has them, with the unit of
/// the picture one pitch long; wires run along the two axes and are at least a pitch long. Without a picture
/// every link between routers is a pitch long.
class floorplan {
  public:
    /// Makes the floorplan of `map`, which must outlive it. If several entries of params.lengths are for a
    /// link, the last counts. Throws config::error, placed at the entry, for a link or node that does not
    /// exist.
    floorplan(const topology& map, const link_length_params& params);
    /// Calls f(length in mm) for each direction of every link, in the order of for_each_link().
    void for_each_length(const std::function<void(double mm)>& f) const;

  private:
    void check(const link_length& l) const;  ///< throws config::error if the link or node does not exist

    const topology& m_map;
    double m_pitch, m_node_link;  ///< see link_length_params; in mm
    /// Lengths in mm of params.lengths between routers; by numbers of both, the lower first.
    std::map<std::pair<std::uint32_t, std::uint32_t>, double> m_between;
    std::vector<link_length> m_of_nodes;  ///< entries of params.lengths for nodes
};

}  // namespace sare
