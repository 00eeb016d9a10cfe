// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <gtest/gtest.h>

#include <cxxabi.h>

#include <cstdlib>
#include <set>
#include <sstream>
#include <string>
#include <systemc>
#include <typeinfo>

/// That modules say of themselves what docs/inside.md promises.
namespace sare::test {

inline std::string type_name(const sc_core::sc_object& o) {
    char* const text = abi::__cxa_demangle(typeid(o).name(), nullptr, nullptr, nullptr);
    std::string name = text == nullptr ? "" : text;
    std::free(text);
    return name;
}

inline std::string dumped(const sc_core::sc_object& o) {
    std::ostringstream out;
    o.dump(out);
    return out.str();
}

/// A type of Sare's own, not of its tests.
inline bool is_ours(const std::string& type) {
    return type.rfind("sare::", 0) == 0 && type.rfind("sare::test::", 0) != 0 &&
           type.find("(anonymous namespace)") == std::string::npos;
}

/// Goes through all modules below `objects`. Of Sare's own each has a kind that is its type's name and a
/// dump() that begins with name and kind and has more than that. Gives the kinds that there are.
inline std::set<std::string> expect_modules_speak(
    const std::vector<sc_core::sc_object*>& objects = sc_core::sc_get_top_level_objects()) {
    std::set<std::string> kinds;
    for (const sc_core::sc_object* o : objects) {
        kinds.merge(expect_modules_speak(o->get_child_objects()));
        const std::string type = type_name(*o);
        if (dynamic_cast<const sc_core::sc_module*>(o) == nullptr || !is_ours(type)) continue;
        const std::string kind = o->kind(), text = dumped(*o);
        const std::string begin = "name = " + std::string(o->name()) + "\nkind = " + kind + "\n";
        kinds.insert(kind);
        EXPECT_EQ(kind.rfind("sare::", 0), 0U) << type << " says that it is a " << kind;
        EXPECT_EQ(text.rfind(begin, 0), 0U) << type << ": " << text;
        EXPECT_GT(text.size(), begin.size()) << type << " says nothing of its own";
    }
    return kinds;
}

}  // namespace sare::test
