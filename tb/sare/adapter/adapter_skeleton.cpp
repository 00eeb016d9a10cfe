// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/adapter/adapter_skeleton.h"

#include "tb/sare/adapter/pin_role.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <regex>

namespace sare::cli {
namespace {

/// Words that name a port, in Sare's order: + and - in x, + and - in y, node.
const word_list compass[] = {{"e", "east"},
                             {"w", "west"},
                             {"n", "north"},
                             {"s", "south"},
                             {"p", "proc", "l", "local", "c", "core", "tile", "pe", "node"}};

/// Pins that are the same but for a word of their names, which says the port.
struct pin_group {
    std::string name;
    bool by_compass = true;
    std::map<std::uint32_t, const module_pin*> pins = {};  ///< by compass, or by number

    bool is_whole() const {
        const auto has = [this](std::uint32_t k) { return pins.count(k) != 0; };
        if (by_compass) return has(0) && has(1) && has(2) == has(3) && pins.size() >= 3;
        return pins.size() >= 3 && pins.rbegin()->first + 1 == pins.size();
    }
};

std::vector<pin_group> groups_of(const std::vector<module_pin>& pins) {
    std::map<std::string, pin_group> found;
    for (const module_pin& p : pins)
        for (const name_word& w : name_words(p.name)) {
            const bool is_number = std::isdigit(static_cast<unsigned char>(w.text[0])) != 0;
            std::uint32_t k = 0;
            while (!is_number && k < 5 && !has_any({w}, compass[k])) ++k;
            if (k == 5 || w.text.size() > 4 + (is_number ? 0u : 2u)) continue;
            std::string stem = p.name;
            stem.erase(w.at, w.size);
            const std::string shape = fmt::format("{} {} {} {}", stem, w.at, p.input, p.width);
            pin_group& g = found[shape + (is_number ? "#" : "")];
            stem = std::regex_replace(stem, std::regex("__+"), "_");
            const bool bare = stem.back() == '_';
            g.name = bare ? stem.substr(0, stem.size() - 1) : stem;
            g.name.erase(0, g.name.find_first_not_of('_'));
            g.by_compass = !is_number;
            if (p.elements == 0) g.pins.emplace(is_number ? std::stoul(w.text) : k, &p);
        }
    std::vector<pin_group> all;
    for (const auto& [shape, g] : found)
        if (g.is_whole() && !g.name.empty()) all.push_back(g);
    return all;
}

/// Bits of a pin, or of the pins of a group, with one role.
struct port_signal {
    std::string name, pin;  ///< name with its fields; in C++, the pin of a port
    std::string first;      ///< lowest bit of a port's part of the pin; "": 0
    std::uint32_t lsb = 0, bits = 1;
    bool input = false, of_ports = false;
    role is = role::data;
    bool used = false;

    /// Returns the arguments of put() and get() that say which bits.
    std::string at() const {
        const std::string more = lsb == 0 && !first.empty() ? "" : fmt::to_string(lsb);
        return fmt::format("{}, {}{}{}, {}", pin, first, first.empty() || more.empty() ? "" : " + ", more,
                           bits);
    }
    std::string got() const { return "get(" + at() + ")"; }
    std::size_t words() const { return name_words(name.substr(name.rfind('.') + 1)).size(); }
};

/// Returns a statement that is guessed.
std::string guess(const std::string& code, const std::string& why = "") {
    return fmt::format("        {}  // CHECK{}{}\n", code, why.empty() ? "" : ": ", why);
}
std::string missing(const std::string& what) {
    return "        // CHECK: no pin was found: " + what + "\n";
}

// ---- the adapter

class skeleton {
  public:
    skeleton(std::string top, std::vector<module_pin> pins)
        : m_top(std::move(top)), m_pins(std::move(pins)), m_groups(groups_of(m_pins)), m_ports(ports()) {
        for (const pin_group& g : m_groups) {
            const module_pin& p = *g.pins.begin()->second;
            add(p, g.name, g.name + (g.by_compass ? "_of(port)" : "_of(p)"), "", true);
        }
        for (const module_pin& p : m_pins)
            if (!is_grouped(p)) add(p);
        for (const bool input : {true, false}) {
            side& s = input ? m_in : m_out;
            s.valid = pick(input, role::valid);
            for (const role back : {role::credit, role::ready, role::stop})
                if (s.back == nullptr) s.back = pick(input, back);
            s.credit_valid = pick(input, role::credit_valid);
            s.head = pick(input, role::head);
            s.tail = pick(input, role::tail);
            s.vc = pick(input, role::vc);
            for (port_signal& one : m_signals)
                if (one.input == input && one.of_ports && one.is == role::data &&
                    (s.data == nullptr || one.bits > s.data->bits))
                    s.data = &one;
            if (s.data != nullptr) s.data->used = true;
        }
    }

