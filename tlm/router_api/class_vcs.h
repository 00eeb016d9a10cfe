// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <vector>

namespace sare {

/// The VCs of a port that each message class may use. Each class owns at least one, class 0 the lowest; VCs
/// above these are shared by all. The first VC of its class, route_header::vc_base, tells a packet's class.
class class_vcs {
  public:
    static constexpr std::uint32_t most_vcs = 16;  ///< most VCs that a router kind may have

    /// Gives all classes equally many VCs. Throws config::error unless `vcs` is a multiple of `classes`.
    class_vcs(std::uint32_t vcs, std::uint32_t classes);
    /// Gives class c `own[c]` VCs of its own, at least 1. Throws config::error if there are more than `vcs`,
    /// or if numbers are not 1 to 16.
    class_vcs(std::uint32_t vcs, const std::vector<std::uint32_t>& own);

    std::uint32_t vcs() const { return m_vcs; }
    std::uint32_t classes() const { return m_classes; }
    /// True if all classes own equally many and none are shared: then the routes of one class stand for all.
    bool equal() const { return m_equal; }
    std::uint32_t own(std::uint32_t message_class) const { return m_own[message_class]; }
    std::uint32_t first(std::uint32_t message_class) const { return m_first[message_class]; }
    std::uint32_t shared() const { return m_vcs - m_first_shared; }
    std::uint32_t first_shared() const { return m_first_shared; }
    /// VCs that a class may use, as a mask of a port's VCs.
    std::uint32_t mask(std::uint32_t message_class) const {
        return ((1U << own(message_class)) - 1) << first(message_class) | ((1U << shared()) - 1)
                                                                              << m_first_shared;
    }
    /// Class whose first VC is `vc_base`.
    std::uint32_t class_of(std::uint32_t vc_base) const { return m_class_of[vc_base]; }

  private:
    std::uint32_t m_vcs, m_classes, m_first_shared = 0;
    bool m_equal = false;
    std::array<std::uint8_t, most_vcs> m_own{}, m_first{}, m_class_of{};
};

}  // namespace sare
