// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/describe/catalogue.h"
#include "tb/sare/pages/command_tree.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>

namespace sare::cli {
namespace {

/// Returns text for a page, with roff's own signs escaped.
std::string roff(const std::string& text) {
    std::string out;
    for (const char c : text) {
        if (c == '\\')
            out += "\\e";
        else if (c == '-')
            out += "\\-";
        else
            out += c;
    }
    if (!out.empty() && (out[0] == '.' || out[0] == '\'')) out = "\\&" + out;
    return out;
}

std::string dashed(std::string name) {
    std::replace(name.begin(), name.end(), ' ', '-');
    return name.empty() ? "sare" : "sare-" + name;
}

std::string upper(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    return text;
}

std::string title(const std::string& name, int chapter, const std::string& version) {
    return fmt::format(".TH \"{}\" {} \"\" \"sare {}\" \"Sare\"\n", roff(upper(name)), chapter,
                       roff(version));
}

std::string tagged(const std::string& head, const std::string& sentence) {
    return ".TP\n" + head + "\n" + roff(sentence) + "\n";
}

std::string option_text(const option_doc& o) {
    std::string head;
    for (const std::string& name : o.names) head += (head.empty() ? "\\fB" : ", \\fB") + roff(name) + "\\fR";
    if (!o.argument.empty()) head += (head.empty() ? "\\fI" : " \\fI") + roff(o.argument) + "\\fR";
    std::string sentence = o.sentence;
    if (!o.words.empty()) sentence += fmt::format(". One of: {}", fmt::join(o.words, ", "));
    return tagged(head, sentence);
}

std::string synopsis(const command_doc& c) {
    std::string text = "\\fBsare" + (c.name.empty() ? "" : " " + roff(c.name)) + "\\fR";
    if (!c.options.empty()) text += " [\\fIoptions\\fR]";
    for (const option_doc& o : c.arguments)
        text += " \\fI" + roff(o.argument) + "\\fR" + (o.repeats ? " ..." : "");
    if (!c.commands.empty()) text += " \\fIcommand\\fR";
    return text + "\n";
}

/// Returns indented lines as they are, the rest as paragraphs.
std::string footer_text(const std::string& footer) {
    if (footer.empty()) return "";
    std::istringstream lines(footer);
    std::string text = ".SH NOTES AND EXAMPLES\n";
    bool verbatim = false;
    for (std::string line; std::getline(lines, line);) {
        const bool example = line.rfind("  ", 0) == 0;
        if (example != verbatim) text += example ? ".nf\n" : ".fi\n.PP\n";
        verbatim = example;
        text += roff(line) + "\n";
    }
    return text + (verbatim ? ".fi\n" : "");
}

std::string parameter_text(const config::parameter_doc& d) {
    std::string head = "\\fB" + roff(d.name) + "\\fR";
    if (!d.default_text.empty()) head += " (" + roff(d.default_text) + ")";
    std::string text = d.sentence;
    if (!d.choices.empty())
        text += fmt::format(" One of: {}.", fmt::join(d.choices, ", "));
    else if (d.min && d.max)
        text += fmt::format(" From {} to {} {}", config::number_text(*d.min), config::number_text(*d.max),
                            d.unit);
    std::string all = tagged(head, text);
    if (d.section.empty()) return all;
    all += ".RS\n";
    for (const config::parameter_doc& inner : d.section) all += parameter_text(inner);
    return all + ".RE\n";
}

std::string family_text(const variant_family& f) {
    std::string text =
        fmt::format(".SH {}\nChosen by the key \\fB{}\\fR.\n", roff(upper(f.plural)), roff(f.selector));
    for (const variant_doc& v : f.variants) {
        text += fmt::format(".SS {}\n{}\n", roff(v.name), roff(v.sentence));
        for (const config::parameter_doc& p : v.parameters) text += parameter_text(p);
    }
    return text;
}

}  // namespace

std::string manual_page(const command_doc& c, const std::string& version) {
    std::string text = title(dashed(c.name), 1, version);
    text += fmt::format(".SH NAME\n{} \\- {}\n.SH SYNOPSIS\n{}", roff(dashed(c.name)), roff(c.sentence),
                        synopsis(c));
    if (!c.arguments.empty()) text += ".SH ARGUMENTS\n";
    for (const option_doc& o : c.arguments) text += option_text(o);
    if (!c.options.empty()) text += ".SH OPTIONS\n";
    for (const option_doc& o : c.options) text += option_text(o);
    if (!c.commands.empty()) text += ".SH COMMANDS\n";
    for (const command_doc& below : c.commands)
        text += tagged("\\fB" + roff(dashed(below.name)) + "\\fR(1)", below.sentence);
    return text + footer_text(c.footer) + ".SH SEE ALSO\n.BR sare (1),\n.BR sare\\-experiment (5)\n";
}

std::string configuration_page(const std::string& version) {
    std::string text = title("sare-experiment", 5, version) +
                       ".SH NAME\nsare\\-experiment \\- the configuration of a network and its traffic\n"
                       ".SH DESCRIPTION\nAn experiment is a YAML file with the sections below. Defaults "
                       "stand in brackets.\n.SH SECTIONS\n";
    for (const config::parameter_doc& d : whole_catalogue().top) text += parameter_text(d);
    for (const variant_family& f : whole_catalogue().families) text += family_text(f);
    return text + ".SH SEE ALSO\n.BR sare (1)\n";
}

}  // namespace sare::cli
