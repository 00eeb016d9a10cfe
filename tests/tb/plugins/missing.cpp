// SPDX-License-Identifier: Apache-2.0
#include "tlm/config/plugin.h"

/// Calls what nothing defines.
SARE_PLUGIN();

namespace sare {
int not_there(int);
extern "C" int sare_test_entry() {
    return not_there(1);
}
}  // namespace sare
