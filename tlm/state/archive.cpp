// SPDX-License-Identifier: Apache-2.0
#include "tlm/state/archive.h"

#include <fmt/format.h>

#include <algorithm>

namespace sare {
namespace {

constexpr std::size_t page = 4096;

bool is_zero(const unsigned char* at, std::size_t n) {
    static constexpr unsigned char zeros[page] = {};
    return std::memcmp(at, zeros, n) == 0;
}

}  // namespace

void archive::sparse(void* at, std::size_t n) {
    auto* next = static_cast<unsigned char*>(at);
    for (std::size_t left = n; left != 0;) {
        const std::size_t some = std::min(left, page);
        const bool here = !is_zero(next, some);
        bool used = here;
        part(used);
        if (used)
            bytes(next, some);
        else if (here)
            std::memset(next, 0, some);
        next += some;
        left -= some;
    }
}

void archive::same(std::uint64_t value, const char* what) {
    std::uint64_t written = value;
    bytes(&written, sizeof written);
    if (written != value)
        throw state_error(fmt::format("{} is {} here and {} in the checkpoint", what, value, written));
}

void archive::same(const std::string& value, const char* what) {
    std::string written = value;
    part(written);
    if (written != value)
        throw state_error(std::string(what) + " is '" + value + "' here and '" + written +
                          "' in the checkpoint");
}

}  // namespace sare