    std::string text() {
        const std::string ticks = clock(), in = drive(), in_back = drive_back(), out = read(),
                          out_back = read_back();
        std::string list;
        for (const module_pin& p : m_pins) list += text_of(p);
        const bool numbered = uses_p(in + in_back + out + out_back);
        return fmt::format(
            "#include \"V{0}.h\"\n#include \"cosim/rtl/verilated_adapter.h\"\n\nnamespace {{\n\nusing "
            "namespace sare::pins;\n\n/// {0} at Sare's links: docs/cosim-router.md. What says CHECK was "
            "guessed. Its pins:\n{1}class {0}_adapter final : public verilated_adapter<V{0}> {{\n{2}  "
            "public:\n    static router_facts facts() {{\n{3}    }}\n\n    explicit {0}_adapter(const "
            "router_info& info) : m_info(info) {{}}\n\n    void reset() override {{\n{4}    }}\n\n    void "
            "drive(std::uint32_t port, const pin_flit* flit) override {{\n{5}    }}\n    void "
            "drive_back(std::uint32_t port, std::uint32_t vcs) override {{\n{6}    }}\n\n    bool "
            "read(std::uint32_t port, pin_flit& flit) override {{\n{7}    }}\n    std::uint32_t "
            "read_back(std::uint32_t port) override {{\n{8}    }}\n\n  protected:\n    void clock(bool high) "
            "override {{\n{9}    }}\n\n  private:\n{10}    const router_info m_info;\n{11}}};\n\n}}  // "
            "namespace\n\nSARE_PIN_ADAPTER({0}_adapter)\n",
            m_top, list, group_functions(), facts(), reset(), numbers(in), numbers(in_back), numbers(out),
            numbers(out_back), ticks,
            numbered ? "    /// Returns its number of Sare's port (+ and - in x, + and - in y, node).\n    "
                       "static std::uint32_t mine(std::uint32_t port) { return port; }  // CHECK\n\n"
                     : "",
            members());
    }

  private:
    /// The signals of a direction.
    struct side {
        port_signal *valid = nullptr, *back = nullptr, *credit_valid = nullptr, *head = nullptr,
                    *tail = nullptr, *vc = nullptr, *data = nullptr;
    };

    bool is_grouped(const module_pin& p) const {
        return std::any_of(m_groups.begin(), m_groups.end(), [&p](const pin_group& g) {
            return std::any_of(g.pins.begin(), g.pins.end(),
                               [&p](const auto& one) { return one.second == &p; });
        });
    }
    /// Number that most arrays have, else the width of a valid pin.
    std::uint32_t ports() const {
        if (!m_groups.empty()) return static_cast<std::uint32_t>(m_groups.front().pins.size());
        std::map<std::uint32_t, int> votes;
        std::uint32_t best = 0;
        for (const module_pin& p : m_pins)
            for (const std::uint32_t n : {p.elements, p.dimension})
                if (n > 1 && ++votes[n] > (best == 0 ? 0 : votes[best])) best = n;
        for (const module_pin& p : m_pins)
            if (best == 0 && role_of(p.name, p.width) == role::valid && p.width > 1) best = p.width;
        return best == 0 ? 5 : best;
    }
    /// Adds the signals of a pin that is in no group.
    void add(const module_pin& p) {
        const std::string pin = "top." + p.name;
        if (p.elements == m_ports) return add(p, p.name, pin + "[p]", "", true);
        const role is = role_of(p.name, p.width);
        const bool fits = is != role::number && is != role::x && is != role::y && p.elements == 0 &&
                          m_ports > 1 && p.width % m_ports == 0 && m_groups.empty() &&
                          (p.dimension == 0 || p.dimension == m_ports);
        if (!fits) return add(p, p.name, pin, "", m_ports == 1);
        const std::uint32_t share = p.width / m_ports;
        const std::string port = p.ascending ? fmt::format("({} - p)", m_ports - 1) : "p";
        add(p, p.name, pin, share == 1 ? port : fmt::format("{} * {}", port, share), true);
    }
    void add(const module_pin& p, const std::string& name, const std::string& pin, const std::string& first,
             bool of_ports) {
        const std::uint32_t share = first.empty() ? p.width : p.width / m_ports;
        for (const pin_field& f : p.fields)
            m_signals.push_back({name + "." + f.name, pin, first, f.lsb, f.bits, p.input, of_ports,
                                 role_of(name + "." + f.name, f.bits)});
        if (p.fields.empty())
            m_signals.push_back({name, pin, first, 0, share, p.input, of_ports, role_of(name, share)});
    }
    /// Returns the signal of the ports with a role that has the shortest name, and notes that it is used.
    port_signal* pick(bool input, role is, bool of_ports = true) {
        port_signal* best = nullptr;
        for (port_signal& s : m_signals)
            if (s.input == input && s.is == is && (s.of_ports || !of_ports) &&
                (best == nullptr || s.words() < best->words()))
                best = &s;
        if (best != nullptr) best->used = true;
        return best;
    }

