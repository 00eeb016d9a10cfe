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

/// Schemas: one declaration for each parameter, with name, member, range, unit and a sentence. Reading and
/// its error messages, `sare describe`, the JSON Schema and the resolved configuration all come from it.
namespace sare::config {

/// The documentation of one parameter, for `sare describe` and the JSON Schema.
struct parameter_doc {
    std::string name;
    /// Type: "integer", "number", "text", "flag", "choice", "list of integers", "section", "list of
    /// sections", "map of sections" and so on or, for a parameter that chooses a variant, the kind of
    /// variant.
    std::string type;
    std::string unit;                    ///< unit, such as "cycles"; "": none
    std::string default_text;            ///< default in YAML, on one line; "": none
    std::string sentence;                ///< description in one sentence
    std::optional<double> min, max;      ///< range, ends included; unset: no limit
    std::vector<std::string> choices;    ///< allowed words; empty: not limited to words
    std::vector<parameter_doc> section;  ///< parameters of the nested section, or of each section of a list
    /// "router" or "node" if the numbers are numbers of routers or nodes, so that their names may be written
    /// instead; else "".
    std::string place;

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

/// @name Conversions of a value; each throws error, which names the place and what would be right
/// @{
/// Returns the integer of a scalar; it must be from `min` to `max`. `name`: the parameter, for the message.
std::int64_t to_integer(const value& v, const std::string& name, std::int64_t min, std::int64_t max);
/// Returns the number of a scalar; it must be finite, and from `min` to `max`. `name`: as for to_integer().
double to_number(const value& v, const std::string& name, double min, double max);
/// Returns the number, in `unit`, of a text with a unit such as "100ns", "1.5 us" or "50GB/s"; nothing if
/// `text` is no number with a unit of this kind. `unit`: "s", "Hz", "bit/s", "bytes/s" or "bytes"; prefixes f
/// to T are powers of 1,000. It does not throw.
std::optional<double> to_quantity(const std::string& text, std::string_view unit);
/// Returns the flag of a scalar, which must be "true" or "false".
bool to_flag(const value& v, const std::string& name);
/// Returns the text of a scalar, valid as long as `v`.
const std::string& to_text(const value& v, std::string_view name);
/// Returns the items of a list, valid as long as `v`.
const std::vector<value>& to_list(const value& v, std::string_view name);
/// @}

/// A set of numbers from 0: some ranges, or all numbers.
struct number_set {
    bool all = false;  ///< true: every number is in the set
    /// First and last number of each range, both in the set.
    std::vector<std::pair<std::uint32_t, std::uint32_t>> ranges;
    location at;  ///< place where the set was written

    /// True if number `n` is in the set.
    bool contains(std::uint32_t n) const;
    /// True if no number is in the set.
    bool empty() const { return !all && ranges.empty(); }
    std::uint32_t last() const;  ///< highest number of the ranges; 0 if there is none
};
/// Reads "all", a number such as 5, a range such as "0-3", or a list of numbers and ranges. Throws error;
/// `name`: the parameter, for the message.
number_set to_number_set(const value& v, const std::string& name);
/// Returns the set `s` as a value from which to_number_set() reads the same set.
value from_number_set(const number_set& s);

/// Checks that `section` is null or a map whose keys are all in `known`. Throws error, with a recommendation,
/// if not; `what`: name of the section for the message.
void check_keys(const value& section, const std::string& what, const std::vector<std::string>& known);

/// Returns the names of the parameters `docs`, with `first` in front unless `first` is "".
std::vector<std::string> names_of(const std::vector<parameter_doc>& docs, const std::string& first);
/// Returns the index in `words` of the text of the scalar `v`. Throws error, with a recommendation, if it is
/// no scalar or no such word. `name`: kind of the choice, for the message.
std::size_t choose_word(const value& v, const std::string& name, const std::vector<std::string>& words);
/// Returns a value in YAML's flow style, such as "{dims: [4, 4]}", on one line; "" for null.
std::string flow_style(const value& v);

/// Reader and writer of one type of parameter, given the address of a member of a struct. It is independent
/// of the type of the struct, so that files that declare parameters compile fast.
class member {
  public:
    virtual ~member() = default;
    /// Reads the value into the member at `at`. Throws error with the place and what would be right.
    virtual void read(void* at, const value& v) const = 0;
    /// Returns the member at `at` as a value; null: the parameter is left out of the written section.
    virtual value write(const void* at) const = 0;
    /// True if the members at `a` and `b` have equal values.
    virtual bool are_equal(const void* a, const void* b) const = 0;
};
using any_member = std::shared_ptr<const member>;  ///< a reader and writer, shared by copies of schemas

/// The parameters of a struct, independent of its type: documentation, place in the struct, and how each is
/// read and written.
class schema_fields {
  public:
    /// Reads a section into the struct at `object`, as schema::read() does, with its errors.
    void read_into(void* object, const value& section, const std::string& what,
                   const std::string& selector) const;
    /// Reads the keys of `section` that are declared here into the struct at `object`, and ignores all
    /// others. Throws error for wrong values.
    void read_declared(void* object, const value& section) const;
    /// Returns a section with all parameters of the struct at `object`, defaults included.
    value write_from(const void* object) const;
    /// True if all parameters of the structs at `a` and `b` have equal values.
    bool are_equal(const void* a, const void* b) const;
    std::vector<std::string> names() const;  ///< names of all parameters
    /// Returns the documentation of all parameters; `defaults`: address of a struct with the defaults.
    std::vector<parameter_doc> describe_with(const void* defaults) const;

