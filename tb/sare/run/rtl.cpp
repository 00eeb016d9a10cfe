// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/run/rtl.h"

#include "cosim/axi/attach.h"
#include "cosim/rtl/rtl_parts.h"
#include "tb/sare/process/process.h"

#include <unistd.h>

namespace sare::cli {
namespace {

class verilated_routers final : public rtl_routers {
  public:
    verilated_routers(const experiment& e, const cosim::rtl_parts::options& how)
        : m_parts(e, how), m_axi(axi::attach(e, how.speed, false)) {}
    foreign_maker maker() override { return m_axi->maker(m_parts.maker()); }
    std::string first_difference() override {
        m_parts.finish();
        const auto first = m_parts.first_divergence();
        if (first) return "model and RTL differ: " + first->text();
        const auto at_axi = m_axi->first_divergence();
        return at_axi ? at_axi->pin : "";
    }

  private:
    cosim::rtl_parts m_parts;
    std::unique_ptr<cosim::attached_parts> m_axi;
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
