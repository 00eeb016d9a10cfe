// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/cosim/new_adapter.h"

#include "cosim/rtl/rtl_build.h"
#include "tb/sare/commands.h"
#include "tb/sare/process/child.h"
#include "tb/sare/process/files.h"
#include "tlm/base/temporary_folder.h"
#include "tlm/config/value.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>

namespace sare::cli {
namespace {

namespace fs = std::filesystem;

struct pin_field {
    std::string name;  ///< name, after those of the structures around it: hdr.tail
    std::uint32_t bits, lsb;
};

struct module_pin {
    std::string name;
    bool input = false;
    std::uint32_t width = 1, elements = 0;  ///< bits, and elements of an unpacked array (0: none)
    std::vector<pin_field> fields = {};     ///< only of a structure, the highest first

    std::string text() const {
        const std::string shape = elements == 0 ? "" : fmt::format(" [{}]", elements);
        std::string all =
            fmt::format("///   {:6} {:24} {} bits{}\n", input ? "input" : "output", name, width, shape);
        for (const pin_field& f : fields)
            all += fmt::format("///            .{:23} {} from bit {}\n", f.name, f.bits, f.lsb);
        return all;
    }
};

using attributes = std::map<std::string, std::string>;

attributes attributes_of(const std::string& tag) {
    static const std::regex one("(\\w+)=\"([^\"]*)\"");
    attributes all;
    for (auto m = std::sregex_iterator(tag.begin(), tag.end(), one); m != std::sregex_iterator(); ++m)
        all[(*m)[1]] = (*m)[2];
    return all;
}

/// "32'sh3f", as Verilator writes a constant; quotation marks are escaped.
std::uint32_t constant(const attributes& its) {
    const auto at = its.find("name");
    const auto h = at == its.end() ? std::string::npos : at->second.rfind('h');
    return h == std::string::npos
               ? 0
               : static_cast<std::uint32_t>(std::stoul(at->second.substr(h + 1), nullptr, 16));
}

/// The types in Verilator's XML, and the pins that have them.
class netlist {
  public:
    explicit netlist(const std::string& xml) : m_xml(xml) {
        static const std::regex tag("<(/?)(\\w+)([^>]*)>");
        for (auto m = std::sregex_iterator(xml.begin(), xml.end(), tag); m != std::sregex_iterator(); ++m)
            if ((*m)[1].length() == 0) see((*m)[2], attributes_of((*m)[3]));
        for (auto& [pin, type] : m_pins) {
            pin.width = width_of(type);
            if (m_types[type].array) pin.elements = m_types[type].elements();
            add_fields(type, "", 0, pin.fields);
        }
    }
    std::vector<module_pin> pins() const {
        std::vector<module_pin> all;
        for (const auto& [pin, type] : m_pins) all.push_back(pin);
        return all;
    }

  private:
    struct dtype {
        std::string of;
        std::uint32_t bits = 1;
        bool array = false, packed = false;
        bool is_union = false;
        std::vector<std::uint32_t> range;
        std::vector<std::pair<std::string, std::string>> members;  ///< only of a structure: names and types
        std::uint32_t elements() const {
            return range.size() < 2 ? 1 : std::max(range[0], range[1]) - std::min(range[0], range[1]) + 1;
        }
    };
    void see(const std::string& name, attributes its) {
        if (name == "module") m_top = its.count("topModule") != 0;
        if (name == "var" && m_top && its.count("pinIndex") != 0)  // arguments of functions have none
            m_pins.push_back({{its["name"], its["dir"] == "input"}, its["dtype_id"]});
        if (name.size() > 5 && name.substr(name.size() - 5) == "dtype") {
            dtype& t = m_types[m_type = its["id"]];
            t.of = its["sub_dtype_id"];
            t.array = name == "unpackarraydtype";
            t.packed = name == "packarraydtype";
            if (its.count("left") != 0)
                t.bits = static_cast<std::uint32_t>(
                    std::abs(std::stoi(its["left"]) - std::stoi(its["right"])) + 1);
        }
        if (name == "const" && !m_type.empty()) m_types[m_type].range.push_back(constant(its));
        if (name == "memberdtype" && !m_struct.empty())
            m_types[m_struct].members.emplace_back(its["name"], its["sub_dtype_id"]);
        if (name == "structdtype" || name == "uniondtype") {
            m_struct = its["id"];
            m_types[m_struct].is_union = name == "uniondtype";
        }
    }
    std::uint32_t width_of(const std::string& type) {
        const dtype t = m_types[type];
        std::uint32_t all = 0;
        for (const auto& [name, its] : t.members)
            all = t.is_union ? std::max(all, width_of(its)) : all + width_of(its);
        if (!t.members.empty()) return all;
        if (t.of.empty()) return t.bits;
        return width_of(t.of) * (t.packed ? t.elements() : 1);
    }

