// SPDX-License-Identifier: Apache-2.0
#include "tlm/config/schema.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <iterator>

namespace sare::config {
namespace {

template <class T, class = void>
struct has_equality : std::false_type {};
template <class T>
struct has_equality<T, std::void_t<decltype(std::declval<const T&>() == std::declval<const T&>())>>
    : std::true_type {};

/// True if two values are equal without being resolved.
bool same_text(const value& a, const value& b) {
    using kind = value::kind;
    return a.type() == b.type() &&
           (a.type() == kind::null || (a.type() == kind::scalar && a.text() == b.text()));
}
template <class T>
bool same_text(const T&, const T&) {
    return false;
}

/// A member of type T, made of functions that read and write one.
template <class T, class Read, class Write>
class typed_member final : public member {
  public:
    typed_member(Read its_read, Write its_write)
        : m_read(std::move(its_read)), m_write(std::move(its_write)) {}
    void read(void* at, const value& v) const override { m_read(*static_cast<T*>(at), v); }
    value write(const void* at) const override { return m_write(*static_cast<const T*>(at)); }
    bool are_equal(const void* a, const void* b) const override {
        if constexpr (has_equality<T>::value)
            return *static_cast<const T*>(a) == *static_cast<const T*>(b);
        else
            return same_text(*static_cast<const T*>(a), *static_cast<const T*>(b)) ||
                   flow_style(write(a)) == flow_style(write(b));
    }

