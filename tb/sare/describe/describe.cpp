// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/command_parser.h"
#include "tb/sare/commands.h"
#include "tb/sare/describe/catalogue.h"
#include "tb/sare/describe/statistics.h"
#include "tb/sare/describe/tables.h"
#include "tb/sare/process/terminal.h"
#include "tb/sare/run/plugins.h"
#include "tlm/base/joined.h"
#include "tlm/config/foreign_names.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

namespace sare::cli {
namespace {

using config::parameter_doc;

std::string range(const parameter_doc& d) {
    if (!d.choices.empty()) return joined(d.choices, " | ");
    std::string text = d.type;
    if (d.min && d.max)
        text += fmt::format(", {} to {}", config::number_text(*d.min), config::number_text(*d.max));
    if (!d.unit.empty()) text += (d.min ? " " : ", ") + d.unit;
    return text;
}

/// Writes descriptions as text for one width, with the names by which they were found.
class writer {
  public:
    explicit writer(std::size_t width) : m_width(width) {}

    std::string text;

    void parameters(const std::vector<parameter_doc>& docs, std::size_t indent) {
        std::size_t names = 0, defaults = 0;
        for (const auto& d : docs) {
            names = std::max(names, d.name.size());
            if (d.default_text.size() <= 12) defaults = std::max(defaults, d.default_text.size());
        }
        for (const auto& d : docs) parameter(d, indent, names, defaults);
    }

    void variant(const variant_family& f, const variant_doc& v) {
        text += fmt::format("{} ({}: {})\n", in_colour(v.name, colour::bold), f.selector, v.name);
        paragraph(v.sentence, 2);
        if (v.parameters.empty()) text += "  no parameters\n";
        parameters(v.parameters, 2);
    }

    void section(const parameter_doc& d) {
        text += in_colour(d.name, colour::bold) + "\n";
        paragraph(d.sentence, 2);
        parameters(d.section, 2);
    }

    void family(const variant_family& f) {
        const std::string other =
            f.default_variant.empty() ? "" : fmt::format("; {} where it is left out", f.default_variant);
        text += fmt::format("{} (key '{}'{})\n", in_colour(f.plural, colour::bold), f.selector, other);
        std::size_t names = 0;
        for (const auto& v : f.variants) names = std::max(names, v.name.size());
        for (const auto& v : f.variants)
            text += "  " + in_colour(padded(v.name, names), colour::bold) + "  " +
                    wrapped(v.sentence, m_width - names - 4, names + 4) + "\n";
    }

    void paragraph(const std::string& sentence, std::size_t indent) {
        text += std::string(indent, ' ') + wrapped(sentence, m_width - indent, indent) + "\n";
    }

  private:
    void parameter(const parameter_doc& d, std::size_t indent, std::size_t names, std::size_t defaults) {
        const std::size_t column = indent + names + 2 + defaults + 2;
        const std::string value = d.default_text.size() <= defaults ? d.default_text : "";
        text += std::string(indent, ' ') + in_colour(padded(d.name, names), colour::bold) + "  " +
                padded(value, defaults) + "  ";
        text += wrapped(d.sentence, m_width - column, column) + "\n";
        std::string more = "(" + range(d) + ")";
        if (value.empty() && !d.default_text.empty()) more += " default: " + d.default_text;
        text +=
            std::string(column, ' ') + in_colour(wrapped(more, m_width - column, column), colour::dim) + "\n";
        if (!d.section.empty()) parameters(d.section, indent + 4);
    }

    std::size_t m_width;
};

/// Finds everything that a name may mean, each once.
class search {
  public:
    search(const std::string& name, std::size_t width) : m_name(name), m_width(width), m_out(width) {}

    std::string run() {
        const catalogue& all = whole_catalogue();
        for (const auto& d : all.top) top(d);
        for (const auto& f : all.families) family(f);
        for (const auto& [text, variants] : m_of_variants) {
            m_out.paragraph("in " + joined(variants), 0);
            m_out.text += text;
        }
        if (!m_out.text.empty()) return m_out.text;
        if (const config::foreign_name* f = config::find_foreign_key(m_name))
            throw config::error("describe: " + text_of(*f, m_name));
        if (const auto variants = config::find_foreign_variants(m_name); !variants.empty())
            throw config::error("describe: " + text_of(*variants.front(), m_name));
        const std::string near = config::nearest(m_name, m_known);
        throw config::error(fmt::format(
            "describe: nothing is called '{}'; {}", m_name,
            near.empty() ? "'sare describe' lists all there is" : fmt::format("did you mean '{}'?", near)));
    }

  private:
    bool is(const std::string& candidate) {
        m_known.push_back(candidate);
        return candidate == m_name;
    }

    void top(const parameter_doc& d) {
        const variant_family* f = whole_catalogue().family_of(d);
        if (is(d.name)) {
            if (!d.section.empty())
                m_out.section(d);
            else if (f != nullptr)
                chooser(d, *f);
            else
                m_out.parameters({d}, 0);
        }
        within(d.name, d.section);
        if (f != nullptr)
            for (const auto& v : f->variants) {
                if (is(d.name + "." + v.name)) m_out.variant(*f, v);
                for (const auto& p : v.parameters)
                    if (is(d.name + "." + p.name)) of_variant(*f, v, p);
            }
    }

