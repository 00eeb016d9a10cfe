// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/value.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

/// One declaration per parameter: name, member, range, unit and a sentence. Reading with its error messages,
/// `sare describe`, the JSON Schema and the resolved configuration all come from it.
namespace sare::config {

/// The documentation of one parameter, as `describe` and the JSON Schema need it.
struct parameter_doc {
    std::string name;
    std::string type;  ///< integer, number, text, flag, choice, list of integers, section, list of sections,
                       ///< map of sections, variant, ...
    std::string unit;  ///< "" where there is none
    std::string default_text;
    std::string sentence;
    std::optional<double> min, max;
    std::vector<std::string> choices;
    std::vector<parameter_doc> section;  ///< the parameters of a nested section

    parameter_doc(std::string name, std::string type, std::string unit, std::string default_text,
                  std::string sentence, std::optional<double> min, std::optional<double> max,
                  std::vector<std::string> choices, std::vector<parameter_doc> section);
    // As of value: not made anew in each file.
    parameter_doc(const parameter_doc&);
    parameter_doc(parameter_doc&&) noexcept;
    parameter_doc& operator=(const parameter_doc&);
    parameter_doc& operator=(parameter_doc&&) noexcept;
    ~parameter_doc();
};

/// @name Conversions of a scalar; each throws error with the place and what would be right.
/// @{
std::int64_t to_integer(const value& v, const std::string& name, std::int64_t min, std::int64_t max);
double to_number(const value& v, const std::string& name, double min, double max);
bool to_flag(const value& v, const std::string& name);
const std::string& to_text(const value& v, const std::string& name);
const std::vector<value>& to_list(const value& v, const std::string& name);
/// @}

/// Numbers named one by one, by ranges, or all of them.
struct number_set {
    bool all = false;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> ranges;  ///< first and last
    location at;

    bool contains(std::uint32_t n) const;
    bool empty() const { return !all && ranges.empty(); }
    std::uint32_t last() const;  ///< the highest number named; 0 if there is none
};
/// Reads "all", 5, "0-3", or a list of such.
number_set to_number_set(const value& v, const std::string& name);
value from_number_set(const number_set& s);

/// Throws error for a key of `section` that is not in `known` (with the nearest known one), for a key written
/// twice, and for a section that is no map.
void check_keys(const value& section, const std::string& what, const std::vector<std::string>& known);

/// The names of parameters, behind `first`, if that is any.
std::vector<std::string> names_of(const std::vector<parameter_doc>& docs, const std::string& first);
/// The place of `v` among `words`, or error with the nearest.
std::size_t choose_word(const value& v, const std::string& name, const std::vector<std::string>& words);
/// A value in YAML flow style on one line.
std::string flow_style(const value& v);

template <class T>
class schema {
  public:
    /// An integer or floating-point member within [min, max].
    template <class N>
    schema& number(const std::string& name, N T::*member, double min, double max, const std::string& unit,
                   const std::string& sentence) {
        static_assert(std::is_arithmetic_v<N>);
        constexpr bool whole = std::is_integral_v<N>;
        auto read = [=](T& t, const value& v) {
            if constexpr (whole)
                t.*member =
                    static_cast<N>(to_integer(v, name, static_cast<std::int64_t>(min),
                                              max >= 9.2e18 ? INT64_MAX : static_cast<std::int64_t>(max)));
            else
                t.*member = static_cast<N>(to_number(v, name, min, max));
        };
        auto write = [=](const T& t) { return config::number(t.*member); };
        add({name, whole ? "integer" : "number", unit, "", sentence, min, max, {}, {}}, read, write);
        return *this;
    }

    schema& flag(const std::string& name, bool T::*member, const std::string& sentence) {
        add(
            {name, "flag", "", "", sentence, {}, {}, {}, {}},
            [=](T& t, const value& v) { t.*member = to_flag(v, name); },
            [=](const T& t) { return value::scalar(t.*member ? "true" : "false"); });
        return *this;
    }

    schema& text(const std::string& name, std::string T::*member, const std::string& sentence) {
        add(
            {name, "text", "", "", sentence, {}, {}, {}, {}},
            [=](T& t, const value& v) { t.*member = to_text(v, name); },
            [=](const T& t) { return value::scalar(t.*member); });
        return *this;
    }