  private:
    Read m_read;
    Write m_write;
};

template <class T, class Read, class Write>
any_member make_member(Read read, Write write) {
    return any_member(new typed_member<T, Read, Write>(std::move(read), std::move(write)));
}

std::int64_t whole(double limit) {
    return limit >= 9.2e18 ? INT64_MAX : static_cast<std::int64_t>(limit);
}

/// Units of parameters in which the model counts integers of a smallest step.
struct counted_unit {
    std::string_view unit;
    double step;  ///< in that unit
    const char* must;
};
constexpr counted_unit counted_units[] = {
    {"bit/s, in whole tenths", 0.1, "a whole number of tenths of a bit/s"},
    {"s, in whole ps", 1e-12, "a whole number of picoseconds"}};

/// True for an integer, to a few units in the last place of a double, by which 7e-6 / 1e-12 is off.
bool is_whole(double count) {
    return std::abs(count - std::round(count)) <= 1e-14 * count;
}

/// Throws error for a value that would be rounded to another one.
void check_counted(double x, const value& v, const std::string& name, std::string_view unit) {
    const auto* u = std::find_if(std::begin(counted_units), std::end(counted_units),
                                 [=](const counted_unit& known) { return known.unit == unit; });
    if (u != std::end(counted_units) && !is_whole(x / u->step))
        throw error(v.where(), "'" + name + "' is " + v.text() + "; it must be " + u->must);
}

/// A list, or a single value that stands for a list of one.
template <class T, class Item>
void read_list(std::vector<T>& out, const value& v, const std::string& name, const Item& item) {
    out.clear();
    if (v.type() == value::kind::scalar) {
        out.push_back(item(v));
        return;
    }
    for (const value& x : to_list(v, name)) out.push_back(item(x));
}

template <class List, class Item>
value write_list(const List& all, const Item& item) {
    std::vector<value> items;
    for (const auto& x : all) items.push_back(item(x));
    return value::list(std::move(items));
}

template <class N>
value write_integers(const std::vector<N>& all) {
    return write_list(all, [](N n) { return config::number(n); });
}

value write_flag(bool b) {
    return value::scalar(b ? "true" : "false");
}

/// Returns a quantity with its unit as a number in the parameter's unit: "100ns" as 1e-07, "4kB" as 4000.
value in_unit(const value& v, std::string_view unit) {
    if (v.type() != value::kind::scalar || unit.empty()) return v;
    const auto quantity = to_quantity(v.text(), unit.substr(0, unit.find(',')));
    if (!quantity) return v;
    if (unit == "bytes" && *quantity == std::floor(*quantity) && *quantity < 9e18)
        return value::scalar(fmt::format("{:.0f}", *quantity), v.where());
    return config::number(*quantity, v.where());
}

/// Returns a value such as a number in the parameter's unit may have; "" for a unit without prefixes.
std::string_view example_of(std::string_view unit) {
    static constexpr std::pair<std::string_view, std::string_view> examples[] = {
        {"s", "100ns"}, {"bit/s", "400Gbit/s"}, {"bytes/s", "50GB/s"}, {"bytes", "4kB"}, {"Hz", "2GHz"}};
    for (const auto& [its, example] : examples)
        if (unit.substr(0, unit.find(',')) == its) return example;
    return "";
}

/// Throws error for a number with a unit that the parameter does not know, and for one out of range that
/// lacks its unit.
void refuse_unit(const value& v, const std::string& name, std::string_view unit, double min, double max) {
    const std::string_view example = example_of(unit);
    if (v.type() != value::kind::scalar || example.empty()) return;
    const std::string& text = v.text();
    const std::size_t end = text.find_first_not_of("0123456789.+-eE ");
    if (end != 0 && end != std::string::npos)
        throw error(v.where(), fmt::format("'{}' must be a number, or one with a unit such as {}, not '{}'",
                                           name, example, text));
    const double x = std::strtod(text.c_str(), nullptr);
    if (end == std::string::npos && (x < min || x > max) && unit.substr(0, unit.find(',')) == "s")
        throw error(v.where(),
                    fmt::format("'{}' is {}; it must be from {} to {} s, or have a unit such as {}", name,
                                text, number_text(min), number_text(max), example));
}

/// Throws error for a time where cycles are wanted.
void refuse_time(const value& v, const std::string& name, std::string_view unit) {
    if (v.type() != value::kind::scalar || unit != "cycles") return;
    if (const auto seconds = to_quantity(v.text(), "s"))
        throw error(v.where(), "'" + name + "' must be a number of cycles, not '" + v.text() +
                                   "'; at a 'clock_period' of 1ns that is " +
                                   number_text(std::round(*seconds * 1e12) / 1e3));
}

template <class N>
any_member number_member(const std::string& name, const std::string& unit, double min, double max) {
    return make_member<N>(
        [=](N& n, const value& v) {
            if constexpr (std::is_integral_v<N>) {
                refuse_time(v, name, unit);
                const value in = in_unit(v, unit);
                refuse_unit(in, name, unit, min, max);
                n = static_cast<N>(to_integer(in, name, static_cast<std::int64_t>(min), whole(max)));
            } else {
                const value in = in_unit(v, unit);
                refuse_unit(in, name, unit, min, max);
                n = static_cast<N>(to_number(in, name, min, max));
                check_counted(static_cast<double>(n), v, name, unit);
            }
        },
        [](const N& n) { return config::number(n); });
}

any_member flag_member(const std::string& name) {
    return make_member<bool>([=](bool& b, const value& v) { b = to_flag(v, name); }, write_flag);
}

any_member text_member(const std::string& name) {
    return make_member<std::string>([=](std::string& s, const value& v) { s = to_text(v, name); },
                                    [](const std::string& s) { return value::scalar(s); });
}

/// A member that is one of several words, compared by its bytes, whatever its type.
class one_of_words final : public member {
  public:
    one_of_words(std::string name, std::vector<std::pair<std::string, std::string>> words)
        : m_name(std::move(name)), m_words(std::move(words)) {}
    void read(void* at, const value& v) const override {
        std::vector<std::string> words;
        for (const auto& w : m_words) words.push_back(w.first);
        const std::string& bytes = m_words[choose_word(v, m_name, words)].second;
        std::memcpy(at, bytes.data(), bytes.size());
    }
    value write(const void* at) const override {
        const auto its = std::find_if(m_words.begin(), m_words.end(), [at](const auto& w) {
            return std::memcmp(at, w.second.data(), w.second.size()) == 0;
        });
        return value::scalar(its == m_words.end() ? "?" : its->first);
    }
    bool are_equal(const void* a, const void* b) const override {
        return std::memcmp(a, b, m_words.front().second.size()) == 0;
    }

  private:
    std::string m_name;
    std::vector<std::pair<std::string, std::string>> m_words;
};

/// Returns the list that a text such as "6x5" or "4,4" means; "" if it is no list of numbers.
std::string list_in_text(const std::string& text) {
    std::string items;
    bool separated = false;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find_first_not_of("0123456789", at), text.size());
        if (end == at || text[at] == '0') return "";  // no size begins with 0: "0x4"
        items += (items.empty() ? "" : ", ") + text.substr(at, end - at);
        const std::size_t next = std::min(text.find_first_not_of(" xX*,", end), text.size());
        separated = separated || (next != end && next != text.size());
        if (end != text.size() && (next == end || next == text.size())) return "";
        at = next;
    }
    return separated ? "[" + items + "]" : "";
}

/// Reads an item of a list; the error for several in one text shows how a list is written.
std::int64_t to_item(const value& v, const std::string& name, double min, double max) {
    const std::string list = v.type() == value::kind::scalar ? list_in_text(v.text()) : "";
    if (!list.empty())
        throw error(v.where(), "'" + name + "' is " + v.text() + "; it must be a list: " + list);
    return to_integer(v, name, whole(min), whole(max));
}

