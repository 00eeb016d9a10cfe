// SPDX-License-Identifier: Apache-2.0
#include "traffic/source/classes.h"

#include "traffic/source/class_mix.h"

#include <map>

namespace sare::traffic {
namespace {

constexpr std::int64_t last_class = 15;

/// Returns the shares of the load by class; throws config::error.
std::map<std::uint32_t, double> read_shares(const config::value& given) {
    if (given.type() != config::value::kind::map || given.entries().empty())
        throw config::error(given.where(),
                            "'classes' must have the share of each class, such as {0: 0.8, 1: 0.2}");
    std::map<std::uint32_t, double> all;
    double sum = 0;
    for (const auto& [key, share] : given.entries()) {
        const auto c =
            config::to_integer(config::value::scalar(key, share.where()), "classes", 0, last_class);
        sum += all[static_cast<std::uint32_t>(c)] =
            config::to_number(share, "the share of class " + key, 0, 1e6);
    }
    if (sum <= 0) throw config::error(given.where(), "'classes' gives no class a share; one must be above 0");
    for (auto& [c, share] : all) share /= sum;
    return all;
}

}  // namespace

std::uint32_t read_class(const config::value& given) {
    if (given.type() == config::value::kind::null) return 0;
    return static_cast<std::uint32_t>(config::to_integer(given, "class", 0, last_class));
}

workload* in_class(const config::value& message_class, std::unique_ptr<workload> work) {
    const std::uint32_t first = read_class(message_class);
    if (first == 0) return work.release();
    std::vector<class_mix::part> one;
    one.push_back({first, std::move(work)});
    return new class_mix(std::move(one));
}

workload* in_classes(const config::value& message_class, const config::value& shares,
                     const std::function<std::unique_ptr<workload>(double)>& make) {
    if (shares.type() == config::value::kind::null) return in_class(message_class, make(1));
    if (message_class.type() != config::value::kind::null)
        throw config::error(message_class.where(),
                            "'class' is that of all messages, and 'classes' shares them out; leave out one");
    std::vector<class_mix::part> parts;
    for (const auto& [c, share] : read_shares(shares))
        if (share > 0) parts.push_back({c, make(share)});
    return new class_mix(std::move(parts));
}

}  // namespace sare::traffic
