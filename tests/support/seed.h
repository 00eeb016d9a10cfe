// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <random>
#include <string>

namespace sare::test {

/// The seed of a test that draws its settings: `usual`, so that the suite says the same on each run;
/// SARE_TEST_SEED=N draws those of N, SARE_TEST_SEED=fresh new ones (the target `properties` does).
inline std::uint64_t test_seed(std::uint64_t usual) {
    const char* const given = std::getenv("SARE_TEST_SEED");
    const std::string text = given == nullptr ? "" : given;
    const std::uint64_t seed = text.empty()      ? usual
                               : text == "fresh" ? std::random_device()()
                                                 : std::stoull(text);
    std::cout << "SARE_TEST_SEED=" << seed << std::endl;
    return seed;
}

}  // namespace sare::test
