// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/topology/layout/layout.h"

#include <functional>
#include <vector>

/// Layouts for several families of networks.
namespace sare {

/// A point or vector in a picture; x grows to the right, y upwards.
struct point {
    double x = 0, y = 0;
};

/// Returns point `i` of `n`, from 0, on a circle around the origin, clockwise from the top. Neighbouring
/// points have the distance `apart`; a single point is the origin.
point on_circle(std::uint32_t i, std::uint32_t n, double apart);

/// Layout with given places, which are scaled so that the nearest two routers are 1 apart.
class given_layout final : public layout {
  public:
    /// `spots`: place of each router, by number.
    explicit given_layout(std::vector<spot> spots);
    spot of(router_id r) const override { return m_spots[r.value]; }

  private:
    std::vector<spot> m_spots;
};

/// Layout of routers on a circle, in the order of their numbers.
class circle_layout final : public layout {
  public:
    explicit circle_layout(std::uint32_t routers) : m_routers(routers) {}  ///< `routers`: number of routers
    spot of(router_id r) const override;

  private:
    std::uint32_t m_routers;
};

/// Layout of groups of equal size on a circle, with the routers of each group on a small circle, the first
/// router outermost.
class circle_of_groups final : public layout {
  public:
    /// Function that returns the name of a group, given its number.
    using namer = std::function<std::string(std::uint32_t)>;
    /// `groups`: number of groups; `routers_each`: number of routers of each; router r is in group r /
    /// routers_each.
    circle_of_groups(std::uint32_t groups, std::uint32_t routers_each, namer name);
    spot of(router_id r) const override;
    std::string group_name(std::uint32_t group) const override { return m_name(group); }

  private:
    std::uint32_t m_groups, m_each;
    double m_apart;  ///< distance between the centres of neighbouring groups
    namer m_name;
};

/// Layout of routers in rows, in the order of their numbers; all rows are as wide as the widest.
class row_layout final : public layout {
  public:
    /// levels: rows from the bottom upwards, named "level 0", "level 1", ...; stages: columns from the left
    /// to the right, named "stage 0", "stage 1", ...
    enum class kind { levels, stages };
    /// `routers`: number of routers of each row, from the first.
    row_layout(kind what, std::vector<std::uint32_t> routers);
    spot of(router_id r) const override;
    std::string group_name(std::uint32_t group) const override;

  private:
    kind m_kind;
    std::vector<std::uint32_t> m_routers;  ///< number of routers of each row
    double m_width = 1, m_step = 1;        ///< length of a row; distance between rows
};

/// Layout of routers with coordinates (dimension 0 varies fastest) as planes of the first two dimensions,
/// which stand side by side.
class plane_layout : public layout {
  public:
    /// `dims`: number of routers along each dimension. `skew`: shift in x for each step along dimension 1;
    /// the length of such a step stays 1.
    explicit plane_layout(const std::vector<std::uint32_t>& dims, double skew = 0);
    spot of(router_id r) const override;
    std::string group_name(std::uint32_t group) const override;

  protected:
    /// Returns the vector of a step along dimension `d` within a plane, for dimensions 0 and 1; for higher
    /// dimensions a unit vector for stubs, different for each dimension.
    point step(std::uint32_t d) const;

  private:
    std::vector<std::uint32_t> m_dims;  ///< numbers of routers along each dimension, at least two dimensions
    double m_skew;
    std::uint32_t m_planes = 1, m_across = 1;  ///< number of planes; number of planes in a row
};

/// Returns the angle of a direction in degrees anticlockwise from the right, from 0 to below 360; 0 for the
/// vector 0.
double degrees(point direction);

/// Layout of a hypercube, whose router number has a bit for each dimension: steps along even dimensions go to
/// the right, along odd ones upwards, each longer than the one before.
class folded_layout final : public layout {
  public:
    spot of(router_id r) const override;
};

}  // namespace sare
