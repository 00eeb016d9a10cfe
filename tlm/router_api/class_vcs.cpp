// SPDX-License-Identifier: Apache-2.0
#include "tlm/router_api/class_vcs.h"

#include "tlm/config/value.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace sare {
namespace {

void check_numbers(std::uint32_t vcs, std::uint64_t classes) {
    constexpr std::uint32_t most = class_vcs::most_vcs, most_classes = class_vcs::most_classes;
    if (classes == 0 || classes > most_classes)
        throw config::error(
            fmt::format("a network has 1 to {} message classes, not {}", most_classes, classes));
    if (vcs == 0 || vcs > most)
        throw config::error(fmt::format("router.vcs is {}; it must be from 1 to {}", vcs, most));
}

std::vector<std::uint32_t> equal_shares(std::uint32_t vcs, std::uint32_t classes) {
    check_numbers(vcs, classes);
    if (vcs % classes != 0)
        throw config::error(
            fmt::format("router.vcs is {}; it must be a multiple of the {} message classes of the workload",
                        vcs, classes));
    return std::vector<std::uint32_t>(classes, vcs / classes);
}

}  // namespace

class_vcs::class_vcs(std::uint32_t vcs, std::uint32_t classes) : class_vcs(vcs, equal_shares(vcs, classes)) {}

class_vcs::class_vcs(std::uint32_t vcs, const std::vector<std::uint32_t>& own)
    : m_vcs(vcs), m_classes(static_cast<std::uint32_t>(own.size())) {
    check_numbers(vcs, own.size());
    const std::uint64_t sum = std::accumulate(own.begin(), own.end(), std::uint64_t{0});
    if (sum > vcs || std::count(own.begin(), own.end(), 0U) != 0)
        throw config::error(
            fmt::format("message classes have {} VCs of their own in all, of {}; each must have one at "
                        "least, and all no more than there are",
                        sum, vcs));
    for (std::uint32_t c = 0; c < m_classes; ++c) {
        m_first[c] = static_cast<std::uint8_t>(m_first_shared);
        m_own[c] = static_cast<std::uint8_t>(own[c]);
        std::fill_n(m_class_of.begin() + m_first_shared, own[c], static_cast<std::uint8_t>(c));
        m_first_shared += own[c];
    }
    m_equal =
        shared() == 0 && std::all_of(own.begin(), own.end(), [&](std::uint32_t n) { return n == own[0]; });
}

}  // namespace sare