  protected:
    /// Name, unit and sentence of a parameter.
    struct texts_of {
        std::string_view name, unit, sentence;  ///< `unit` "": none
    };
    template <class N>
    void add_number(std::size_t at, const texts_of& about, double min, double max);
    template <class N>
    void add_integers(std::size_t at, const texts_of& about, double min, double max);
    template <class N>
    void add_integer_rows(std::size_t at, const texts_of& about, double min, double max);
    /// Adds a choice. `words`: words that may be chosen, each with the bytes of its value in the struct.
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
    void set_place(std::string_view kind);  ///< sets parameter_doc::place of the parameter added last
    /// Makes read_into() call `set` with the struct that begins at byte `at`, after all keys are read, if
    /// parameter `name` is left out.
    void add_following(std::size_t at, std::string_view name, function<void(void*)> set);
    /// Adds the parameters `base` of a struct that begins `at` bytes behind the begin of this one.
    void add_all(std::size_t at, const schema_fields& base);

  private:
    void add(std::size_t at, const texts_of& about, const std::string& type, any_member how);
    void add_limited(std::size_t at, const texts_of& about, const std::string& type, any_member how,
                     double min, double max);

    struct field {
        std::size_t at;  ///< bytes from the begin of the struct
        any_member how;  ///< reader and writer of the parameter
    };
    struct following {
        std::string name;
        std::size_t at;  ///< bytes from the begin of this struct to the one that `set` gets
        function<void(void*)> set;
    };
    std::vector<parameter_doc> m_docs;
    std::vector<field> m_fields;  ///< reader and writer of each parameter, in the order of m_docs
    std::vector<following> m_following;
};

template <class T>
/// The parameters of struct `T`. Each function below with a `name` and a `member` adds a parameter, whose
/// type its comment names, and returns the schema, so that calls can be chained. `sentence` describes the
/// parameter.
class schema : public schema_fields {
  public:
    /// Adds a whole number or floating-point number from `min` to `max`. A quantity with a unit, such as
    /// "100ns", is converted to `unit`.
    template <class N>
    schema& number(std::string_view name, N T::*member, double min, double max, std::string_view unit,
                   std::string_view sentence) {
        static_assert(std::is_arithmetic_v<N>);
        add_number<N>(place(member), {name, unit, sentence}, min, max);
        return *this;
    }

    /// Adds a flag, true or false.
    schema& flag(std::string_view name, bool T::*member, std::string_view sentence) {
        add_flag(place(member), {name, "", sentence});
        return *this;
    }

    /// Adds a text.
    schema& text(std::string_view name, std::string T::*member, std::string_view sentence) {
        add_text(place(member), {name, "", sentence});
        return *this;
    }

    /// Adds a choice of one of several values of an enumeration, or of pointers, each by its word; `names`:
    /// words and values, in the order of the documentation.
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

    /// Adds a list of whole numbers, each from `min` to `max`; a scalar is a list of one.
    template <class N>
    schema& integers(std::string_view name, std::vector<N> T::*member, double min, double max,
                     std::string_view unit, std::string_view sentence) {
        add_integers<N>(place(member), {name, unit, sentence}, min, max);
        return *this;
    }

    /// Adds a list of lists of whole numbers, each from `min` to `max`.
    template <class N>
    schema& integer_rows(std::string_view name, std::vector<std::vector<N>> T::*member, double min,
                         double max, std::string_view unit, std::string_view sentence) {
        add_integer_rows<N>(place(member), {name, unit, sentence}, min, max);
        return *this;
    }

