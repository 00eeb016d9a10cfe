// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/cluster/scheduler.h"

namespace sare::cli {
namespace {

using maker = std::unique_ptr<batch_scheduler> (*)();
constexpr std::pair<const char*, maker> schedulers[] = {{"slurm", make_slurm}};

}  // namespace

std::unique_ptr<batch_scheduler> make_scheduler(const std::string& name) {
    for (const auto& [its_name, make] : schedulers)
        if (name == its_name) return make();
    throw std::logic_error("no scheduler is called " + name);
}

std::vector<std::string> scheduler_names() {
    std::vector<std::string> names;
    for (const auto& s : schedulers) names.emplace_back(s.first);
    return names;
}

}  // namespace sare::cli