    void add_fields(const std::string& type, const std::string& above, std::uint32_t from,
                    std::vector<pin_field>& all) {
        const auto members = members_of(type);
        std::uint32_t lsb = from;
        for (const auto& [name, its] : members) lsb += width_of(its);
        for (const auto& [name, its] : members) {
            lsb -= width_of(its);
            if (m_types[its].array || m_types[its].packed || members_of(its).empty())
                all.push_back({above + name, width_of(its), lsb});
            else
                add_fields(its, above + name + ".", lsb, all);
        }
    }

    /// Returns the members of a structure, or of an array of one.
    std::vector<std::pair<std::string, std::string>> members_of(const std::string& type) {
        const dtype t = m_types[type];
        if (t.is_union || t.of.empty()) return t.is_union ? decltype(t.members){} : t.members;
        return members_of(t.of);
    }

    const std::string& m_xml;
    bool m_top = false;
    std::string m_type, m_struct;
    std::map<std::string, dtype> m_types;
    std::vector<std::pair<module_pin, std::string>> m_pins;
};

// ---- which pin is what, by its name

std::string lower(std::string name) {
    for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return name;
}

/// Words that may be anywhere in a name.
using name_parts = std::vector<const char*>;
const name_parts valid_words{"valid", "vld", "_val", "val_"}, credit_words{"credit", "crd"},
    back_words{"ready", "rdy", "credit", "crd", "stop", "yumi"};

bool is_called(const std::string& name, const name_parts& any) {
    return std::any_of(any.begin(), any.end(),
                       [its = lower(name)](const char* w) { return its.find(w) != std::string::npos; });
}

const module_pin* find(const std::vector<module_pin>& pins, bool input, const name_parts& any) {
    for (const module_pin& p : pins)
        if (p.input == input && is_called(p.name, any)) return &p;
    return nullptr;
}

/// Returns the meaning of a flit's field by its name, as a member of pin_flit.
const char* meaning_of(const pin_field& f) {
    static const std::pair<name_parts, const char*> known[] = {{{"head", "first"}, "head"},
                                                               {{"tail", "last"}, "tail"},
                                                               {{"dst", "dest"}, "destination"},
                                                               {{"vc"}, "vc"}};
    for (const auto& [any, member] : known)
        if (is_called(f.name, any)) return member;
    return is_called(f.name, {"valid", "vld"}) ? "valid" : "";
}

/// Returns the widest field without another meaning; null: there are no fields.
const pin_field* data_of(const module_pin& p) {
    const pin_field* best = nullptr;
    for (const pin_field& f : p.fields)
        if (*meaning_of(f) == 0 && (best == nullptr || f.bits > best->bits)) best = &f;
    return best;
}

bool has_valid(const module_pin* p) {
    return p != nullptr && std::any_of(p->fields.begin(), p->fields.end(), [](const pin_field& f) {
               return std::string(meaning_of(f)) == "valid";
           });
}

const module_pin* widest(const std::vector<module_pin>& pins, bool input) {
    const module_pin* best = nullptr;
    for (const module_pin& p : pins)
        if (p.input == input && (best == nullptr || p.width * std::max(p.elements, 1u) >
                                                        best->width * std::max(best->elements, 1u)))
            best = &p;
    return best;
}

struct skeleton {
    std::string top;
    std::vector<module_pin> pins;

