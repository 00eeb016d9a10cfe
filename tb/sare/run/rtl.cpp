// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/run/rtl.h"

#include "cosim/rtl/rtl_parts.h"
#include "tb/sare/process/process.h"

#include <unistd.h>

namespace sare::cli {
namespace {

class verilated_routers final : public rtl_routers {
  public:
    verilated_routers(const experiment& e, const cosim::rtl_parts::options& how) : m_parts(e, how) {}
    foreign_maker maker() override { return m_parts.maker(); }
    std::string first_difference() override {
        m_parts.finish();
        const auto first = m_parts.first_divergence();
        return first ? "model and RTL differ: " + first->text() : "";
    }

  private:
    cosim::rtl_parts m_parts;
};

}  // namespace

rtl_routers& make_rtl_routers(const experiment& e, bool quick) {
    cosim::rtl_parts::options how;
    how.speed = quick ? cosim::rtl_speed::quick : cosim::rtl_speed::fast;
    how.on_build = [](const std::string& what) {
        if (isatty(STDERR_FILENO) != 0)
            complain("building " + what + " in RTL, once; it is kept in " +
                     cosim::rtl_library::cache_folder());
    };
    return *new verilated_routers(e, how);
}

}  // namespace sare::cli
