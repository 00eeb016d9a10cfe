// SPDX-License-Identifier: Apache-2.0
#include "tlm/network/sleep_table.h"

#include "tlm/fabric/fabric.h"

#include <sstream>

namespace sare {

std::string sleep_table(const fabric& net, cycle_t cycles) {
    using kind = link_end::kind;
    std::ostringstream rows;
    for_each_link(*net.map(), [&](const link_end& from, const link_end& to) {
        const link_sleep* link = net.sleeper_of(from);
        if (link == nullptr) return;
        const char* what = from.what == kind::nic ? "injection"
                           : to.what == kind::nic ? "ejection"
                                                  : "router";
        const std::uint64_t asleep = link->cycles_asleep(cycles);
        rows << from.id << ',' << from.port << ',' << to.id << ',' << to.port << ',' << what << ',' << asleep
             << ',' << static_cast<double>(asleep) / static_cast<double>(cycles) << ',' << link->wakings()
             << '\n';
    });
    const std::string text = rows.str();
    return text.empty() ? "" : "from,from_port,to,to_port,kind,asleep,share,wakings\n" + text;
}

}  // namespace sare
