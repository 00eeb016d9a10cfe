// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/pins/pin_router.h"

#include <optional>
#include <vector>

namespace sare::cosim {

/// List of the output pins that have a meaning in this cycle, for one of two machines that are compared pin
/// by pin (lockstep.h), such as model and RTL. A pin such as "valid", by which further pins get a meaning,
/// must be added before these, so that both lists have the same pins up to the first difference.
class pin_list {
  public:
    /// Value of place::number and pin::bit for "no number".
    static constexpr std::uint32_t none = ~0u;

    /// The port or message class that a pin belongs to, and the flit that is sent there.
    struct place {
        const char* kind = "";        ///< "port" or "class"; not used if `number` is none
        std::uint32_t number = none;  ///< number of the port or class; none: the name of the pin says it
        /// Flit at the port or class; nothing: no flit is sent, or it is not known.
        std::optional<flit> what = {};
    };
    /// An output pin, or 64 bits of a wide one, with its value.
    struct pin {
        const char *name, *rest;  ///< the name of the pin is `name` followed by `rest`
        std::uint64_t value;      ///< value of the pin; of a wide pin, 64 of its bits from `bit` on
        std::uint32_t bit;        ///< lowest bit of a wide pin that `value` has; none: the pin is not wide
        place at;                 ///< port or class of the pin
    };

    /// Sets the place of all pins that are added from now on, until clear(); before the first call, it is
    /// none.
    void set_place(const place& at) { m_at = at; }
    /// Adds a pin; one of the same name may be in the list already. `name` and `rest` must be string
    /// literals, since they are not copied. `bit`: pin::bit.
    void add(const char* name, const char* rest, std::uint64_t value, std::uint32_t bit = none) {
        m_pins.push_back({name, rest, value, bit, m_at});
    }
    /// Removes all pins and the place.
    void clear() {
        m_pins.clear();
        m_at = {};
    }
    const std::vector<pin>& pins() const { return m_pins; }  ///< the pins, in the order of add()

  private:
    std::vector<pin> m_pins;
    place m_at;
};

/// Returns the place of a router's port, with the flit that goes out there, if any.
inline pin_list::place place_of(std::uint32_t port, const port_out& out) {
    return {"port", port, out.valid ? std::optional<flit>(out.what) : std::nullopt};
}

}  // namespace sare::cosim
