// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/ids.h"

#include <array>
#include <cstdint>
#include <vector>

namespace sare {

/// The VCs of a port that each message class may use. Each class owns at least one, class 0 the lowest; VCs
/// above these are shared by all. The first VC of its class, route_header::vc_base, tells a packet's class.
class class_vcs {
  public:
    static constexpr std::uint32_t most_vcs = 64;      ///< most VCs that a router kind may have
    static constexpr std::uint32_t most_classes = 16;  ///< most message classes

    /// Gives all classes equally many VCs. Throws config::error unless `vcs` is a multiple of `classes`.
    class_vcs(std::uint32_t vcs, std::uint32_t classes);
    /// Gives class c `own[c]` VCs of its own, at least 1. Throws config::error if there are more than `vcs`,
    /// or if there are more than 64 VCs or 16 classes.
    class_vcs(std::uint32_t vcs, const std::vector<std::uint32_t>& own);

    std::uint32_t vcs() const { return m_vcs; }
    std::uint32_t classes() const { return m_classes; }
    /// True if all classes own equally many and none are shared: then the routes of one class stand for all.
    bool equal() const { return m_equal; }
    /// Number of VCs that a class has for itself, and the lowest of them.
    std::uint32_t own(std::uint32_t message_class) const { return m_own[message_class]; }
    std::uint32_t first(std::uint32_t message_class) const { return m_first[message_class]; }
    /// Number of VCs that all classes share, and the lowest of them; vcs() if there are none.
    std::uint32_t shared() const { return m_vcs - m_first_shared; }
    std::uint32_t first_shared() const { return m_first_shared; }
    /// VCs of a port that a class may use.
    vc_mask mask(std::uint32_t message_class) const {
        const vc_mask shared = first_vcs(m_vcs) & ~first_vcs(m_first_shared);
        return first_vcs(own(message_class)) << first(message_class) | shared;
    }
    /// Class whose first VC is `vc_base`.
    std::uint32_t class_of(std::uint32_t vc_base) const { return m_class_of[vc_base]; }

  private:
    std::uint32_t m_vcs, m_classes, m_first_shared = 0;
    bool m_equal = false;
    std::array<std::uint8_t, most_classes> m_own{}, m_first{};
    std::array<std::uint8_t, most_vcs> m_class_of{};
};

}  // namespace sare
