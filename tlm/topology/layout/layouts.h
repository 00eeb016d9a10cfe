// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/topology/layout/layout.h"

#include <functional>
#include <vector>

/// Layouts that several families share.
namespace sare {

struct point {
    double x = 0, y = 0;
};

/// Point `i` of `n` around 0, clockwise from the top; neighbours are `apart` from each other.
point on_circle(std::uint32_t i, std::uint32_t n, double apart);

/// Places that are given, scaled so that the nearest two routers are 1 apart.
class given_layout final : public layout {
  public:
    explicit given_layout(std::vector<spot> spots);
    spot of(router_id r) const override { return m_spots[r.value]; }

  private:
    std::vector<spot> m_spots;
};

/// Routers in the order of their numbers.
class circle_layout final : public layout {
  public:
    explicit circle_layout(std::uint32_t routers) : m_routers(routers) {}
    spot of(router_id r) const override;

  private:
    std::uint32_t m_routers;
};

/// Equal groups on a circle, the routers of each on one of their own, the first outermost.
class circle_of_groups final : public layout {
  public:
    using namer = std::function<std::string(std::uint32_t)>;
    circle_of_groups(std::uint32_t groups, std::uint32_t routers_each, namer name);
    spot of(router_id r) const override;
    std::string group_name(std::uint32_t group) const override { return m_name(group); }

  private:
    std::uint32_t m_groups, m_each;
    double m_apart;  ///< centres of groups
    namer m_name;
};

/// Router numbers row after row, each row as wide as the widest.
class row_layout final : public layout {
  public:
    /// Rows from the bottom upwards, called "level 0" and on; or columns from the left, "stage 0" and on.
    enum class kind { levels, stages };
    row_layout(kind what, std::vector<std::uint32_t> routers);
    spot of(router_id r) const override;
    std::string group_name(std::uint32_t group) const override;

  private:
    kind m_kind;
    std::vector<std::uint32_t> m_routers;  ///< of each row
    double m_width = 1, m_step = 1;        ///< of a row; between rows
};

/// Routers with coordinates, dimension 0 fastest: planes of the first two dimensions, side by side.
class plane_layout : public layout {
  public:
    /// `skew`: x for each step along dimension 1, which then is 1 long still.
    explicit plane_layout(const std::vector<std::uint32_t>& dims, double skew = 0);
    spot of(router_id r) const override;
    std::string group_name(std::uint32_t group) const override;

  protected:
    /// One step along dimension `d`: as drawn within a plane; to other planes the direction of stubs, no two
    /// alike.
    point step(std::uint32_t d) const;

  private:
    std::vector<std::uint32_t> m_dims;  ///< two at least
    double m_skew;
    std::uint32_t m_planes = 1, m_across = 1;  ///< all, and those in a row
};

/// Degrees of a direction, from 0 to below 360.
double degrees(point direction);

/// Dimensions of two routers each: even ones across, odd ones upwards, ever further apart.
class folded_layout final : public layout {
  public:
    spot of(router_id r) const override;
};

}  // namespace sare
