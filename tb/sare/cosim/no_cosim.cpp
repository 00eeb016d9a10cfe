// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/command_parser.h"
#include "tb/sare/commands.h"
#include "tb/sare/run/rtl.h"
#include "tlm/config/registry.h"

/// In a program without the part `cosim`: what the command says; a section of that name is refused as it is
/// read.
namespace sare::cli {
namespace {

class no_routers final : public rtl_routers {
  public:
    foreign_maker maker() override { return {}; }
    std::string first_difference() const override { return ""; }
};

}  // namespace

rtl_routers& make_rtl_routers(const experiment&, bool) {
    return *new no_routers;
}

void add_cosim(command_parser& app, action& chosen) {
    auto* command = app.add_subcommand("cosim", "Run RTL routers against the model (not in this program)");
    command->allow_extras();
    command->callback(
        [&chosen] { chosen = []() -> int { config::throw_missing({}, "the command 'cosim'", "cosim"); }; });
}

}  // namespace sare::cli
