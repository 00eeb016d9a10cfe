// SPDX-License-Identifier: Apache-2.0
#include "tlm/router/spinet/params.h"

namespace sare {
config::schema<spinet_params> spinet_params::fields() {
    using P = spinet_params;
    config::schema<P> s;
    s.number("vcs", &P::vcs, 1, 16, "", "Message classes that can be told apart; all go the same paths.")
        .number("slot", &P::slot, 0, 4096, "cycles",
                "Senders begin at its multiples; 0: as short as packets and acknowledgements allow.")
        .number("duration", &P::duration, 1, 4096, "cycles",
                "A packet of any length, which all wavelengths carry side by side.")
        .choice("arbitration", &P::arbitration,
                {{"random", element_arbitration::random},
                 {"round_robin", element_arbitration::round_robin},
                 {"fixed", element_arbitration::fixed}},
                "Which of the packets that want an output gets it: any; in turn; that of the lowest input.")
        .flag("sidestep", &P::sidestep,
              "In a stage where any output leads to the destination, what loses one takes another that is "
              "free.")
        .number(
            "attempts", &P::attempts, 0, 1e9, "",
            "After so many without an acknowledgement the packet is lost; 0: it is sent until it arrives.")
        .number("window", &P::window, 1, 65536, "slots",
                "Back-off after the first attempt that fails: 0 to so many less 1, each as likely.")
        .number("doublings", &P::doublings, 0, 15, "",
                "With each further attempt the window doubles, so many times at most.");
    return s;
}

bool spinet_params::operator==(const spinet_params& o) const {
    return config::same_parameters(*this, o);
}

}  // namespace sare