    std::uint32_t vcs() const {
        const port_signal* back = m_out.back != nullptr ? m_out.back : m_in.back;
        const auto of_number = [](const port_signal* s) { return s->bits < 6 ? 1u << s->bits : 32u; };
        if (back != nullptr && m_out.credit_valid != nullptr) return of_number(back);
        if (back != nullptr && back->bits > 1) return back->bits;
        if (m_in.valid != nullptr && m_in.valid->bits > 1) return m_in.valid->bits;
        return m_in.vc == nullptr ? 1 : of_number(m_in.vc);
    }
    bool is_one_hot(const port_signal* vc) const { return vc->bits > 1 && vc->bits == vcs(); }

    std::string facts() const {
        const role back = m_out.back == nullptr ? role::ready : m_out.back->is;
        const bool credits = back == role::credit;
        std::string all = fmt::format("        router_facts f;\n        f.name = \"{}\";\n", m_top);
        all += guess(fmt::format("f.flow = flow_control::{};", credits              ? "credit"
                                                               : back == role::stop ? "on_off"
                                                                                    : "ready_valid"),
                     "credit, ready_valid or on_off");
        all += guess(fmt::format("f.ports = {};", m_ports)) + guess(fmt::format("f.vcs = {};", vcs()));
        all += guess("f.max_nodes = 64;", "that its header can name");
        all += guess(fmt::format("f.data_bits = {};", m_in.data == nullptr ? 32 : m_in.data->bits),
                     "that it carries untouched, 24 at least; in heads head_data_bits may be fewer");
        all += guess("f.longest_packet = 0;", "flits that its header can count; 0: any");
        if (vcs() > 1) all += guess("f.keeps_vc = false;", "true: packets stay on the VC that they come by");
        all += guess("f.turns_back = true;", "false: no packet leaves by the port that it came in by");
        all += guess("f.min_latency = f.max_latency = 2;", "of the empty router");
        all += guess(fmt::format("f.depth = {};", credits ? 4 : 0), "flits of an input VC");
        if (credits) all += guess("f.credits = 4;", "that it begins with for each VC of an output");
        if (credits && m_in.credit_valid != nullptr) all += guess("f.encoded_credits = true;");
        return all + "        return f;\n";
    }

    std::string clock() {
        const port_signal* pin = pick(true, role::clock, false);
        return pin == nullptr ? missing("the clock") + "        (void)high;\n"
                              : guess("top." + pin->name + " = high;");
    }

