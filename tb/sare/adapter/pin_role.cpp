// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/adapter/pin_role.h"

#include <algorithm>
#include <regex>

namespace sare::cli {
namespace {

/// Words for a role: one in the name of a pin, or in the last part of a field's name, and one of `also`, if
/// there are any, in the whole name; none of `never`. `flag`: it has one bit.
struct name_pattern {
    role is;
    bool flag;
    word_list any, also = {}, never = {};
};

const word_list credit_words{"credit", "credits", "crd", "cred", "yummy", "flow"},
    destination_words{"dst", "dest", "destination"},
    no_credit_words{"init", "max", "release", "en", "enable"};

/// The first that fits counts.
const name_pattern name_patterns[] = {
    {role::clock, true, {"clk", "clock", "ck", "aclk"}},
    {role::reset,
     true,
     {"rst", "reset", "arst", "areset", "rstn", "resetn", "arstn", "aresetn", "nrst", "nreset"}},
    {role::credit_valid, true, {"valid", "vld", "val", "v"}, credit_words},
    {role::credit, false, credit_words, {}, no_credit_words},
    {role::stop, false, {"stop", "full", "stall", "busy", "xoff"}},
    {role::ready, false, {"ready", "rdy", "yumi", "ack", "on", "xon"}},
    {role::valid, false, {"valid", "vld", "val", "v", "wr", "write", "push", "req"}},
    {role::destination_x, false, {"x"}, destination_words},
    {role::destination_y, false, {"y"}, destination_words},
    {role::destination, false, destination_words, {}, {"port"}},
    {role::head, true, {"head", "hdr", "header", "first", "sop"}},
    {role::tail, true, {"tail", "last", "eop"}},
    {role::vc, false, {"vc", "vcid", "vch"}},
    {role::x, false, {"x"}},
    {role::y, false, {"y"}},
    {role::number, false, {"id", "addr", "address", "cord", "coord", "idx", "position"}, {}, {"port"}},
};

}  // namespace

std::vector<name_word> name_words(const std::string& name) {
    static const std::regex one("[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[0-9]+");
    std::vector<name_word> all;
    for (auto m = std::sregex_iterator(name.begin(), name.end(), one); m != std::sregex_iterator(); ++m) {
        std::string text = m->str();
        for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        all.push_back({text, static_cast<std::size_t>(m->position()), text.size()});
    }
    return all;
}

bool has_any(const std::vector<name_word>& name, const word_list& any) {
    return std::any_of(name.begin(), name.end(), [&any](const name_word& w) {
        return std::find(any.begin(), any.end(), w.text) != any.end();
    });
}

role role_of(const std::string& name, std::uint32_t bits) {
    const auto all = name_words(name), last = name_words(name.substr(name.rfind('.') + 1));
    for (const name_pattern& p : name_patterns)
        if ((!p.flag || bits == 1) && has_any(last, p.any) && (p.also.empty() || has_any(all, p.also)) &&
            !has_any(last, p.never))
            return p.is;
    return role::data;
}

bool is_active_low(const std::string& reset) {
    return has_any(name_words(reset), {"n", "ni", "nb", "b", "l", "low", "rstn", "resetn", "arstn", "aresetn",
                                       "nrst", "nreset"});
}

}  // namespace sare::cli
