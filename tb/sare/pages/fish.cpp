// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/pages/command_tree.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace sare::cli {
namespace {

std::string quoted_for_fish(const std::string& text) {
    std::string out;
    for (const char c : text) out += c == '\'' || c == '\\' ? std::string("\\") + c : std::string(1, c);
    return "'" + out + "'";
}

/// Returns options of `complete` for a value or an argument.
std::string values_for_fish(const option_doc& o) {
    return completer_of(
        o, {" -x -a '{}'", " -r -F", " -x -a '(__fish_complete_directories)'", " -x -a '(__sare_parameters)'",
            " -x -a '(__sare_names)'", o.argument.empty() ? "" : " -x"});
}

std::string lines_of(const command_doc& c) {
    const std::string here = fmt::format("complete -c sare -n '__sare_at \"{}\"'", c.name);
    std::string text;
    for (const command_doc& below : c.commands)
        text += fmt::format("{} -a {} -d {}\n", here, below.name.substr(below.name.rfind(' ') + 1),
                            quoted_for_fish(below.sentence));
    for (const option_doc& o : c.options) {
        std::string names;
        for (const std::string& name : o.names)
            names += name.rfind("--", 0) == 0 ? " -l " + name.substr(2) : " -s " + name.substr(1);
        const std::string described = " -d " + quoted_for_fish(o.sentence) + "\n",
                          values = values_for_fish(o);
        // In two lines, or fish would put the option's sentence behind each of its values.
        const bool is_list = values.rfind(" -x -a", 0) == 0;
        text += is_list ? here + names + values + "\n" + here + names + " -x" + described
                        : here + names + values + described;
    }
    for (const option_doc& o : c.arguments)
        if (o.by != completes::nothing) {
            std::string values = values_for_fish(o);
            if (o.by == completes::files) values = " -F";
            text += here + values + "\n";
            break;  // all of them are of one kind
        }
    return text;
}

std::string parameters_for_fish() {
    std::string text;
    for (const parameter_path& p : parameter_paths()) {
        text += fmt::format("    echo {}=\n", p.path);
        if (!p.values.empty())
            text += fmt::format("    printf '{}=%s\\n' {}\n", p.path, fmt::join(p.values, " "));
    }
    return "function __sare_parameters\n" + text + "end\n";
}

constexpr const char* where = R"SH(
function __sare_at
    set -l at ''
    for word in (commandline -opc)[2..-1]
        string match -q -- '-*' $word; and continue
        set -l next (string trim -- "$at $word")
        contains -- $next $__sare_commands; and set at $next
    end
    test "$at" = "$argv[1]"
end
complete -c sare -f
)SH";

}  // namespace

std::string fish_completion(const command_doc& tree) {
    std::string commands, lines;
    for (const command_doc* c : all_of(tree)) {
        if (!c->name.empty()) commands += " " + quoted_for_fish(c->name);
        lines += lines_of(*c);
    }
    return "# Completion of sare for fish, made of the program's own declarations.\nset -g __sare_commands" +
           commands + "\n" + parameters_for_fish() +
           fmt::format("function __sare_names\n    printf '%s\\n' {}\nend\n",
                       fmt::join(described_names(), " ")) +
           where + lines;
}

}  // namespace sare::cli
