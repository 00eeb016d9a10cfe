// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/pages/command_tree.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace sare::cli {
namespace {

/// Returns what the script calls a list that it makes itself.
std::string values_of(const option_doc& o) {
    return completer_of(o, {"{}", "@files", "@folders", "@parameters", "@names", "@none"});
}

std::string cases_of_values(const command_doc& tree) {
    std::string text;
    for (const command_doc* c : all_of(tree)) {
        for (const option_doc& o : c->options)
            if (!o.argument.empty())
                for (const std::string& name : o.names)
                    text += fmt::format("        '{}:{}') echo '{}' ;;\n", c->name, name, values_of(o));
        if (!c->arguments.empty())
            text += fmt::format("        '{}:') echo '{}' ;;\n", c->name, values_of(c->arguments.front()));
    }
    return text;
}

std::string cases_of_words(const command_doc& tree, bool options) {
    std::string text;
    for (const command_doc* c : all_of(tree)) {
        std::vector<std::string> words;
        if (options)
            for (const option_doc& o : c->options) words.insert(words.end(), o.names.begin(), o.names.end());
        else
            for (const command_doc& below : c->commands)
                words.push_back(below.name.substr(below.name.rfind(' ') + 1));
        if (!words.empty())
            text += fmt::format("        '{}') echo '{}' ;;\n", c->name, fmt::join(words, " "));
    }
    return text;
}

std::string cases_of_parameters() {
    std::string text;
    for (const parameter_path& p : parameter_paths())
        if (!p.values.empty())
            text += fmt::format("        {}) echo '{}' ;;\n", p.path, fmt::join(p.values, " "));
    return text;
}

std::vector<std::string> paths() {
    std::vector<std::string> all;
    for (const parameter_path& p : parameter_paths()) all.push_back(p.path);
    return all;
}

/// Takes words from the line, not from COMP_WORDS, since bash breaks these at '=', too.
constexpr const char* body = R"SH(
_sare_reply() {  # a list, the word so far, what bash has taken off its front
    local have=$2 front=$3
    case $1 in
        @none) ;;
        @files) compopt -o filenames; COMPREPLY=($(compgen -f -- "$have")) ;;
        @folders) compopt -o filenames; COMPREPLY=($(compgen -d -- "$have")) ;;
        @names) COMPREPLY=($(compgen -W "$(_sare_names)" -- "$have")) ;;
        @parameters)
            if [[ $have == *=* ]]; then
                COMPREPLY=($(compgen -W "$(_sare_parameter_values "${have%%=*}")" -- "${have#*=}"))
            else
                compopt -o nospace
                COMPREPLY=($(compgen -W "$(_sare_paths)" -S = -- "$have"))
            fi ;;
        *) COMPREPLY=($(compgen -W "$1" -- "$have")) ;;
    esac
}

_sare() {
    local line=${COMP_LINE:0:COMP_POINT} command='' option='' word values
    local have=${line##*[[:space:]]}
    local -a words
    read -ra words <<<"${line%"$have"}"
    COMPREPLY=()
    for word in "${words[@]:1}"; do
        if [[ $option ]]; then
            option=
        elif [[ $word == -* ]]; then
            [[ $word != *=* && $(_sare_values "$command:$word") ]] && option=$word
        elif [[ " $(_sare_commands "$command") " == *" $word "* ]]; then
            command=${command:+$command }$word
        fi
    done
    if [[ $have == --*=* && ! $option ]]; then
        option=${have%%=*} have=${have#*=}
    elif [[ $have == -* && ! $option ]]; then
        COMPREPLY=($(compgen -W "$(_sare_options "$command")" -- "$have"))
        return
    fi
    values=$(_sare_values "$command:$option")
    [[ $values || $option ]] || values=$(_sare_commands "$command")
    _sare_reply "${values:-@none}" "$have"
}
complete -F _sare sare
)SH";

}  // namespace

std::string bash_completion(const command_doc& tree) {
    const auto function = [](const std::string& name, const std::string& cases) {
        return fmt::format("_sare_{}() {{\n    case $1 in\n{}    esac\n}}\n", name, cases);
    };
    return "# Completion of sare for bash, made of the program's own declarations.\n" +
           function("commands", cases_of_words(tree, false)) +
           function("options", cases_of_words(tree, true)) + function("values", cases_of_values(tree)) +
           function("parameter_values", cases_of_parameters()) +
           fmt::format("_sare_paths() {{\n    echo '{}'\n}}\n", fmt::join(paths(), " ")) +
           fmt::format("_sare_names() {{\n    echo '{}'\n}}\n", fmt::join(described_names(), " ")) + body;
}

}  // namespace sare::cli