template <class N>
any_member integers_member(const std::string& name, double min, double max) {
    return make_member<std::vector<N>>(
        [=](std::vector<N>& all, const value& v) {
            read_list(all, v, name,
                      [&](const value& x) { return static_cast<N>(to_item(x, name, min, max)); });
        },
        write_integers<N>);
}

template <class N>
any_member integer_rows_member(const std::string& name, double min, double max) {
    return make_member<std::vector<std::vector<N>>>(
        [=](std::vector<std::vector<N>>& rows, const value& v) {
            rows.clear();
            for (const value& row : to_list(v, name)) {
                rows.emplace_back();
                for (const value& x : to_list(row, name))
                    rows.back().push_back(static_cast<N>(to_integer(x, name, whole(min), whole(max))));
            }
        },
        [](const std::vector<std::vector<N>>& rows) { return write_list(rows, write_integers<N>); });
}

any_member texts_member(const std::string& name) {
    return make_member<std::vector<std::string>>(
        [=](std::vector<std::string>& all, const value& v) {
            read_list(all, v, name, [&](const value& x) { return to_text(x, name); });
        },
        [](const std::vector<std::string>& all) {
            return write_list(all, [](const std::string& s) { return value::scalar(s); });
        });
}

any_member flags_member(const std::string& name) {
    return make_member<std::vector<bool>>(
        [=](std::vector<bool>& all, const value& v) {
            read_list(all, v, name, [&](const value& x) { return to_flag(x, name); });
        },
        [](const std::vector<bool>& all) { return write_list(all, write_flag); });
}

any_member numbers_member(const std::string& name) {
    return make_member<number_set>([=](number_set& s, const value& v) { s = to_number_set(v, name); },
                                   from_number_set);
}

class nested_section final : public member {
  public:
    nested_section(std::string name, const schema_fields& inner) : m_name(std::move(name)), m_inner(inner) {}
    void read(void* at, const value& v) const override { m_inner.read_into(at, v, m_name, ""); }
    value write(const void* at) const override { return m_inner.write_from(at); }
    bool are_equal(const void* a, const void* b) const override { return m_inner.are_equal(a, b); }

  private:
    std::string m_name;
    schema_fields m_inner;
};

any_member section_member(const std::string& name, const schema_fields& inner) {
    return std::make_shared<nested_section>(name, inner);
}

any_member raw_member(function<value(const value&)> resolve) {
    return make_member<value>(
        [](value& as_written, const value& v) { as_written = v; },
        [=](const value& as_written) { return resolve ? resolve(as_written) : as_written; });
}

}  // namespace

void schema_fields::add(std::size_t at, const texts_of& about, const std::string& type, any_member how) {
    m_docs.emplace_back(std::string(about.name), type, std::string(about.unit), "",
                        std::string(about.sentence), std::nullopt, std::nullopt, std::vector<std::string>(),
                        std::vector<parameter_doc>());
    m_fields.push_back({at, std::move(how)});
}

void schema_fields::add_limited(std::size_t at, const texts_of& about, const std::string& type,
                                any_member how, double min, double max) {
    add(at, about, type, std::move(how));
    m_docs.back().min = min;
    m_docs.back().max = max;
}

template <class N>
void schema_fields::add_number(std::size_t at, const texts_of& about, double min, double max) {
    add_limited(at, about, std::is_integral_v<N> ? "integer" : "number",
                number_member<N>(std::string(about.name), std::string(about.unit), min, max), min, max);
}

template <class N>
void schema_fields::add_integers(std::size_t at, const texts_of& about, double min, double max) {
    add_limited(at, about, "list of integers", integers_member<N>(std::string(about.name), min, max), min,
                max);
}

template <class N>
void schema_fields::add_integer_rows(std::size_t at, const texts_of& about, double min, double max) {
    add_limited(at, about, "rows of integers", integer_rows_member<N>(std::string(about.name), min, max), min,
                max);
}

void schema_fields::add_choice(std::size_t at, const texts_of& about,
                               std::vector<std::pair<std::string, std::string>> words) {
    std::vector<std::string> choices;
    for (const auto& w : words) choices.push_back(w.first);
    add(at, about, "choice", any_member(new one_of_words(std::string(about.name), std::move(words))));
    m_docs.back().choices = std::move(choices);
}

void schema_fields::add_flag(std::size_t at, const texts_of& about) {
    add(at, about, "flag", flag_member(std::string(about.name)));
}

void schema_fields::add_flags(std::size_t at, const texts_of& about) {
    add(at, about, "list of flags", flags_member(std::string(about.name)));
}

