// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/runs/store_options.h"

#include "tb/sare/command_parser.h"
#include "tb/sare/commands.h"
#include "tlm/config/schema.h"
#include "tlm/config/yaml.h"

#include <cstdlib>
#include <filesystem>

namespace sare::cli {
namespace fs = std::filesystem;
namespace {

/// Settings of a user for all commands.
struct user_configuration {
    std::string store;
};

config::schema<user_configuration> user_fields() {
    config::schema<user_configuration> s;
    s.text("store", &user_configuration::store, "File of the store that runs are recorded in.");
    return s;
}

std::string variable(const char* name) {
    const char* text = std::getenv(name);
    return text == nullptr ? "" : text;
}

/// Returns the store: "~/runs.db" is in the home folder, other relative names are beside the configuration.
std::string from_user_configuration() {
    const fs::path file = user_configuration_file();
    std::error_code none;
    if (file.empty() || !fs::exists(file, none)) return "";
    user_configuration c;
    user_fields().read(config::load_yaml(file.string()), c, "the user's configuration");
    if (c.store.empty()) return "";
    if (c.store.rfind("~/", 0) == 0) return (fs::path(variable("HOME")) / c.store.substr(2)).string();
    return (file.parent_path() / c.store).string();
}

}  // namespace

std::string user_configuration_file() {
    if (const std::string base = variable("XDG_CONFIG_HOME"); !base.empty())
        return (fs::path(base) / "sare/config.yaml").string();
    const std::string home = variable("HOME");
    return home.empty() ? "" : (fs::path(home) / ".config/sare/config.yaml").string();
}

void store_options::add_to(command_parser& command, use how) {
    command
        .add_option("--store", file, "FILE",
                    "Store of runs, an SQLite file (default: 'store' of the user's configuration, "
                    "~/.config/sare/config.yaml)")
        ->check([](const std::string& name) {
            return name.empty() ? "must name a file, such as runs.db" : std::string();
        });
    if (how == use::looks) return;
    command.add_flag("--no-store", none, "Leave the store of the user's configuration alone");
    if (how == use::records) return;
    command.add_flag("--again", again, "Run what the store has, too");
}

std::string store_options::place() const {
    if (none && !file.empty())
        throw usage_error("--store and --no-store are not possible together; give one of them");
    if (none) return "";
    return file.empty() ? from_user_configuration() : file;
}

}  // namespace sare::cli
