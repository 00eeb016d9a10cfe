// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/function.h"
#include "tlm/config/value.h"

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
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
    std::string unit;  ///< "": none
    std::string default_text;
    std::string sentence;
    std::optional<double> min, max;
    std::vector<std::string> choices;
    std::vector<parameter_doc> section;  ///< the parameters of a nested section
    std::string place;  ///< "router" or "node": its numbers are of these, so that names may be written

    parameter_doc(std::string name, std::string type, std::string unit, std::string default_text,
                  std::string sentence, std::optional<double> min, std::optional<double> max,
                  std::vector<std::string> choices, std::vector<parameter_doc> section);
    // Out of line, as for value.
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
/// Returns the number in `unit` of a text such as "100ns", "1.5 us" or "50GB/s"; none if it is another
/// quantity. Units: "s", "Hz", "bit/s", "bytes/s", "bytes".
std::optional<double> to_quantity(const std::string& text, std::string_view unit);
bool to_flag(const value& v, const std::string& name);
const std::string& to_text(const value& v, std::string_view name);
const std::vector<value>& to_list(const value& v, std::string_view name);
/// @}

/// A set of numbers, given one by one, by ranges, or as all.
struct number_set {
    bool all = false;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> ranges;  ///< first and last number of each
    location at;

    bool contains(std::uint32_t n) const;
    bool empty() const { return !all && ranges.empty(); }
    std::uint32_t last() const;  ///< highest number; 0 if the set is empty
};
/// Reads "all", 5, "0-3", or a list of these.
number_set to_number_set(const value& v, const std::string& name);
value from_number_set(const number_set& s);

/// Throws error for a key of `section` that is not in `known` (with the nearest known one), for a key written
/// twice, and for a section that is no map.
void check_keys(const value& section, const std::string& what, const std::vector<std::string>& known);

/// Returns `first`, unless it is "", and the names of parameters.
std::vector<std::string> names_of(const std::vector<parameter_doc>& docs, const std::string& first);
/// Returns the index of `v` in `words`; throws error, with the nearest word, if it is none of them.
std::size_t choose_word(const value& v, const std::string& name, const std::vector<std::string>& words);
/// Returns a value in YAML flow style, on one line.
std::string flow_style(const value& v);

/// Reads and writes a member of a struct by its address. Independent of the struct's type, so that the
/// hundreds of files that declare parameters need not compile it.
class member {
  public:
    virtual ~member() = default;
    /// Reads the value into the member at `at`. Throws error with the place and what would be right.
    virtual void read(void* at, const value& v) const = 0;
    virtual value write(const void* at) const = 0;
    virtual bool are_equal(const void* a, const void* b) const = 0;
};
using any_member = std::shared_ptr<const member>;

/// The parameters of a struct, without its type: documentation, place in the struct, and how to read and
/// write each.
class schema_fields {
  public:
    /// Reads a section into the struct at `object`; see schema::read().
    void read_into(void* object, const value& section, const std::string& what,
                   const std::string& selector) const;
    /// Reads the parameters of `section` that are declared here; others are no mistake.
    void read_declared(void* object, const value& section) const;
    value write_from(const void* object) const;
    /// True if all parameters of two structs have the same values.
    bool are_equal(const void* a, const void* b) const;
    std::vector<std::string> names() const;  ///< names of all parameters
    /// Returns the documentation; `defaults` is a struct with the defaults.
    std::vector<parameter_doc> describe_with(const void* defaults) const;

