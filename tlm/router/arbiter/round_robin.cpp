// SPDX-License-Identifier: Apache-2.0
#include "tlm/router/arbiter/round_robin.h"

namespace sare {
namespace {

const arbiter_registration<round_robin_policy> registered_round_robin(
    "round_robin", "In turn, from the one served last on.");

}  // namespace
}  // namespace sare
