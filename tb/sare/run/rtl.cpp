// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/run/rtl.h"

#include "tb/sare/process/process.h"

#include <unistd.h>

namespace sare::cli {

cosim::rtl_parts* make_rtl_parts(const experiment& e, cosim::rtl_speed speed) {
    cosim::rtl_parts::options how;
    how.speed = speed;
    how.on_build = [](const std::string& what) {
        if (isatty(STDERR_FILENO) != 0)
            complain("building " + what + " in RTL, once; it is kept in " +
                     cosim::rtl_library::cache_folder());
    };
    return new cosim::rtl_parts(e, how);
}

}  // namespace sare::cli
