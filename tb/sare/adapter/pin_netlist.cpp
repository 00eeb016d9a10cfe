// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/adapter/pin_netlist.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <regex>

namespace sare::cli {
namespace {

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
    explicit netlist(const std::string& xml) {
        static const std::regex tag("<(/?)(\\w+)([^>]*)>");
        for (auto m = std::sregex_iterator(xml.begin(), xml.end(), tag); m != std::sregex_iterator(); ++m)
            if ((*m)[1].length() == 0) see((*m)[2], attributes_of((*m)[3]));
    }
    std::vector<module_pin> pins() {
        std::vector<module_pin> all;
        for (auto& [pin, type] : m_pins) {
            pin.width = width_of(type);
            if (m_types[type].array) pin.elements = m_types[type].elements();
            const dtype& packed = m_types[resolved(m_types[type].array ? m_types[type].of : type)];
            pin.ascending = packed.ascending;
            if (packed.packed) pin.dimension = packed.elements();
            add_fields(type, "", 0, pin.fields);
            all.push_back(pin);
        }
        return all;
    }

  private:
    struct dtype {
        std::string of;
        std::uint32_t bits = 1;
        bool array = false, packed = false, ascending = false;
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
            if (its.count("left") != 0) {
                const int left = std::stoi(its["left"]), right = std::stoi(its["right"]);
                t.bits = static_cast<std::uint32_t>(std::abs(left - right) + 1);
                t.ascending = left < right;
            }
        }
        if (name == "const" && !m_type.empty()) {
            dtype& t = m_types[m_type];
            t.range.push_back(constant(its));
            t.ascending = t.packed && t.range.size() == 2 && t.range[0] < t.range[1];
        }
        if (name == "memberdtype" && !m_struct.empty())
            m_types[m_struct].members.emplace_back(its["name"], its["sub_dtype_id"]);
        if (name == "structdtype" || name == "uniondtype") {
            m_struct = its["id"];
            m_types[m_struct].is_union = name == "uniondtype";
        }
    }
    /// Returns the type behind names that only refer to another one.
    std::string resolved(std::string type) {
        while (!m_types[type].of.empty() && !m_types[type].array && !m_types[type].packed)
            type = m_types[type].of;
        return type;
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
            const dtype& t = m_types[resolved(its)];
            if (t.array || t.packed || members_of(its).empty())
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

    bool m_top = false;
    std::string m_type, m_struct;
    std::map<std::string, dtype> m_types;
    std::vector<std::pair<module_pin, std::string>> m_pins;
};

}  // namespace

std::vector<module_pin> pins_of(const std::string& xml) {
    return netlist(xml).pins();
}

}  // namespace sare::cli