    /// What has no other use is tied off, but for the router's place, if the name says so.
    std::string reset() {
        const port_signal* reset = pick(true, role::reset, false);
        std::string ties, places;
        for (const module_pin& p : m_pins) {
            std::string left;
            if (p.input && !is_grouped(p)) tie(p, p.name, left, places);
            for (const pin_group& g : m_groups)
                for (const auto& [port, pin] : g.pins)
                    if (pin == &p && p.input) tie(p, g.name, left, places);
            const std::string pin = "top." + p.name;
            if (!left.empty())
                ties += guess(
                    p.elements == 0 ? pin + " = {};" : fmt::format("for (auto& its : {}) its = {{}};", pin),
                    "nothing drives" + left);
        }
        std::string all =
            "        // CHECK: tables? m_info has port_to, and all that is known of the place\n" +
            (finds_heads() ? "        m_under_way = {};\n" : std::string()) + ties + places;
        if (reset == nullptr) return all + "        cycles(4);\n" + missing("the reset");
        const bool low = is_active_low(reset->name);
        const char* const level = low ? "active low" : "active high";
        return all + guess(fmt::format("top.{} = {};", reset->name, low ? 0 : 1), level) +
               fmt::format("        cycles(4);\n        top.{} = {};  // CHECK\n", reset->name, low ? 1 : 0) +
               guess("cycles(2);", "until registers between pin and router have it");
    }
    /// Adds to `left` the names of a pin's signals without use, and to `places` what sets the others.
    void tie(const module_pin& p, const std::string& name, std::string& left, std::string& places) const {
        for (const port_signal& s : m_signals) {
            const bool its = s.name == name || s.name.rfind(name + ".", 0) == 0;
            if (!its || s.used || s.input != p.input) continue;
            const char* value = s.is == role::x        ? "m_info.here.at(0)"
                                : s.is == role::y      ? "m_info.here.at(1)"
                                : s.is == role::number ? "m_info.router"
                                                       : nullptr;
            if (value != nullptr && !s.of_ports)
                places += guess(fmt::format("put({}, {});", s.at(), value));
            else
                left += " " + (s.name == name ? "it" : s.name.substr(name.size()));
        }
    }

    std::string drive() {
        const side& s = m_in;
        const auto one_hot = [](const char* vc) { return fmt::format("1u << {}", vc); };
        std::string all;
        const auto set = [&all](const port_signal* to, const std::string& value,
                                const std::string& why = "") {
            if (to != nullptr) all += guess(fmt::format("put({}, {});", to->at(), value), why);
        };
        if (s.valid == nullptr)
            all += missing("a flit is there");
        else if (s.valid->bits > 1)
            set(s.valid, "flit == nullptr ? 0 : 1u << flit->vc", "a bit for each VC");
        else
            set(s.valid, "flit != nullptr");
        all += "        if (flit == nullptr) return;\n";
        set(s.head, "flit->head");
        set(s.tail, "flit->tail");
        if (s.vc != nullptr)
            set(s.vc, is_one_hot(s.vc) ? one_hot("flit->vc") : "flit->vc",
                is_one_hot(s.vc) ? "a bit for each VC" : "its number");
        set(pick(true, role::destination), "flit->destination");
        set(pick(true, role::destination_x), "flit->destination % m_info.sizes.at(0)");
        set(pick(true, role::destination_y), "flit->destination / m_info.sizes.at(0)");
        set(s.data, "flit->data", places_in_data(s));
        return s.data == nullptr ? all + missing("data") : all;
    }
    std::string drive_back() const {
        const side& s = m_in;
        if (s.back == nullptr) return missing("what comes back at an output: ready, or credits") + unused();
        const std::string put = fmt::format("put({}, ", s.back->at());
        if (s.credit_valid != nullptr)
            return guess(fmt::format("put({}, vcs != 0);", s.credit_valid->at())) +
                   guess(put + "vc_number(vcs));", "the number of a VC");
        const bool notes = finds_heads() && waits_for_ready();
        return guess(put + (s.back->is == role::stop ? "~vcs);" : "vcs);"), all_vcs(s.back)) +
               (notes ? "        m_ready[port] = vcs;\n" : "");
    }

