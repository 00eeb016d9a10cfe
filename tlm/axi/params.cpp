// SPDX-License-Identifier: Apache-2.0
#include "tlm/axi/params.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace sare::axi {

bridge_params bridge_params::resolved(std::uint32_t classes) const {
    if (classes == 0) throw config::error("a network has 1 message class at least, not 0");
    bridge_params all = *this;
    if (all.response_classes.empty()) all.response_classes = {classes - 1};
    if (all.request_classes.empty() || all.request_classes.size() > 16 || all.response_classes.size() > 16)
        throw config::error("request_classes and response_classes have an entry for each QoS: 1 to 16");
    for (const auto* list : {&all.request_classes, &all.response_classes})
        for (const std::uint32_t c : *list) {
            if (c >= classes)
                throw config::error(
                    fmt::format("message class {} is asked for, and the network has {}", c, classes));
            if (list == &all.request_classes &&
                std::count(all.response_classes.begin(), all.response_classes.end(), c) != 0)
                throw config::error(
                    fmt::format("requests and responses share message class {}, where they would wait for "
                                "each other; a network of 2 classes has one for each",
                                c));
        }
    return all;
}

}  // namespace sare::axi
