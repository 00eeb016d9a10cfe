// SPDX-License-Identifier: Apache-2.0
#include "cosim/rtl/rtl_module.h"

#include "cosim/rtl/rtl_build.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <regex>
#include <sstream>

namespace sare::cosim {
namespace {

std::string snake_case(const std::string& name) {
    std::string all;
    for (const char c : name) {
        if (std::isupper(static_cast<unsigned char>(c)) != 0 && !all.empty()) all += '_';
        all += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    return all;
}

std::vector<std::string> split(const std::string& text, char at) {
    std::vector<std::string> all;
    std::istringstream in(text);
    for (std::string one; std::getline(in, one, at);) all.push_back(one.substr(one.find_first_not_of(' ')));
    return all;
}

bool is_number(const std::string& word) {
    return !word.empty() &&
           std::all_of(word.begin(), word.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
}

/// Returns the parameters in the head of a module.
std::vector<rtl_module::parameter> declared_in(const std::string& source) {
    static const std::regex line(R"( *parameter (int unsigned|bit)(?: \[(.*)-1:0\])? (\w+) = .*)");
    std::vector<rtl_module::parameter> all;
    std::istringstream in(source);
    std::smatch found;
    for (std::string text; std::getline(in, text) && text.rfind(") (", 0) != 0;) {
        if (!std::regex_match(text, found, line)) continue;
        rtl_module::parameter p;
        p.name = found[3];
        p.field = snake_case(p.name);
        p.is_bits = found[1] == "bit";
        p.width = split(found[2], '*');
        all.push_back(p);
    }
    return all;
}

/// Adds words and numbers from sare_pkg, where a comment names parameters before the constants of a choice.
void add_choices(std::vector<rtl_module::parameter>& all, const std::string& package) {
    static const std::regex constant(R"( *localparam int unsigned (\w+) = (\d+);)");
    std::vector<std::string> of;
    std::istringstream in(package);
    std::smatch found;
    for (std::string text; std::getline(in, text);) {
        if (text.rfind("  // ", 0) == 0) of = split(text.substr(5), ',');
        if (!std::regex_match(text, found, constant)) continue;
        for (rtl_module::parameter& p : all) {
            if (std::find(of.begin(), of.end(), p.name) == of.end()) continue;
            p.words.push_back(snake_case(found[1]));
            p.numbers.push_back(static_cast<std::uint32_t>(std::stoul(found[2])));
        }
    }
}

std::string number_of(const rtl_module::parameter& p, const std::string& word) {
    if (is_number(word)) return word;
    const auto found = std::find(p.words.begin(), p.words.end(), word);
    if (found == p.words.end()) throw rtl_error(p.name + " cannot be '" + word + "' in RTL");
    return std::to_string(p.numbers[static_cast<std::size_t>(found - p.words.begin())]);
}

std::uint32_t bits_of(const rtl_module::parameter& p, const config::value& fields) {
    std::uint32_t bits = 1;
    for (const std::string& factor : p.width)
        bits *= static_cast<std::uint32_t>(
            std::stoul(is_number(factor) ? factor : fields.find(snake_case(factor))->text()));
    return bits;
}

/// Returns numbers side by side, the first one lowest.
std::string joined(const std::vector<config::value>& numbers, std::uint32_t bits) {
    std::string hex;
    for (auto n = numbers.rbegin(); n != numbers.rend(); ++n) {
        const unsigned long number = std::stoul(n->text());
        for (auto shift = static_cast<int>(bits / numbers.size()); shift > 0;)
            hex += "0123456789abcdef"[number >> (shift -= 4) & 15];
    }
    return fmt::format("{}'h{}", bits, hex);
}

std::string literal(const rtl_module::parameter& p, const config::value& v, const config::value& fields) {
    if (v.type() == config::value::kind::list) return joined(v.items(), bits_of(p, fields));
    if (!p.is_bits) return number_of(p, word_of(v));
    if (p.width.empty()) return v.text() == "true" ? "1'b1" : "1'b0";
    return fmt::format("{}'d{}", bits_of(p, fields), v.text());
}

bool is_left_out(const config::value& v) {
    return v.type() == config::value::kind::null ||
           (v.type() == config::value::kind::list && v.items().empty());
}

}  // namespace

rtl_module::rtl_module(const std::string& name, const std::string& sources)
    : m_name(name), m_parameters(declared_in(source_text(sources, name + ".sv"))) {
    add_choices(m_parameters, source_text(sources, "sare_pkg.sv"));
}

rtl_parameters rtl_module::values_of(const config::value& fields) const {
    rtl_parameters all;
    for (const parameter& p : m_parameters) {
        const config::value* v = fields.find(p.field);
        if (v == nullptr)
            throw rtl_error(m_name + " has a parameter " + p.name + ", and there is no field " + p.field);
        if (!is_left_out(*v)) all.emplace_back(p.name, literal(p, *v, fields));
    }
    return all;
}

const std::string& word_of(const config::value& chosen) {
    return chosen.type() == config::value::kind::map ? chosen.find("name")->text() : chosen.text();
}

}  // namespace sare::cosim