    std::string read() {
        const side& s = m_out;
        std::string all;
        const auto seen = [&all](const char* member, const port_signal* in, const char* more,
                                 const char* why = "") {
            if (in != nullptr) all += guess(fmt::format("flit.{} = {}{};", member, in->got(), more), why);
        };
        if (s.valid != nullptr)
            all += guess(fmt::format("if ({} == 0) return false;", s.valid->got()));
        else
            all += missing("a flit is there") + "        return false;\n";
        seen("head", s.head, " != 0");
        seen("tail", s.tail, " != 0");
        if (s.head == nullptr && !finds_heads())
            all += missing("which flit is a head") + "        flit.head = true;\n";
        if (s.tail == nullptr) all += missing("which flit is a tail") + "        flit.tail = true;\n";
        const std::string number = s.vc == nullptr ? "" : fmt::format("vc_number({})", s.vc->got());
        if (s.vc != nullptr && is_one_hot(s.vc))
            all += guess("flit.vc = " + number + ";", "a bit for each VC");
        else
            seen("vc", s.vc, "", "its number");
        seen("destination", pick(false, role::destination), "");
        if (s.data != nullptr)
            all += guess(fmt::format("flit.data = get_data({});", s.data->at()), places_in_data(s));
        if (s.valid != nullptr && s.valid->bits > 1 && s.vc == nullptr)
            all += guess(fmt::format("flit.vc = vc_number({});", s.valid->got()), "a bit for each VC");
        if (finds_heads()) {
            const char* const taken = waits_for_ready() ? "if ((m_ready[port] >> flit.vc & 1) != 0) " : "";
            all += "        bool& under_way = m_under_way[port][flit.vc];\n" +
                   guess("flit.head = !under_way;", "no pin was found: one follows a tail") + "        " +
                   taken + "under_way = !flit.tail;\n";
        }
        return all + "        return true;\n";
    }
    /// True if heads are what follows a tail.
    bool finds_heads() const { return m_out.head == nullptr && m_out.tail != nullptr; }
    /// True if a flit at the output pins stays there until the network is ready.
    bool waits_for_ready() const { return m_in.back != nullptr && m_in.back->is == role::ready; }
    std::string members() const {
        if (!finds_heads()) return "";
        const std::string ready =
            waits_for_ready() ? fmt::format("    std::array<std::uint32_t, {}> m_ready{{}};\n", m_ports) : "";
        return fmt::format("    std::array<std::array<bool, {}>, {}> m_under_way{{}};\n", vcs(), m_ports) +
               ready;
    }
    std::string read_back() const {
        const side& s = m_out;
        if (s.back == nullptr)
            return missing("ready, or credits, of an input") + "        (void)port;\n        return 0;\n";
        if (s.credit_valid != nullptr)
            return guess(fmt::format("return {} != 0 ? 1u << {} : 0;", s.credit_valid->got(), s.back->got()),
                         "the number of a VC");
        const char* sign = s.back->is == role::stop ? "~" : "";
        return guess(fmt::format("return {}static_cast<std::uint32_t>({});", sign, s.back->got()),
                     all_vcs(s.back));
    }
    static std::string places_in_data(const side& s) {
        return s.data != nullptr && s.head == nullptr && s.tail == nullptr
                   ? "head, tail, destination and data have a place each in it"
                   : "";
    }
    std::string all_vcs(const port_signal* back) const {
        return back->bits == 1 && vcs() > 1 ? "one bit for all VCs" : "";
    }
    static std::string unused() { return "        (void)port, (void)vcs;\n"; }

    static bool uses_p(const std::string& code) {
        return std::regex_search(code, std::regex("[\\[( ]p[\\]),]| p \\*"));
    }
    static std::string numbers(const std::string& code) {
        const bool uses = uses_p(code), port = uses || code.find("port") != std::string::npos;
        return (uses   ? "        const std::uint32_t p = mine(port);\n"
                : port ? ""
                       : "        (void)port;\n") +
               code;
    }

    /// Functions that return the pin of a port.
    std::string group_functions() const {
        std::string all;
        for (const pin_group& g : m_groups) {
            std::string pins;
            for (const auto& [k, pin] : g.pins) pins += (pins.empty() ? "&top." : ", &top.") + pin->name;
            all += fmt::format(
                "    auto& {}_of(std::uint32_t port) {{\n        const std::array pins{{{}}};  // CHECK{}\n  "
                " "
                "     return *pins[port];\n    }}\n",
                g.name, pins, g.by_compass ? ": + and - in x, + and - in y, node; is north + or -?" : "");
        }
        return all.empty() ? "" : all + "\n";
    }
    static std::string text_of(const module_pin& p) {
        const std::string shape = p.elements == 0 ? "" : fmt::format(" [{}]", p.elements);
        std::string all =
            fmt::format("///   {:6} {:24} {} bits{}\n", p.input ? "input" : "output", p.name, p.width, shape);
        for (const pin_field& f : p.fields)
            all += fmt::format("///            .{:23} {} from bit {}\n", f.name, f.bits, f.lsb);
        return all;
    }

    std::string m_top;
    std::vector<module_pin> m_pins;
    std::vector<pin_group> m_groups;
    std::uint32_t m_ports;
    std::vector<port_signal> m_signals;
    side m_in, m_out;
};

}  // namespace

std::string adapter_skeleton(const std::string& top, std::vector<module_pin> pins) {
    return skeleton(top, std::move(pins)).text();
}

}  // namespace sare::cli