    void chooser(const parameter_doc& d, const variant_family& f) {
        m_out.text += in_colour(d.name, colour::bold) + "\n";
        m_out.paragraph(d.sentence, 2);
        m_out.family(f);
        for (const auto& v : f.variants)
            if (v.name == f.default_variant) {
                m_out.text += "\n";
                m_out.variant(f, v);
            }
    }

    void family(const variant_family& f) {
        if (is(f.kind) || is(f.plural)) m_out.family(f);
        for (const auto& v : f.variants) {
            if (is(v.name) || is(f.kind + "." + v.name)) {
                m_out.variant(f, v);  // with its parameters, one of which may be called so too
                continue;
            }
            for (const auto& p : v.parameters) {
                if (is(p.name)) of_variant(f, v, p);
                within(p.name, p.section);
            }
        }
    }

    void within(const std::string& section, const std::vector<parameter_doc>& docs) {
        for (const auto& p : docs)
            if (is(p.name) || is(section + "." + p.name)) {
                m_out.text += "in " + section + "\n";
                m_out.parameters({p}, 2);
            }
    }

    /// Notes a parameter of a variant; those that several have alike are shown once.
    void of_variant(const variant_family& f, const variant_doc& v, const parameter_doc& p) {
        writer alone(m_width);
        alone.parameters({p}, 2);
        const auto same = std::find_if(m_of_variants.begin(), m_of_variants.end(),
                                       [&alone](const auto& x) { return x.first == alone.text; });
        if (same == m_of_variants.end())
            m_of_variants.push_back({alone.text, {f.kind + " " + v.name}});
        else
            same->second.push_back(v.name);
    }

    std::string m_name;
    std::size_t m_width;
    writer m_out;
    std::vector<std::pair<std::string, std::vector<std::string>>> m_of_variants;  ///< texts, and who has them
    std::vector<std::string> m_known;
};

/// Lists names of other simulators, with those here.
std::string foreign_names() {
    std::vector<std::vector<std::string>> rows;
    for (const config::foreign_name& f : config::foreign_names()) {
        const std::string note(f.note), kind(f.kind);
        rows.push_back({std::string(f.name), std::string(f.ours), std::string(f.tools),
                        note.empty() || kind.empty() ? note + kind : note + "; " + kind});
    }
    std::array<std::size_t, 3> widths{};
    for (const auto& row : rows)
        for (std::size_t i = 0; i < widths.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
    std::string text = "names of other simulators: there, here, whose, and what to heed\n";
    for (const auto& row : rows) {
        std::string line = "  ";
        for (std::size_t i = 0; i < widths.size(); ++i) line += padded(row[i], widths[i] + 2);
        line += row.back();
        text += line.erase(line.find_last_not_of(' ') + 1) + "\n";
    }
    return text;
}

std::string everything(std::size_t width) {
    const catalogue& all = whole_catalogue();
    writer out(width);
    out.text += "experiment\n";
    for (const auto& d : all.top)
        if (d.section.empty()) out.parameters({d}, 2);
    for (const auto& d : all.top)
        if (!d.section.empty()) {
            out.text += "\n";
            out.section(d);
        }
    for (const auto& f : all.families) {
        out.text += "\n";
        out.family(f);
        for (const auto& v : f.variants)
            if (!v.parameters.empty()) {
                out.text += "\n";
                out.variant(f, v);
            }
    }
    return out.text;
}

/// True if `name` is the list, or an entry of it: "tables", "tables.links.csv".
bool is_within(const std::string& list, const std::string& name) {
    return name == list || name.rfind(list + ".", 0) == 0;
}

std::string behind(const std::string& list, const std::string& name) {
    return name == list ? "" : name.substr(list.size() + 1);
}

}  // namespace

void add_describe(command_parser& app, action& chosen) {
    auto* command = app.add_subcommand("describe", "Explain parameters, sections and variants");
    auto words = std::make_shared<std::vector<std::string>>();
    command->add_option("NAME", *words,
                        "A section, a variant or a parameter; one within another as 'router vcs' or "
                        "'router.vcs'; all where left out");
    auto plugins = std::make_shared<std::vector<std::string>>();
    add_plugin_option(*command, *plugins);
    command->footer(
        "Examples:\n"
        "  sare describe\n"
        "  sare describe torus\n"
        "  sare describe topologies\n"
        "  sare describe router.vcs\n"
        "  sare describe workload bernoulli\n"
        "  sare describe statistics        # what results say, figure by figure\n"
        "  sare describe tables links.csv  # the columns of a file\n"
        "  sare describe names     # of BookSim2, Noxim, Garnet, SuperSim, and ours");
    command->callback([&chosen, words, plugins] {
        chosen = [words, plugins] {
            load_plugins(*plugins);
            const std::size_t width = terminal_width();
            const std::string name = fmt::format("{}", fmt::join(*words, "."));
            if (name == "names")
                fmt::print("{}", foreign_names());
            else if (is_within("statistics", name))
                fmt::print("{}", describe_statistics(behind("statistics", name), width));
            else if (is_within("tables", name))
                fmt::print("{}", describe_tables(behind("tables", name), width));
            else
                fmt::print("{}", name.empty() ? everything(width) : search(name, width).run());
            return exit_status::good;
        };
    });
}

}  // namespace sare::cli