    std::string reset() const {
        const module_pin* p = find(pins, true, {"rst", "reset"});
        if (p == nullptr) return "        cycles(4);  // CHECK: no pin is called rst or reset\n";
        const std::string name = lower(p->name);
        const bool low = name.back() == 'n' || name.find("_n") != std::string::npos;
        return fmt::format("        top.{0} = {1};\n        cycles(4);\n        top.{0} = {2};\n", p->name,
                           low ? 0 : 1, low ? 1 : 0);
    }
    std::uint32_t ports() const {
        const module_pin *valid = find(pins, false, valid_words), *data = widest(pins, false);
        if (valid == nullptr && has_valid(data)) {
            const pin_field& high = data->fields.front();
            return std::max(data->width / (high.lsb + high.bits), data->elements);
        }
        return valid == nullptr ? 5 : std::max(valid->width, valid->elements);
    }
    /// Number of bits of a pin for each port.
    std::uint32_t share(const module_pin& p) const {
        const bool divided = p.elements == 0 && ports() > 1 && p.width % ports() == 0;
        return divided ? p.width / ports() : p.width;
    }
    /// Returns a port's part of a pin, from bit `lsb` of it.
    std::string part(const module_pin& p, std::uint32_t lsb = 0) const {
        if (p.elements != 0) return fmt::format("{}[port], {}", p.name, lsb);
        const std::uint32_t its = share(p);
        const std::string port = its == p.width && ports() > 1 ? ""
                                 : its == 1                    ? "port"
                                                               : fmt::format("port * {}", its);
        const std::string more = port.empty() ? fmt::to_string(lsb)
                                 : lsb == 0   ? ""
                                              : fmt::format(" + {}", lsb);
        return p.name + ", " + port + more;
    }
    /// Returns what an adapter puts or gets at a pin for a port.
    std::string bits(const char* verb, const module_pin* p, const char* value) const {
        return p == nullptr ? "" : fmt::format("{}(top.{}, {}{})", verb, part(*p), share(*p), value);
    }
    std::string drive(const module_pin& data, bool offers) const;
    std::string read(const module_pin& data) const;
    std::string offered(const module_pin& data) const;
    std::string adapter() const;
    std::string facts() const;
};

std::string skeleton::facts() const {
    const module_pin *back = find(pins, false, back_words), *flits = widest(pins, true);
    const bool credits = find(pins, false, credit_words) != nullptr;
    const pin_field* data = flits == nullptr ? nullptr : data_of(*flits);
    return fmt::format(
        "        router_facts f;\n        f.name = \"{}\";\n        f.flow = flow_control::{};  // CHECK: "
        "credit, ready_valid or on_off\n        f.ports = {};  // CHECK\n        f.vcs = {};  // CHECK\n     "
        "   f.max_nodes = 64;  // CHECK: that its header can name\n        f.data_bits = {};  // CHECK: that "
        "it carries untouched, 24 at least\n        f.min_latency = f.max_latency = 2;  // CHECK: of the "
        "empty router\n{}        return f;\n",
        top, credits ? "credit" : "ready_valid", ports(), back == nullptr ? 1 : share(*back),
        data == nullptr ? 32 : data->bits,
        credits ? "        f.credits = 4;  // CHECK: that it begins with for each VC of an output\n" : "");
}

/// Returns the code for the fields of a flit, if one is offered or not.
std::string skeleton::drive(const module_pin& data, bool offers) const {
    std::string all;
    for (const pin_field& f : data.fields) {
        const std::string its = meaning_of(f);
        if (offers != (its == "valid") || (its.empty() && &f != data_of(data))) continue;
        all += fmt::format("        put(top.{}, {}, {});\n", part(data, f.lsb), f.bits,
                           offers ? "flit != nullptr" : "flit->" + (its.empty() ? "data" : its));
    }
    return all;
}

std::string skeleton::offered(const module_pin& data) const {
    const auto valid = std::find_if(data.fields.begin(), data.fields.end(),
                                    [](const pin_field& f) { return std::string(meaning_of(f)) == "valid"; });
    return fmt::format("get(top.{}, {})", part(data, valid->lsb), valid->bits);
}

std::string skeleton::read(const module_pin& data) const {
    std::string all;
    for (const pin_field& f : data.fields) {
        const std::string its = meaning_of(f);
        const bool wide = its.empty(), flag = its == "head" || its == "tail";
        if (its == "valid" || (wide && &f != data_of(data))) continue;
        all += fmt::format("        flit.{} = {}(top.{}, {}){};\n", wide ? "data" : its,
                           wide ? "get_data" : "get", part(data, f.lsb), f.bits, flag ? " != 0" : "");
    }
    return all;
}

std::string skeleton::adapter() const {
    const module_pin* clock = find(pins, true, {"clk", "clock", "ck"});
    const module_pin *valid_in = find(pins, true, valid_words), *valid_out = find(pins, false, valid_words),
                     *back_in = find(pins, true, back_words), *back_out = find(pins, false, back_words),
                     *data_in = widest(pins, true), *data_out = widest(pins, false);
    std::string list;
    for (const module_pin& p : pins) list += p.text();
    const auto statement = [](const std::string& text, const char* otherwise) {
        return text.empty() ? fmt::format("        // CHECK: {}\n", otherwise) : "        " + text + ";\n";
    };
    std::string all = fmt::format(
        "#include \"V{0}.h\"\n#include \"cosim/rtl/verilated_adapter.h\"\n\nnamespace {{\n\nusing namespace "
        "sare::pins;\n\n/// {0} at Sare's links: docs/cosim-router.md. What says CHECK was guessed. Its "
        "pins:\n{1}class {0}_adapter final : public verilated_adapter<V{0}> {{\n  public:\n    static "
        "router_facts facts() {{\n{2}    }}\n\n    explicit {0}_adapter(const router_info& info) : "
        "m_info(info) {{}}\n\n    void reset() override {{\n        // CHECK: tables, and this router's "
        "place: m_info.port_to, here, router\n{3}    }}\n\n",
        top, list, facts(), reset());
    all += "    void drive(std::uint32_t port, const pin_flit* flit) override {\n" +
           (valid_in == nullptr && has_valid(data_in) ? drive(*data_in, true)
                                                      : statement(bits("put", valid_in, ", flit != nullptr"),
                                                                  "the pin that says that a flit is there")) +
           "        if (flit == nullptr) return;\n";
    if (data_in != nullptr && !data_in->fields.empty())
        all += "        // CHECK: what has no place yet\n" + drive(*data_in, false);
    else if (data_in != nullptr)
        all += fmt::format(
            "        // CHECK: head, tail, destination and data have a place each in {0}, of this port\n     "
            "   put(top.{1}, 32, flit->data);\n",
            data_in->name, part(*data_in));
    all += "    }\n    void drive_back(std::uint32_t port, std::uint32_t vcs) override {\n" +
           statement(bits("put", back_in, ", vcs"), "what comes back at an output: ready, or credits") +
           "        (void)port, (void)vcs;\n    }\n\n    bool read(std::uint32_t port, pin_flit& flit) "
           "override {\n";
    if (data_out != nullptr && !data_out->fields.empty())
        all += "        // CHECK: as in drive()\n" + read(*data_out);
    else if (data_out != nullptr)
        all += fmt::format(
            "        // CHECK: as in drive()\n        flit.head = flit.tail = true;\n        flit.data = "
            "get(top.{}, 32);\n",
            part(*data_out));
    std::string seen = bits("get", valid_out, "");
    if (valid_out == nullptr && has_valid(data_out)) seen = offered(*data_out);
    all += "        return " + (seen.empty() ? "false;  // CHECK: a flit is there" : seen + " != 0;") +
           "\n    }\n";
    const std::string back = bits("get", back_out, "");
    all += fmt::format(
        "    std::uint32_t read_back(std::uint32_t port) override {{\n        (void)port;\n        return "
        "{};\n    }}\n\n  protected:\n    void clock(bool high) override {{ {} }}\n\n  private:\n    const "
        "router_info m_info;\n}};\n\n}}  // namespace\n\nSARE_PIN_ADAPTER({}_adapter)\n",
        back.empty() ? "0;  // CHECK: ready, or credits" : "static_cast<std::uint32_t>(" + back + ")",
        clock == nullptr ? "(void)high; /* CHECK: no pin is called clk */"
                         : "top." + clock->name + " = high;",
        top);
    return all;
}

/// Returns the files in Verilator's order: what the first one needs, packages too, comes before it.
std::vector<std::string> in_order(std::vector<std::string> files) {
    std::rotate(files.begin(), files.begin() + 1, files.end());
    return files;
}

std::string cmake_text(const std::string& top, const std::vector<std::string>& files) {
    std::string sources;
    for (const std::string& f : in_order(files)) sources += " " + fs::absolute(f).string();
    return fmt::format(
        "cmake_minimum_required(VERSION 3.25)\nproject({0} LANGUAGES CXX)\nset(CMAKE_BUILD_TYPE Release "
        "CACHE STRING \"\")\ninclude({1}/SareRtl.cmake)\nsare_add_rtl_router({0} TOP {0} SOURCES{2}\n        "
        "            ADAPTER {0}_adapter.cpp)\n",
        top, cosim::own_folder("cosim/rtl"), sources);
}

std::string xml_of(const std::string& top, const std::vector<std::string>& files) {
    const fs::path scratch = temporary_folder() / fmt::format("sare-adapter-{}", getpid());
    fs::create_directories(scratch);
    const fs::path file = scratch / "top.xml";
    const std::string folder = fs::absolute(files.front()).parent_path();
    std::vector<std::string> line{
        "verilator", "--xml-only", "--xml-output", file.string(), "--Mdir", scratch.string(), "--top-module",
        top,         "-Wno-fatal", "-Wno-lint",    "-Wno-style",  "-y",     folder,           "-I" + folder};
    const std::vector<std::string> ordered = in_order(files);
    line.insert(line.end(), ordered.begin(), ordered.end());
    const child_result done = run_child(std::move(line));
    std::ifstream in(file);
    const std::string xml{std::istreambuf_iterator<char>(in), {}};
    fs::remove_all(scratch);
    if (done.not_started != 0) throw config::error("verilator cannot be started; scripts/setup installs it");
    if (!done.good() || xml.empty()) {
        const auto wrong = done.err.find("%Error");
        const std::string said =
            wrong == std::string::npos ? "" : done.err.substr(wrong, done.err.find('\n', wrong) - wrong);
        throw config::error(
            fmt::format("{}: Verilator does not read it: {}; name all files that it needs, the top first, "
                        "and packages before what uses them",
                        files.front(), said));
    }
    return xml;
}

}  // namespace

int write_new_adapter(const std::vector<std::string>& files, const std::string& out) {
    const std::string top = fs::path(files.front()).stem();
    const std::string xml = xml_of(top, files);
    const skeleton s{top, netlist(xml).pins()};
    if (s.pins.empty()) throw config::error(fmt::format("{}: its module {} has no pins", files.front(), top));
    const fs::path folder = out.empty() ? fs::path(top + "_adapter") : fs::path(out);
    if (fs::exists(folder)) throw config::error(folder.string() + ": is there already; choose another --out");
    fs::create_directories(folder);
    write_file(folder / "CMakeLists.txt", cmake_text(top, files));
    write_file(folder / (top + "_adapter.cpp"), s.adapter());
    fmt::print("{}: {} pins; {} is to be completed where it says CHECK\n", folder.string(), s.pins.size(),
               (folder / (top + "_adapter.cpp")).string());
    return exit_status::good;
}

}  // namespace sare::cli
