// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/pages/command_tree.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace sare::cli {
namespace {

/// Returns text within single quotes, where ':' and brackets mean something to _arguments.
std::string quoted_for_zsh(const std::string& text) {
    std::string out;
    for (const char c : text) {
        if (c == '\'')
            out += "'\\''";
        else if (c == ':' || c == '[' || c == ']' || c == '\\')
            out += std::string("\\") + c;
        else
            out += c;
    }
    return out;
}

std::string action_of(const option_doc& o) {
    return completer_of(o, {"({})", "_files", "_files -/", "_sare_parameters", "_sare_names", " "});
}

std::string specification(const option_doc& o) {
    const std::string sentence = quoted_for_zsh(o.sentence);
    std::string value =
        o.argument.empty() ? "" : fmt::format(":{}:{}", quoted_for_zsh(o.argument), action_of(o));
    if (o.names.empty()) return fmt::format("'{}{}'", o.repeats ? "*" : "", value.empty() ? ":" : value);
    std::string text;
    for (const std::string& name : o.names) {
        const std::string others =
            o.repeats || o.names.size() == 1 ? "" : fmt::format("({})", fmt::join(o.names, " "));
        text += fmt::format("{}'{}{}{}[{}]{}'", text.empty() ? "" : " ", o.repeats ? "*" : "", others, name,
                            sentence, value);
    }
    return text;
}

std::string function_name(const command_doc& c) {
    std::string name = "_sare_of_" + c.name;
    for (char& letter : name)
        if (letter == ' ' || letter == '-') letter = '_';
    return name;
}

std::string last_word(const command_doc& c) {
    return c.name.substr(c.name.rfind(' ') + 1);
}

/// Returns the function of a command; one with commands below it chooses among them.
std::string function_of(const command_doc& c) {
    std::string text = fmt::format(
        "{}() {{\n    local context state state_descr line\n    typeset -A opt_args\n", function_name(c));
    std::string arguments;
    for (const option_doc& o : c.options) arguments += " \\\n        " + specification(o);
    if (c.commands.empty()) {
        for (const option_doc& o : c.arguments) arguments += " \\\n        " + specification(o);
        return text + "    _arguments -s" + arguments + "\n}\n";
    }
    text +=
        "    _arguments -C -s" + arguments +
        " \\\n        '1:command:->command' '*::argument:->argument'\n    case $state in\n        command)\n"
        "            local -a commands=(\n";
    for (const command_doc& below : c.commands)
        text += fmt::format("                '{}:{}'\n", last_word(below), quoted_for_zsh(below.sentence));
    text +=
        "            )\n            _describe command commands ;;\n        argument)\n            case "
        "$words[1] in\n";
    for (const command_doc& below : c.commands)
        text += fmt::format("                {}) {} ;;\n", last_word(below), function_name(below));
    return text + "            esac ;;\n    esac\n}\n";
}

std::string parameters_function() {
    std::string text = "_sare_parameters() {\n    if compset -P '*='; then\n        case ${IPREFIX%=} in\n";
    std::vector<std::string> paths;
    for (const parameter_path& p : parameter_paths()) {
        paths.push_back(p.path);
        if (!p.values.empty())
            text += fmt::format("            *{}) compadd -- {} ;;\n", p.path, fmt::join(p.values, " "));
    }
    return text + fmt::format("        esac\n    else\n        compadd -S = -q -- {}\n    fi\n}}\n",
                              fmt::join(paths, " "));
}

}  // namespace

std::string zsh_completion(const command_doc& tree) {
    std::string text =
        "#compdef sare\n# Completion of sare for zsh, made of the program's own declarations.\n";
    text += parameters_function();
    text += fmt::format("_sare_names() {{\n    compadd -- {}\n}}\n", fmt::join(described_names(), " "));
    for (const command_doc* c : all_of(tree)) text += function_of(*c);
    return text + function_name(tree) + " \"$@\"\n";
}

}  // namespace sare::cli