    /// An enumeration with its names, in the order in which they are shown.
    template <class E>
    schema& choice(const std::string& name, E T::*member, const std::vector<std::pair<std::string, E>>& names,
                   const std::string& sentence) {
        std::vector<std::string> words;
        for (const auto& n : names) words.push_back(n.first);
        add(
            {name, "choice", "", "", sentence, {}, {}, words, {}},
            [=](T& t, const value& v) { t.*member = names[choose_word(v, name, words)].second; },
            [=](const T& t) {
                for (const auto& n : names)
                    if (n.second == t.*member) return value::scalar(n.first);
                return value::scalar("?");
            });
        return *this;
    }

    /// A list of integers (std::vector of an integral type), each within [min, max]; a scalar is a list of
    /// one.
    template <class N>
    schema& integers(const std::string& name, std::vector<N> T::*member, double min, double max,
                     const std::string& unit, const std::string& sentence) {
        add(
            {name, "list of integers", unit, "", sentence, min, max, {}, {}},
            [=](T& t, const value& v) {
                (t.*member).clear();
                if (v.type() == value::kind::scalar) {
                    read_item(t.*member, v, name, min, max);
                    return;
                }
                for (const auto& item : to_list(v, name)) read_item(t.*member, item, name, min, max);
            },
            [=](const T& t) {
                std::vector<value> items;
                for (const auto n : t.*member) items.push_back(config::number(n));
                return value::list(std::move(items));
            });
        return *this;
    }

    /// Rows of integers, each within [min, max].
    template <class N>
    schema& integer_rows(const std::string& name, std::vector<std::vector<N>> T::*member, double min,
                         double max, const std::string& unit, const std::string& sentence) {
        add(
            {name, "rows of integers", unit, "", sentence, min, max, {}, {}},
            [=](T& t, const value& v) {
                (t.*member).clear();
                for (const auto& row : to_list(v, name)) {
                    (t.*member).emplace_back();
                    for (const auto& item : to_list(row, name))
                        read_item((t.*member).back(), item, name, min, max);
                }
            },
            [=](const T& t) {
                std::vector<value> rows;
                for (const auto& row : t.*member) {
                    std::vector<value> items;
                    for (const auto n : row) items.push_back(config::number(n));
                    rows.push_back(value::list(std::move(items)));
                }
                return value::list(std::move(rows));
            });
        return *this;
    }

    /// A list of texts; a scalar is a list of one.
    schema& texts(const std::string& name, std::vector<std::string> T::*member, const std::string& sentence) {
        add(
            {name, "list of texts", "", "", sentence, {}, {}, {}, {}},
            [=](T& t, const value& v) {
                (t.*member).clear();
                if (v.type() == value::kind::scalar)
                    (t.*member).push_back(to_text(v, name));
                else
                    for (const auto& item : to_list(v, name)) (t.*member).push_back(to_text(item, name));
            },
            [=](const T& t) {
                std::vector<value> items;
                for (const auto& text : t.*member) items.push_back(value::scalar(text));
                return value::list(std::move(items));
            });
        return *this;
    }

    /// Numbers of things: "all", 5, "0-3", or a list of such; nothing: none.
    schema& numbers(const std::string& name, number_set T::*member, const std::string& sentence) {
        add(
            {name, "set of numbers", "", "", sentence, {}, {}, {}, {}},
            [=](T& t, const value& v) { t.*member = to_number_set(v, name); },
            [=](const T& t) { return from_number_set(t.*member); });
        return *this;
    }

    /// A list of true/false; a scalar stands for every place.
    schema& flags(const std::string& name, std::vector<bool> T::*member, const std::string& sentence) {
        add(
            {name, "list of flags", "", "", sentence, {}, {}, {}, {}},
            [=](T& t, const value& v) {
                (t.*member).clear();
                if (v.type() == value::kind::scalar)
                    (t.*member).push_back(to_flag(v, name));
                else
                    for (const auto& item : to_list(v, name)) (t.*member).push_back(to_flag(item, name));
            },
            [=](const T& t) {
                std::vector<value> items;
                for (const bool b : t.*member) items.push_back(value::scalar(b ? "true" : "false"));
                return value::list(std::move(items));
            });
        return *this;
    }