void schema_fields::add_text(std::size_t at, const texts_of& about) {
    add(at, about, "text", text_member(std::string(about.name)));
}

void schema_fields::add_texts(std::size_t at, const texts_of& about) {
    add(at, about, "list of texts", texts_member(std::string(about.name)));
}

void schema_fields::add_numbers(std::size_t at, const texts_of& about) {
    add(at, about, "set of numbers", numbers_member(std::string(about.name)));
}

void schema_fields::add_section(std::size_t at, const texts_of& about, const schema_fields& inner,
                                std::vector<parameter_doc> docs) {
    add_section(at, about, section_member(std::string(about.name), inner), std::move(docs));
}

void schema_fields::add_section(std::size_t at, const texts_of& about, any_member how,
                                std::vector<parameter_doc> docs) {
    add(at, about, "section", std::move(how));
    m_docs.back().section = std::move(docs);
}

void schema_fields::add_raw(std::size_t at, const texts_of& about, const std::string& type,
                            std::vector<parameter_doc> item, function<value(const value&)> resolve) {
    add(at, about, type, raw_member(std::move(resolve)));
    m_docs.back().section = std::move(item);
}

void schema_fields::set_place(std::string_view kind) {
    m_docs.back().place = kind;
    m_docs.back().type = "set of numbers";  // or names
}

void schema_fields::add_all(std::size_t at, const schema_fields& base) {
    m_docs.insert(m_docs.end(), base.m_docs.begin(), base.m_docs.end());
    for (const field& f : base.m_fields) m_fields.push_back({at + f.at, f.how});
    for (const following& f : base.m_following) add_following(at + f.at, f.name, f.set);
}

void schema_fields::add_following(std::size_t at, std::string_view name, function<void(void*)> set) {
    m_following.push_back({std::string(name), at, std::move(set)});
}

std::vector<std::string> schema_fields::names() const {
    return names_of(m_docs, "");
}

void schema_fields::read_into(void* object, const value& section, const std::string& what,
                              const std::string& selector) const {
    check_keys(section, what, names_of(m_docs, selector));
    read_declared(object, section);
}

void schema_fields::read_declared(void* object, const value& section) const {
    for (std::size_t k = 0; k < m_fields.size(); ++k)
        if (const value* v = section.find(m_docs[k].name))
            m_fields[k].how->read(static_cast<char*>(object) + m_fields[k].at, *v);
    for (const following& f : m_following)
        if (section.find(f.name) == nullptr) f.set(static_cast<char*>(object) + f.at);
}

bool schema_fields::are_equal(const void* a, const void* b) const {
    return std::all_of(m_fields.begin(), m_fields.end(), [a, b](const field& f) {
        return f.how->are_equal(static_cast<const char*>(a) + f.at, static_cast<const char*>(b) + f.at);
    });
}

value schema_fields::write_from(const void* object) const {
    value out = value::map({});
    for (std::size_t k = 0; k < m_fields.size(); ++k)
        if (value v = m_fields[k].how->write(static_cast<const char*>(object) + m_fields[k].at);
            v.type() != value::kind::null)
            out.set(m_docs[k].name, std::move(v));
    return out;
}

std::vector<parameter_doc> schema_fields::describe_with(const void* defaults) const {
    std::vector<parameter_doc> docs = m_docs;
    for (std::size_t k = 0; k < docs.size(); ++k)
        if (docs[k].section.empty())
            docs[k].default_text =
                flow_style(m_fields[k].how->write(static_cast<const char*>(defaults) + m_fields[k].at));
    return docs;
}

// What parameters are made of; another type of integer wants a line here.
#define SARE_NUMBER(N) \
    template void schema_fields::add_number<N>(std::size_t, const texts_of&, double, double);
#define SARE_LISTS(N)                                                                           \
    template void schema_fields::add_integers<N>(std::size_t, const texts_of&, double, double); \
    template void schema_fields::add_integer_rows<N>(std::size_t, const texts_of&, double, double);
SARE_NUMBER(std::int8_t)
SARE_NUMBER(std::uint8_t)
SARE_NUMBER(std::int16_t)
SARE_NUMBER(std::uint16_t)
SARE_NUMBER(std::int32_t)
SARE_NUMBER(std::uint32_t)
SARE_NUMBER(std::int64_t)
SARE_NUMBER(std::uint64_t)
SARE_NUMBER(unsigned long long)
SARE_NUMBER(float)
SARE_NUMBER(double)
SARE_LISTS(std::int32_t)
SARE_LISTS(std::uint32_t)
SARE_LISTS(std::int64_t)
SARE_LISTS(std::uint64_t)
#undef SARE_NUMBER
#undef SARE_LISTS

}  // namespace sare::config
