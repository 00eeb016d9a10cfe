// SPDX-License-Identifier: Apache-2.0
#include "cosim/scoreboard/lockstep.h"

#include "cosim/pins/bits.h"

#include <fmt/format.h>

#include <algorithm>

namespace sare::cosim {
namespace {

/// Words of messages about two machines.
struct words {
    const char *in_first, *in_second;  ///< follow the value of a pin
    const char *first_alone,
        *second_alone;           ///< before the text of an exception that the other has not thrown
    const char *first, *second;  ///< before the texts of two exceptions; null: the second alone is told
};
const words& words_of(compared_machines m) {
    static const words all[] = {
        {" in the model and ", " in the RTL", "the model alone: ", "", nullptr, nullptr},
        {" in the old RTL and ", " in the new",
         "the old RTL alone: ", "the new RTL alone: ", "the old RTL: ", "; the new RTL: "},
        {" from one initial state and ", " from another: reset leaves something to chance",
         "from one of two initial states alone: ", "from one of two initial states alone: ",
         "from one initial state: ", "; from another: "}};
    return all[static_cast<int>(m)];
}

}  // namespace

std::string divergence::text() const {
    std::string all = fmt::format("cycle {}, {}", cycle, instance);
    if (model == rtl) return all + ": " + pin;
    if (!place.empty()) all += ", " + place;
    const words& say = words_of(machines);
    all += ": " + pin + " is " + hex(model) + say.in_first + hex(rtl) + say.in_second;
    return flit.empty() ? all : all + " (" + flit + ")";
}

void comparison::compare(const trial& first, const trial& second) {
    compare_pins(first.pins, second.pins);
    if (first.problem == second.problem) return;
    const bool of_second = !second.problem.empty();
    divergence found;
    const words& say = words_of(m_machines);
    found.pin = of_second ? say.second_alone + second.problem : say.first_alone + first.problem;
    if (say.first != nullptr && of_second && !first.problem.empty())
        found.pin = say.first + first.problem + say.second + second.problem;
    note(std::move(found), pin_list::none);
}

/// Compares pins; a machine that threw has listed only some of its pins.
void comparison::compare_pins(const pin_list& first, const pin_list& second) {
    const std::size_t n = std::min(first.pins().size(), second.pins().size());
    for (std::size_t k = 0; k < n && !m_divergence; ++k) {
        const pin_list::pin &was = first.pins()[k], &is = second.pins()[k];
        if (was.value == is.value) continue;
        divergence found;
        found.pin = std::string(was.name) + was.rest;
        if (was.bit != pin_list::none) found.pin += fmt::format(" from bit {}", was.bit);
        if (was.at.number != pin_list::none) found.place = was.at.kind + (fmt::format(" {}", was.at.number));
        found.model = was.value;
        found.rtl = is.value;
        if (const auto& shown = was.at.what ? was.at.what : is.at.what; shown && m_history)
            found.flit = m_history->text_of(*shown);
        note(std::move(found), was.at.number);
    }
}

void comparison::note(divergence found, std::uint32_t port) {
    if (m_divergence) return;
    found.cycle = m_cycle;
    found.instance = m_name;
    found.machines = m_machines;
    if (m_history) found.history = port == pin_list::none ? m_history->everywhere() : m_history->at(port);
    m_divergence = std::move(found);
}

}  // namespace sare::cosim
