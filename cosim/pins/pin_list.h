// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/pins/pin_router.h"

#include <optional>
#include <vector>

namespace sare::cosim {

/// List of the output pins of one of two compared machines that have a meaning in this cycle. A pin that
/// decides whether others have a meaning ("valid") comes before them, so both lists have the same pins up to
/// the first pin that differs.
class pin_list {
  public:
    static constexpr std::uint32_t none = ~0u;

    /// Port or class that a pin belongs to, and the flit that it carries.
    struct place {
        const char* kind = "";        ///< "port", "class"
        std::uint32_t number = none;  ///< none: the name of the pin says which it is
        std::optional<flit> what = {};
    };
    struct pin {
        const char *name, *rest;  ///< both parts of the name, one behind the other
        std::uint64_t value;      ///< value of the pin, or of 64 of its bits from `bit` on
        std::uint32_t bit;        ///< bit of a wide pin at which `value` begins; none: the pin is not wide
        place at;
    };

    /// Sets the place of all pins that are added from now on.
    void set_place(const place& at) { m_at = at; }
    /// Adds a pin; `name` and `rest` must be literals, for they are not copied.
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

/// Returns the place of a router's port, with the flit that goes out there.
inline pin_list::place place_of(std::uint32_t port, const port_out& out) {
    return {"port", port, out.valid ? std::optional<flit>(out.what) : std::nullopt};
}

}  // namespace sare::cosim
