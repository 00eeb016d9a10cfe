// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/pages/command_tree.h"

#include "tb/sare/command_parser.h"
#include "tb/sare/describe/catalogue.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <map>
#include <set>

namespace sare::cli {
namespace {

/// Returns the words in "KIND:{alone,crossbar}", and removes them from the name.
std::vector<std::string> words_of(const std::string& type) {
    const auto open = type.find('{'), close = type.rfind('}');
    if (open == std::string::npos || close == std::string::npos) return {};
    return CLI::detail::split(type.substr(open + 1, close - open - 1), ',');
}

completes completion_of(const option_doc& o) {
    static const std::map<std::string, completes> known{{"FILE", completes::files},
                                                        {"DIR", completes::folders},
                                                        {"A", completes::files},
                                                        {"B", completes::files},
                                                        {"MORE", completes::files},
                                                        {"PATH=VALUE", completes::parameters},
                                                        {"PATH=A,B,C", completes::parameters},
                                                        {"NAME", completes::names}};
    if (!o.words.empty()) return completes::words;
    const auto found = known.find(o.argument);
    if (found == known.end() || (found->second == completes::names && !o.names.empty()))
        return completes::nothing;
    return found->second;
}

option_doc documented(const CLI::Option& o) {
    option_doc d;
    for (const std::string& name : o.get_snames()) d.names.push_back("-" + name);
    for (const std::string& name : o.get_lnames()) d.names.push_back("--" + name);
    const std::string type = o.get_type_name();
    d.argument = o.get_positional() ? o.get_name() : type.substr(0, type.find(':'));
    if (d.argument == type && type.front() == '{') d.argument = "WORD";
    d.sentence = o.get_description();
    d.words = words_of(type);
    d.repeats = o.get_expected_max() > 1;
    d.by = completion_of(d);
    return d;
}

command_doc documented(const CLI::App& app, const std::string& name) {
    command_doc d;
    d.name = name;
    d.sentence = app.get_description();
    d.footer = app.get_footer();
    for (const CLI::Option* o : app.get_options())
        (o->get_positional() ? d.arguments : d.options).push_back(documented(*o));
    for (const CLI::App* below : app.get_subcommands([](const CLI::App*) { return true; }))
        if (!below->get_group().empty())
            d.commands.push_back(documented(*below, (name.empty() ? "" : name + " ") + below->get_name()));
    return d;
}

/// Paths by their names; paths of one name in several variants are joined.
class path_list {
  public:
    void add(const std::string& section, const config::parameter_doc& d) {
        const std::string path = section.empty() ? d.name : section + "." + d.name;
        if (std::count(path.begin(), path.end(), '.') > deepest) return;  // a workload may hold workloads
        std::set<std::string>& values = m_paths[path];
        values.insert(d.choices.begin(), d.choices.end());
        if (d.type == "flag") values.insert({"true", "false"});
        if (const variant_family* f = whole_catalogue().family_of(d); f != nullptr)
            variants(path, *f, values);
        if (d.type.find("list") != std::string::npos || d.type.find("exceptions") != std::string::npos)
            return;
        for (const config::parameter_doc& inner : d.section) add(path, inner);
    }

    std::vector<parameter_path> all() const {
        std::vector<parameter_path> out;
        for (const auto& [path, values] : m_paths) out.push_back({path, {values.begin(), values.end()}});
        return out;
    }

  private:
    static constexpr std::ptrdiff_t deepest = 3;

    void variants(const std::string& path, const variant_family& f, std::set<std::string>& values) {
        std::set<std::string>& chosen = m_paths[path + "." + f.selector];
        for (const variant_doc& v : f.variants) {
            values.insert(v.name);
            chosen.insert(v.name);
            for (const config::parameter_doc& p : v.parameters) add(path, p);
        }
    }

    std::map<std::string, std::set<std::string>> m_paths;
};

}  // namespace

command_doc tree_of(const command_parser& program) {
    return documented(program.app(), "");
}

std::vector<const command_doc*> all_of(const command_doc& tree) {
    std::vector<const command_doc*> all{&tree};
    for (const command_doc& below : tree.commands)
        for (const command_doc* c : all_of(below)) all.push_back(c);
    return all;
}

std::string completer_of(const option_doc& o, const shell_completers& shell) {
    switch (o.by) {
        case completes::words:
            return fmt::format(fmt::runtime(shell.words), fmt::join(o.words, " "));
        case completes::files:
            return shell.files;
        case completes::folders:
            return shell.folders;
        case completes::parameters:
            return shell.parameters;
        case completes::names:
            return shell.names;
        case completes::nothing:
            break;
    }
    return shell.nothing;
}

std::vector<parameter_path> parameter_paths() {
    path_list paths;
    for (const config::parameter_doc& d : whole_catalogue().top) paths.add("", d);
    return paths.all();
}

std::vector<std::string> described_names() {
    std::set<std::string> names{"names", "statistics"};
    for (const config::parameter_doc& d : whole_catalogue().top) names.insert(d.name);
    for (const variant_family& f : whole_catalogue().families) {
        if (f.plural.find(' ') == std::string::npos) names.insert(f.plural);
        for (const variant_doc& v : f.variants) names.insert(v.name);
    }
    for (const parameter_path& p : parameter_paths()) names.insert(p.path);
    return {names.begin(), names.end()};
}

}  // namespace sare::cli
