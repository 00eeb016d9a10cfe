// SPDX-License-Identifier: Apache-2.0
#include "tlm/router/arbiter/arbiter.h"

namespace sare {
namespace {

/// Policy matrix. A matrix arbiter keeps an order of all requesters, and puts the one served behind all
/// others; so it serves the one served longest ago. Here words[i] is the time at which requester i was
/// served, and words[size] the clock for these times: the same order, in less memory.
struct matrix_policy : by_rank<matrix_policy> {
    static std::uint32_t words(const arbiter_size& size) { return size.requesters + 1; }
    static std::uint64_t rank(const arbiter_state& a, std::uint32_t i, const arbiter_requests&) {
        return a.words[i];
    }
    static void served(const arbiter_state& a, std::uint32_t winner, const arbiter_requests&) {
        a.words[winner] = ++a.words[a.size];
    }
};

const arbiter_registration<matrix_policy> registered_matrix("matrix", "The one served longest ago.");

}  // namespace
}  // namespace sare
