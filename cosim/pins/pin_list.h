// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/pins/pin_router.h"

#include <optional>
#include <vector>

namespace sare::cosim {

/// Output pins that mean something, listed by one of two machines that are compared. A pin that decides which
/// others mean something ("valid") comes before them, so both lists have the same pins up to the first one
/// that differs.
class pin_list {
  public:
    static constexpr std::uint32_t none = ~0u;

    /// Where a pin is, and the flit that is there.
    struct place {
        const char* kind = "";        ///< "port", "class"
        std::uint32_t number = none;  ///< none: the pin's name says enough
        std::optional<flit> what = {};
    };
    struct pin {
        const char *name, *rest;  ///< its name is both
        std::uint64_t value;
        std::uint32_t bit;  ///< of a wide pin: the lowest of these; else none
        place at;
    };

    /// Of the pins that follow.
    void set_place(const place& at) { m_at = at; }
    /// Both parts of the name are literals.
    void add(const char* name, const char* rest, std::uint64_t value, std::uint32_t bit = none) {
        m_pins.push_back({name, rest, value, bit, m_at});
    }
    void clear() {
        m_pins.clear();
        m_at = {};
    }
    const std::vector<pin>& pins() const { return m_pins; }

  private:
    std::vector<pin> m_pins;
    place m_at;
};

inline pin_list::place place_of(std::uint32_t port, const port_out& out) {
    return {"port", port, out.valid ? std::optional<flit>(out.what) : std::nullopt};
}

}  // namespace sare::cosim
