// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/ids.h"

#include <array>
#include <cstdint>
#include <vector>

namespace sare {

/// The VCs of a port that each message class may use. Each class has at least one VC of its own, class 0 the
/// lowest VCs; VCs above these are shared by all classes. A packet's class is told by route_header::vc_base,
/// the first VC of the class.
class class_vcs {
  public:
    static constexpr std::uint32_t most_vcs = 64;      ///< most VCs of a port
    static constexpr std::uint32_t most_classes = 16;  ///< most message classes

    /// Gives all classes equally many of the `vcs` VCs of a port. Throws config::error unless `vcs` is a
    /// multiple of `classes`, 1 to 64, and `classes` is 1 to 16.
    class_vcs(std::uint32_t vcs, std::uint32_t classes);
    /// Gives class c `own[c]` VCs of its own; all classes share the rest of the `vcs` VCs of a port. Throws
    /// config::error if an own[c] is 0, if their sum is above `vcs`, and unless `vcs` is 1 to 64 and
    /// own.size() 1 to 16.
    class_vcs(std::uint32_t vcs, const std::vector<std::uint32_t>& own);

    /// Number of VCs of a port.
    std::uint32_t vcs() const { return m_vcs; }
    /// Number of message classes.
    std::uint32_t classes() const { return m_classes; }
    /// True if all classes have equally many VCs of their own and none are shared: then the routes of one
    /// class, shifted by first(), are the routes of every class.
    bool equal() const { return m_equal; }
    /// Number of VCs that a class has for itself. Here and below the class must be below classes() (not
    /// checked).
    std::uint32_t own(std::uint32_t message_class) const { return m_own[message_class]; }
    /// Lowest own VC of a class.
    std::uint32_t first(std::uint32_t message_class) const { return m_first[message_class]; }
    /// Number of VCs that all classes share.
    std::uint32_t shared() const { return m_vcs - m_first_shared; }
    std::uint32_t first_shared() const { return m_first_shared; }  ///< lowest shared VC; vcs(): none
    /// Returns the VCs of a port that a class may use, shared ones included: bit v for VC v.
    vc_mask mask(std::uint32_t message_class) const {
        const vc_mask shared = first_vcs(m_vcs) & ~first_vcs(m_first_shared);
        return first_vcs(own(message_class)) << first(message_class) | shared;
    }
    /// Returns the class that has VC `vc_base` for itself; 0 for a shared VC.
    std::uint32_t class_of(std::uint32_t vc_base) const { return m_class_of[vc_base]; }

  private:
    std::uint32_t m_vcs, m_classes, m_first_shared = 0;  ///< results of the functions above
    bool m_equal = false;
    std::array<std::uint8_t, most_classes> m_own{}, m_first{};  ///< own() and first(), by class
    std::array<std::uint8_t, most_vcs> m_class_of{};            ///< class_of(), by VC
};

}  // namespace sare
