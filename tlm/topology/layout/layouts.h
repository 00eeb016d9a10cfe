// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/topology/layout/layout.h"

#include <functional>
#include <vector>

/// Layouts for several families of networks.
namespace sare {

struct point {
    double x = 0, y = 0;
};

/// Point `i` of `n` on a circle around the origin, clockwise from the top; neighbours have distance `apart`.
point on_circle(std::uint32_t i, std::uint32_t n, double apart);

/// Layout by given places, which are scaled so that the nearest two routers are 1 apart.
class given_layout final : public layout {
  public:
    explicit given_layout(std::vector<spot> spots);
    spot of(router_id r) const override { return m_spots[r.value]; }

  private:
    std::vector<spot> m_spots;
};

/// Layout of routers on a circle, in the order of their numbers.
class circle_layout final : public layout {
  public:
    explicit circle_layout(std::uint32_t routers) : m_routers(routers) {}
    spot of(router_id r) const override;

  private:
    std::uint32_t m_routers;
};

/// Layout of equal groups on a circle, with the routers of each group on a small circle, the first one
/// outermost.
class circle_of_groups final : public layout {
  public:
    using namer = std::function<std::string(std::uint32_t)>;
    circle_of_groups(std::uint32_t groups, std::uint32_t routers_each, namer name);
    spot of(router_id r) const override;
    std::string group_name(std::uint32_t group) const override { return m_name(group); }

  private:
    std::uint32_t m_groups, m_each;
    double m_apart;  ///< distance between the centres of neighbouring groups
    namer m_name;
};

/// Layout of routers in rows, row by row in the order of numbers; all rows are as wide as the widest.
class row_layout final : public layout {
  public:
    /// Kind of rows: from the bottom upwards, named "level 0" and on; or columns from the left, "stage 0" and
    /// on.
    enum class kind { levels, stages };
    /// `routers`: number of routers of each row.
    row_layout(kind what, std::vector<std::uint32_t> routers);
    spot of(router_id r) const override;
    std::string group_name(std::uint32_t group) const override;

  private:
    kind m_kind;
    std::vector<std::uint32_t> m_routers;  ///< number of routers of each row
    double m_width = 1, m_step = 1;        ///< width of a row; distance between rows
};

/// Layout of routers with coordinates (dimension 0 varies fastest) as planes of the first two dimensions,
/// side by side.
class plane_layout : public layout {
  public:
    /// `skew`: shift in x for each step along dimension 1, whose length stays 1.
    explicit plane_layout(const std::vector<std::uint32_t>& dims, double skew = 0);
    spot of(router_id r) const override;
    std::string group_name(std::uint32_t group) const override;

  protected:
    /// Vector of one step along dimension `d` within a plane; for other dimensions the direction of stubs,
    /// different for each dimension.
    point step(std::uint32_t d) const;

  private:
    std::vector<std::uint32_t> m_dims;  ///< sizes of at least two dimensions
    double m_skew;
    std::uint32_t m_planes = 1, m_across = 1;  ///< number of planes in all, and in a row
};

/// Angle of a direction in degrees anticlockwise from the right, from 0 to below 360.
double degrees(point direction);

/// Layout of a hypercube: steps along even dimensions go to the right, along odd ones upwards, each longer
/// than the one before.
class folded_layout final : public layout {
  public:
    spot of(router_id r) const override;
};

}  // namespace sare
