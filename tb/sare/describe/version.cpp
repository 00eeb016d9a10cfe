// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/commands.h"
#include "version_text.h"

namespace sare::cli {

const char* version() {
    return SARE_VERSION_TEXT;
}

}  // namespace sare::cli
