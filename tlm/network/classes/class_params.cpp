// SPDX-License-Identifier: Apache-2.0
#include "tlm/network/classes/class_params.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace sare {

config::schema<class_params> class_params::fields() {
    using p = class_params;
    config::schema<p> s;
    s.number("count", &p::count, 0, class_vcs::most_classes, "",
             "Message classes of the network; 0: as many as the traffic has.")
        .integers("vcs", &p::vcs, 1, class_vcs::most_vcs, "VCs",
                  "VCs of class 0, 1, ... alone. Those of router.vcs that are left over are shared by all "
                  "classes. Left out: equal shares.");
    return s;
}

std::uint32_t class_params::classes(std::uint32_t needed) const {
    const auto listed = static_cast<std::uint32_t>(vcs.size());
    if (count != 0 && listed != 0 && count != listed)
        throw config::error(
            at,
            fmt::format("'classes.count' is {}, and 'classes.vcs' has {}{}; it must have one for each class",
                        count, listed, (listed == 1 ? " entry" : " entries")));
    const std::uint32_t said = std::max(count, listed);
    if (said != 0 && said < needed)
        throw config::error(
            at, fmt::format(
                    "'classes' has {}, and the traffic sends messages of {} classes; have as many at least",
                    said, needed));
    return std::max(said, needed);
}

class_vcs class_params::shares(std::uint32_t vcs_a_port, std::uint32_t classes) const {
    if (vcs.empty()) return {vcs_a_port, classes};
    if (vcs.size() != classes)
        throw config::error(at, fmt::format("'classes.vcs' is of {} message classes, and the network has {}",
                                            vcs.size(), classes));
    const std::uint64_t sum = std::accumulate(vcs.begin(), vcs.end(), std::uint64_t{0});
    if (sum > vcs_a_port)
        throw config::error(
            at, fmt::format("'classes.vcs' gives away {} VCs, and router.vcs is {}", sum, vcs_a_port));
    return {vcs_a_port, vcs};
}

}  // namespace sare
