// SPDX-License-Identifier: Apache-2.0
#include "traffic/program/program.h"

#include "tlm/state/archive.h"

namespace sare::traffic {

void program::serialize(archive&) {
    throw unwritable(title());
}

}  // namespace sare::traffic