    /// Adds a list of texts; a scalar is a list of one.
    schema& texts(std::string_view name, std::vector<std::string> T::*member, std::string_view sentence) {
        add_texts(place(member), {name, "", sentence});
        return *this;
    }

    /// Adds a set of numbers: "all", 5, "0-3", or a list of numbers and ranges; the empty set if it is left
    /// out.
    schema& numbers(std::string_view name, number_set T::*member, std::string_view sentence) {
        add_numbers(place(member), {name, "", sentence});
        return *this;
    }

    /// Sets that the numbers of the parameter added last are numbers of routers or nodes (`kind`: "router" or
    /// "node"), so that names may be written instead.
    schema& of_places(std::string_view kind) {
        set_place(kind);
        return *this;
    }

    /// Makes read() call `set`, which computes parameter `name` from the others, after all are read, if
    /// `name` is left out. Several such functions are called in the order of declaration.
    schema& follows(std::string_view name, void (*set)(T&)) {
        add_following(0, name, [set](void* object) { set(*static_cast<T*>(object)); });
        return *this;
    }

    /// Adds a list of flags; a scalar is a list of one, which users of the list may apply to every element.
    schema& flags(std::string_view name, std::vector<bool> T::*member, std::string_view sentence) {
        add_flags(place(member), {name, "", sentence});
        return *this;
    }

    /// Adds a nested section with a schema of its own, `inner`.
    template <class S>
    schema& section(std::string_view name, S T::*member, const schema<S>& inner, std::string_view sentence) {
        add_section(place(member), {name, "", sentence}, inner, inner.describe());
        return *this;
    }

    /// Adds a nested section that `how` reads into the member and writes; `docs`: documentation of its
    /// parameters.
    template <class M>
    schema& section(std::string_view name, M T::*member, any_member how, std::vector<parameter_doc> docs,
                    std::string_view sentence) {
        add_section(place(member), {name, "", sentence}, std::move(how), std::move(docs));
        return *this;
    }

    /// Adds a value that is kept as written, such as the choice of a variant, and read later. `type`:
    /// parameter_doc::type; `resolve`: returns the form of the value in the resolved configuration, by
    /// default the value itself.
    schema& raw(std::string_view name, value T::*member, const std::string& type, std::string_view sentence,
                function<value(const value&)> resolve = nullptr) {
        add_raw(place(member), {name, "", sentence}, type, {}, std::move(resolve));
        return *this;
    }

    /// Adds a list of sections that is kept as written and read later. `item`: documentation of one section's
    /// parameters; `resolve`: as for raw().
    schema& list(std::string_view name, value T::*member, const std::string& type,
                 std::vector<parameter_doc> item, std::string_view sentence,
                 function<value(const value&)> resolve = nullptr) {
        add_raw(place(member), {name, "", sentence}, type, std::move(item), std::move(resolve));
        return *this;
    }

    /// Adds a map of sections under names that the user chooses, kept as written and read later; arguments as
    /// for list().
    schema& sections(std::string_view name, value T::*member, std::vector<parameter_doc> item,
                     std::string_view sentence, function<value(const value&)> resolve = nullptr) {
        return list(name, member, "map of sections", std::move(item), sentence, std::move(resolve));
    }

    /// Adds the parameters of the schema of a base class `B` of T.
    template <class B>
    schema& include(const schema<B>& base) {
        static_assert(std::is_base_of_v<B, T>);
        T* const whole = nowhere();
        add_all(bytes_to(static_cast<B*>(whole)), base);
        return *this;
    }

    /// Reads a section into `t`; members whose keys it lacks keep their values, unless follows() computes
    /// them. `what`: name of the section in messages; `selector`: a key to be ignored (the one that has
    /// chosen the variant), or "". Throws error.
    void read(const value& section, T& t, const std::string& what, const std::string& selector = "") const {
        read_into(&t, section, what, selector);
    }

    /// Returns a section with every parameter of `t`, defaults included.
    value write(const T& t) const { return write_from(&t); }

    /// Returns the documentation of every parameter; defaults are those of a default-constructed T.
    std::vector<parameter_doc> describe() const {
        const T defaults{};
        return describe_with(&defaults);
    }

  private:
    /// Returns the address of memory of the size of a T, in which no T is made: only addresses of members are
    /// taken from it.
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

/// True if all parameters that T::fields() declares are equal in `a` and `b`.
template <class T>
bool same_parameters(const T& a, const T& b) {
    static const schema<T> fields = T::fields();
    return &a == &b || fields.are_equal(&a, &b);
}

}  // namespace sare::config
