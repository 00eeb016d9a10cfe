// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <vector>

namespace sare {

/// Which VCs of a port the message classes may use. Each class has some of its own, one at least, class 0 the
/// lowest; those above all of them are shared by all classes. A packet carries the first VC of its class
/// (route_header::vc_base), which tells the class.
class class_vcs {
  public:
    static constexpr std::uint32_t most_vcs = 16;  ///< that a kind of routers has

    /// Equal shares: `vcs` a multiple of `classes`. Throws config::error.
    class_vcs(std::uint32_t vcs, std::uint32_t classes);
    /// `own`: of class 0, 1, ... Throws config::error.
    class_vcs(std::uint32_t vcs, const std::vector<std::uint32_t>& own);

    std::uint32_t vcs() const { return m_vcs; }
    std::uint32_t classes() const { return m_classes; }
    /// All classes have as many, and nothing is shared: one stands for all.
    bool equal() const { return m_equal; }
    std::uint32_t own(std::uint32_t message_class) const { return m_own[message_class]; }
    std::uint32_t first(std::uint32_t message_class) const { return m_first[message_class]; }
    std::uint32_t shared() const { return m_vcs - m_first_shared; }
    std::uint32_t first_shared() const { return m_first_shared; }
    /// All that a class may use, as a mask of the port's.
    std::uint32_t mask(std::uint32_t message_class) const {
        return ((1U << own(message_class)) - 1) << first(message_class) | ((1U << shared()) - 1)
                                                                              << m_first_shared;
    }
    /// By its first VC.
    std::uint32_t class_of(std::uint32_t vc_base) const { return m_class_of[vc_base]; }

  private:
    std::uint32_t m_vcs, m_classes, m_first_shared = 0;
    bool m_equal = false;
    std::array<std::uint8_t, most_vcs> m_own{}, m_first{}, m_class_of{};
};

}  // namespace sare
