// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/run/plugins.h"

#include "tb/sare/command_parser.h"
#include "tb/sare/commands.h"
#include "tb/sare/process/files.h"
#include "tb/sare/process/process.h"
#include "tlm/config/plugin_loader.h"
#include "tlm/config/schema.h"
#include "tlm/config/text_file.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <limits>

namespace sare::cli {
namespace {

std::vector<plugin_file>& all_loaded() {
    static std::vector<plugin_file> all;
    return all;
}

/// Gives a line instead of an abort for exceptions of a library's constructors, which never reach us.
class load_guard {
  public:
    load_guard() : m_before(std::set_terminate(end_with_a_line)) {}
    ~load_guard() { std::set_terminate(m_before); }
    load_guard(const load_guard&) = delete;
    load_guard& operator=(const load_guard&) = delete;

  private:
    [[noreturn]] static void end_with_a_line() {
        std::string what = "something";
        try {
            if (std::current_exception()) std::rethrow_exception(std::current_exception());
        } catch (const std::exception& e) {
            what = e.what();
        } catch (...) {
        }
        complain("a plugin throws while it is loaded: " + what);
        leave(exit_status::failure);
    }
    std::terminate_handler m_before;
};

void load(const std::string& name, const std::filesystem::path& file, const config::location& at) {
    {
        const load_guard guard;
        config::load_plugin(file.string(), at);
    }
    const std::string digest =
        sha256(config::read_file(file.string(), std::numeric_limits<std::size_t>::max()));
    auto& all = all_loaded();
    if (std::none_of(all.begin(), all.end(), [&](const plugin_file& p) { return p.sha256 == digest; }))
        all.push_back({name, digest});
}

}  // namespace

std::string sha256(const std::string& text) {
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned length = 0;
    EVP_Digest(text.data(), text.size(), digest, &length, EVP_sha256(), nullptr);
    std::string hex;
    for (unsigned i = 0; i < length; ++i) hex += fmt::format("{:02x}", digest[i]);
    return hex;
}

void add_plugin_option(command_parser& command, std::vector<std::string>& files) {
    command.add_repeated("--plugin", files, "FILE", "A library with variants of yours; may be given again");
}

void load_plugins(const std::vector<std::string>& files) {
    for (const auto& file : files) load(file, file, {"--plugin", 0, 0});
}

void load_plugins(const config::value& tree, const std::string& folder) {
    const config::value* given = tree.type() == config::value::kind::map ? tree.find("plugins") : nullptr;
    if (given == nullptr) return;
    const bool one = given->type() == config::value::kind::scalar;
    for (const auto& item : one ? std::vector<config::value>{*given} : given->items()) {
        const std::string& name = config::to_text(item, "plugins");
        load(name, std::filesystem::path(folder) / name, item.where());
    }
}

const std::vector<plugin_file>& loaded_plugins() {
    return all_loaded();
}

}  // namespace sare::cli