    /// A nested section with its own schema.
    template <class S>
    schema& section(const std::string& name, S T::*member, const schema<S>& inner,
                    const std::string& sentence) {
        add(
            {name, "section", "", "", sentence, {}, {}, {}, inner.describe()},
            [=](T& t, const value& v) { inner.read(v, t.*member, name); },
            [=](const T& t) { return inner.write(t.*member); });
        return *this;
    }

    /// A value kept as written (a variant, read later by its registry). `resolve` gives what goes into the
    /// resolved configuration.
    schema& raw(const std::string& name, value T::*member, const std::string& type,
                const std::string& sentence, std::function<value(const value&)> resolve = nullptr) {
        add(
            {name, type, "", "", sentence, {}, {}, {}, {}}, [=](T& t, const value& v) { t.*member = v; },
            [=](const T& t) { return resolve ? resolve(t.*member) : t.*member; });
        return *this;
    }

    /// A list of sections, kept as written and read later. `item`: the parameters of one. `resolve`: as for
    /// raw().
    schema& list(const std::string& name, value T::*member, const std::string& type,
                 std::vector<parameter_doc> item, const std::string& sentence,
                 std::function<value(const value&)> resolve = nullptr) {
        add(
            {name, type, "", "", sentence, {}, {}, {}, std::move(item)},
            [=](T& t, const value& v) { t.*member = v; },
            [=](const T& t) { return resolve ? resolve(t.*member) : t.*member; });
        return *this;
    }

    /// Sections under names that the user chooses, kept as written and read later; else as list().
    schema& sections(const std::string& name, value T::*member, std::vector<parameter_doc> item,
                     const std::string& sentence, std::function<value(const value&)> resolve = nullptr) {
        return list(name, member, "map of sections", std::move(item), sentence, std::move(resolve));
    }

    /// Takes over the fields of a base class's schema.
    template <class B>
    schema& include(const schema<B>& base) {
        static_assert(std::is_base_of_v<B, T>);
        for (std::size_t k = 0; k < base.m_fields.size(); ++k)
            add(
                base.m_docs[k], [r = base.m_fields[k].read](T& t, const value& v) { r(t, v); },
                [w = base.m_fields[k].write](const T& t) { return w(t); });
        return *this;
    }

    /// Reads a section into `t`, whose members not named keep what they hold. `what` names the section in
    /// messages; `selector` is a key to pass over (the one that chose the variant).
    void read(const value& section, T& t, const std::string& what, const std::string& selector = "") const {
        check_keys(section, what, names_of(m_docs, selector));
        for (std::size_t k = 0; k < m_fields.size(); ++k)
            if (const value* v = section.find(m_docs[k].name)) m_fields[k].read(t, *v);
    }

    /// The whole section with every parameter, defaults included.
    value write(const T& t) const {
        value out = value::map({});
        for (std::size_t k = 0; k < m_fields.size(); ++k) out.set(m_docs[k].name, m_fields[k].write(t));
        return out;
    }

    /// The documentation of every parameter; defaults are those of a default-constructed T.
    std::vector<parameter_doc> describe() const {
        std::vector<parameter_doc> docs = m_docs;
        const T defaults{};
        for (std::size_t k = 0; k < docs.size(); ++k)
            if (docs[k].section.empty()) docs[k].default_text = flow_style(m_fields[k].write(defaults));
        return docs;
    }

    template <class U>
    friend class schema;

  private:
    struct field {
        std::function<void(T&, const value&)> read;
        std::function<value(const T&)> write;
    };

    void add(parameter_doc doc, std::function<void(T&, const value&)> read,
             std::function<value(const T&)> write) {
        m_docs.push_back(std::move(doc));
        m_fields.push_back({std::move(read), std::move(write)});
    }

    template <class N>
    static void read_item(std::vector<N>& out, const value& v, const std::string& name, double min,
                          double max) {
        out.push_back(static_cast<N>(
            to_integer(v, name, static_cast<std::int64_t>(min), static_cast<std::int64_t>(max))));
    }

    std::vector<parameter_doc> m_docs;
    std::vector<field> m_fields;  ///< as many
};

}  // namespace sare::config