  protected:
    /// Texts about a parameter, as literals give them.
    struct texts_of {
        std::string_view name, unit, sentence;
    };
    template <class N>
    void add_number(std::size_t at, const texts_of& about, double min, double max);
    template <class N>
    void add_integers(std::size_t at, const texts_of& about, double min, double max);
    template <class N>
    void add_integer_rows(std::size_t at, const texts_of& about, double min, double max);
    /// `words`: names, each with the bytes of its value.
    void add_choice(std::size_t at, const texts_of& about,
                    std::vector<std::pair<std::string, std::string>> words);
    void add_flag(std::size_t at, const texts_of& about);
    void add_flags(std::size_t at, const texts_of& about);
    void add_text(std::size_t at, const texts_of& about);
    void add_texts(std::size_t at, const texts_of& about);
    void add_numbers(std::size_t at, const texts_of& about);
    void add_section(std::size_t at, const texts_of& about, const schema_fields& inner,
                     std::vector<parameter_doc> docs);
    void add_section(std::size_t at, const texts_of& about, any_member how, std::vector<parameter_doc> docs);
    void add_raw(std::size_t at, const texts_of& about, const std::string& type,
                 std::vector<parameter_doc> item, function<value(const value&)> resolve);
    void set_place(std::string_view kind);  ///< for the last parameter added
    /// Makes `set` called, after the others are read, if the parameter `name` is left out.
    void add_following(std::size_t at, std::string_view name, function<void(void*)> set);
    /// Adds the parameters of a struct that begins at `at`.
    void add_all(std::size_t at, const schema_fields& base);

  private:
    void add(std::size_t at, const texts_of& about, const std::string& type, any_member how);
    void add_limited(std::size_t at, const texts_of& about, const std::string& type, any_member how,
                     double min, double max);

    struct field {
        std::size_t at;  ///< bytes from the begin of the struct
        any_member how;
    };
    struct following {
        std::string name;
        std::size_t at;  ///< place of the struct that `set` takes
        function<void(void*)> set;
    };
    std::vector<parameter_doc> m_docs;
    std::vector<field> m_fields;  ///< by the index of m_docs
    std::vector<following> m_following;
};

template <class T>
class schema : public schema_fields {
  public:
    /// An integer or floating-point member within [min, max].
    template <class N>
    schema& number(std::string_view name, N T::*member, double min, double max, std::string_view unit,
                   std::string_view sentence) {
        static_assert(std::is_arithmetic_v<N>);
        add_number<N>(place(member), {name, unit, sentence}, min, max);
        return *this;
    }

    schema& flag(std::string_view name, bool T::*member, std::string_view sentence) {
        add_flag(place(member), {name, "", sentence});
        return *this;
    }

    schema& text(std::string_view name, std::string T::*member, std::string_view sentence) {
        add_text(place(member), {name, "", sentence});
        return *this;
    }

    /// An enumeration, or pointers, with their names in the order in which they are shown.
    template <class E>
    schema& choice(std::string_view name, E T::*member,
                   std::initializer_list<std::pair<const char*, E>> names, std::string_view sentence) {
        return choose(name, member, names, sentence);
    }
    template <class E>
    schema& choice(std::string_view name, E T::*member, const std::vector<std::pair<std::string, E>>& names,
                   std::string_view sentence) {
        return choose(name, member, names, sentence);
    }

    /// A list of integers (std::vector of an integral type), each within [min, max]; a scalar is a list of
    /// one.
    template <class N>
    schema& integers(std::string_view name, std::vector<N> T::*member, double min, double max,
                     std::string_view unit, std::string_view sentence) {
        add_integers<N>(place(member), {name, unit, sentence}, min, max);
        return *this;
    }

    /// Rows of integers, each within [min, max].
    template <class N>
    schema& integer_rows(std::string_view name, std::vector<std::vector<N>> T::*member, double min,
                         double max, std::string_view unit, std::string_view sentence) {
        add_integer_rows<N>(place(member), {name, unit, sentence}, min, max);
        return *this;
    }

    /// A list of texts; a scalar is a list of one.
    schema& texts(std::string_view name, std::vector<std::string> T::*member, std::string_view sentence) {
        add_texts(place(member), {name, "", sentence});
        return *this;
    }

    /// Numbers of things: "all", 5, "0-3", or a list of such; nothing: none.
    schema& numbers(std::string_view name, number_set T::*member, std::string_view sentence) {
        add_numbers(place(member), {name, "", sentence});
        return *this;
    }

    /// Makes the numbers of the last parameter those of places, "router" or "node", so that names may be
    /// written.
    schema& of_places(std::string_view kind) {
        set_place(kind);
        return *this;
    }

    /// Makes `set` compute the default of parameter `name` from the others when it is left out; in the order
    /// of declaration.
    schema& follows(std::string_view name, void (*set)(T&)) {
        add_following(0, name, [set](void* object) { set(*static_cast<T*>(object)); });
        return *this;
    }

