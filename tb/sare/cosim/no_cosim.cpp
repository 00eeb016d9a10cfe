// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/command_parser.h"
#include "tb/sare/commands.h"
#include "tb/sare/run/rtl.h"
#include "tlm/config/registry.h"

/// Commands of the part `cosim` in a program without it; a section of that name is refused as it is read.
namespace sare::cli {
namespace {

class no_routers final : public rtl_routers {
  public:
    foreign_maker maker() override { return {}; }
    std::string first_difference() override { return ""; }
};

void add_missing(command_parser& app, action& chosen, const std::string& name, const std::string& what) {
    auto* command = app.add_subcommand(name, what);
    command->allow_extras();
    command->callback([&chosen, name] {
        chosen = [name]() -> int { config::throw_missing({}, "the command '" + name + "'", "cosim"); };
    });
}

}  // namespace

rtl_routers& make_rtl_routers(const experiment&, bool) {
    return *new no_routers;
}

void add_cosim(command_parser& app, action& chosen) {
    add_missing(app, chosen, "cosim", "Run RTL routers against the model (not in this program)");
}

void add_characterise(command_parser& app, action& chosen) {
    add_missing(app, chosen, "characterise", "Measure a router of your own (not in this program)");
}

void add_regress(command_parser& app, action& chosen) {
    add_missing(app, chosen, "regress", "Run a regression of RTL (not in this program)");
}

void add_regress_job(command_parser&, action&) {}

}  // namespace sare::cli