    /// A list of true/false; a scalar stands for every place.
    schema& flags(std::string_view name, std::vector<bool> T::*member, std::string_view sentence) {
        add_flags(place(member), {name, "", sentence});
        return *this;
    }

    /// A nested section with its own schema.
    template <class S>
    schema& section(std::string_view name, S T::*member, const schema<S>& inner, std::string_view sentence) {
        add_section(place(member), {name, "", sentence}, inner, inner.describe());
        return *this;
    }

    /// A nested section that `how` reads into the member and writes; `docs`: its parameters.
    template <class M>
    schema& section(std::string_view name, M T::*member, any_member how, std::vector<parameter_doc> docs,
                    std::string_view sentence) {
        add_section(place(member), {name, "", sentence}, std::move(how), std::move(docs));
        return *this;
    }

    /// A value kept as written (a variant, read later by its registry). `resolve` returns its form in the
    /// resolved configuration.
    schema& raw(std::string_view name, value T::*member, const std::string& type, std::string_view sentence,
                function<value(const value&)> resolve = nullptr) {
        add_raw(place(member), {name, "", sentence}, type, {}, std::move(resolve));
        return *this;
    }

    /// A list of sections, kept as written and read later. `item`: parameters of one; `resolve`: see raw().
    schema& list(std::string_view name, value T::*member, const std::string& type,
                 std::vector<parameter_doc> item, std::string_view sentence,
                 function<value(const value&)> resolve = nullptr) {
        add_raw(place(member), {name, "", sentence}, type, std::move(item), std::move(resolve));
        return *this;
    }

    /// Sections under names that the user chooses, kept as written and read later; see list().
    schema& sections(std::string_view name, value T::*member, std::vector<parameter_doc> item,
                     std::string_view sentence, function<value(const value&)> resolve = nullptr) {
        return list(name, member, "map of sections", std::move(item), sentence, std::move(resolve));
    }

    /// Takes over the fields of a base class's schema.
    template <class B>
    schema& include(const schema<B>& base) {
        static_assert(std::is_base_of_v<B, T>);
        T* const whole = nowhere();
        add_all(bytes_to(static_cast<B*>(whole)), base);
        return *this;
    }

    /// Reads a section into `t`; members that it does not name keep their values. `what` names the section in
    /// messages; `selector` is a key to skip (the one that chose the variant).
    void read(const value& section, T& t, const std::string& what, const std::string& selector = "") const {
        read_into(&t, section, what, selector);
    }

    /// Returns the whole section with every parameter, defaults included.
    value write(const T& t) const { return write_from(&t); }

    /// Returns the documentation of every parameter; defaults are those of a default-constructed T.
    std::vector<parameter_doc> describe() const {
        const T defaults{};
        return describe_with(&defaults);
    }

  private:
    /// Returns room for a T, in which none is made: only addresses of its parts are taken.
    static T* nowhere() {
        alignas(T) static unsigned char room[sizeof(T)];
        return reinterpret_cast<T*>(room);
    }
    static std::size_t bytes_to(const volatile void* part) {
        return static_cast<std::size_t>(static_cast<const volatile unsigned char*>(part) -
                                        reinterpret_cast<const volatile unsigned char*>(nowhere()));
    }
    template <class M>
    static std::size_t place(M T::*member) {
        return bytes_to(std::addressof(nowhere()->*member));
    }

    template <class E, class Names>
    schema& choose(std::string_view name, E T::*member, const Names& names, std::string_view sentence) {
        static_assert(std::is_scalar_v<E>);
        std::vector<std::pair<std::string, std::string>> words;
        for (const auto& n : names)
            words.emplace_back(n.first, std::string(reinterpret_cast<const char*>(&n.second), sizeof(E)));
        add_choice(place(member), {name, "", sentence}, std::move(words));
        return *this;
    }
};

/// True if all parameters that T::fields() declares are the same in two structs.
template <class T>
bool same_parameters(const T& a, const T& b) {
    static const schema<T> fields = T::fields();
    return &a == &b || fields.are_equal(&a, &b);
}

}  // namespace sare::config
