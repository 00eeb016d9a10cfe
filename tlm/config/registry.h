// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/function.h"
#include "tlm/base/joined.h"
#include "tlm/config/schema.h"

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

/// Variants by name: one file per topology, routing function, pattern, ...; the file registers its name, its
/// sentence and its parameters, and nothing else in the program has to know of it.
namespace sare::config {

/// Throws std::logic_error. While a plugin is being loaded it notes the name, for an error of load_plugin().
void name_taken(const std::string& kind, const std::string& name);

/// True while a plugin is being loaded.
bool loads_plugin();

/// Throws the error for a choice among no variants at all, of such a `kind`: a linker has dropped them.
[[noreturn]] void throw_no_variants(const location& where, const std::string& kind);

/// Throws the error for something in a part of Sare (SARE_PARTS of CMake) that is not built.
[[noreturn]] void throw_missing(const location& where, const std::string& what, const std::string& part);

/// Returns a section that chooses a variant, with its parameters.
value with_selector(const std::string& selector, const std::string& name, const value& parameters);

/// Names in the messages about a section that chooses a variant.
class selection {
  public:
    virtual ~selection() = default;
    virtual const std::string& selector() const = 0;
    /// Returns the name, in messages, of a section of the variant `name`.
    virtual const std::string& title(const value& section, const std::string& name) const = 0;
};

/// The parameters of a variant, without the type of their struct.
class variant_parameters {
  public:
    using object = std::unique_ptr<void, void (*)(void*)>;

    variant_parameters(std::string name, const schema_fields& fields, object (*make_defaults)(),
                       const selection& among)
        : m_name(std::move(name)), m_fields(fields), m_make_defaults(make_defaults), m_among(among) {}
    object read(const value& section) const;
    std::vector<parameter_doc> describe() const;
    /// Returns the section with every default written out.
    value resolve(const value& section) const;

  private:
    std::string m_name;
    schema_fields m_fields;
    object (*m_make_defaults)();
    const selection& m_among;
};

/// All variants of a `Product`, each made from a configuration section and `Args`.
template <class Product, class... Args>
class registry final : public selection {
  public:
    using pointer = std::unique_ptr<Product>;

    struct variant {
        std::string name;
        std::string sentence;  ///< one sentence for `describe`
        /// The parameters beside the selector. Called late: a default may be the name of a variant of another
        /// registry.
        function<std::vector<parameter_doc>()> parameters;
        function<pointer(const value&, Args...)> make;
        function<value(const value&)> resolve;  ///< returns the section with every default written out
        std::string missing_part{};             ///< part of SARE_PARTS that this program lacks; "": none
        bool of_plugin = loads_plugin();        ///< a plugin has brought it
    };

    /// The registry of this product: filled before main(), constant after.
    static registry& instance() {
        static registry all;
        return all;
    }

    /// Sets the names in messages: `kind` of the product ("topology"), `selector`, the key that chooses it.
    void name_kind(std::string kind, std::string selector) {
        m_kind = std::move(kind);
        m_selector = std::move(selector);
    }
    const std::string& selector() const override { return m_selector; }
    /// Makes `name` the variant of a section that chooses none; messages call such a section `section`.
    void set_default(std::string name, std::string section) {
        m_default = std::move(name);
        m_default_section = std::move(section);
    }
    const std::string& default_variant() const { return m_default; }  ///< "": there is none

    /// Adds a variant. `make` makes a product of its parameters, whose defaults `make_defaults` makes.
    using maker = function<pointer(const void* parameters, const value& section, Args...)>;
    void add(std::string_view name, std::string_view sentence, const schema_fields& fields,
             variant_parameters::object (*make_defaults)(), maker make);

    /// Adds a variant of a part that this program is built without.
    void add_missing(const std::string& name, std::string sentence, std::string part) {
        insert({name,
                std::move(sentence),
                [] { return std::vector<parameter_doc>(); },
                {},
                {},
                std::move(part)});
    }

    using named_variants = std::vector<std::pair<std::string, variant>>;
    const named_variants& variants() const { return m_variants; }  ///< in order of their names
    /// Returns the variant of a name; null if there is none.
    const variant* find(std::string_view name) const {
        const auto at = place_of(name);
        return at != m_variants.end() && at->first == name ? &at->second : nullptr;
    }

    /// Returns the variant that a section chooses: a scalar is its name, a map has its name under the
    /// selector key.
    const variant& chosen(const value& section) const {
        if (m_variants.empty()) throw_no_variants(section.where(), m_kind);
        if (is_default(section)) return *find(m_default);
        const value* name = &section;
        if (section.type() == value::kind::map) name = section.find(m_selector);
        if (name == nullptr || name->type() == value::kind::null)
            throw error(section.where(),
                        "no " + m_kind + " chosen; write '" + m_selector + ": ' and one of: " + names());
        std::vector<std::string> words;
        for (const auto& [word, v] : m_variants) words.push_back(word);
        const variant& v = m_variants[choose_word(*name, m_kind, words)].second;
        if (!v.missing_part.empty())
            throw_missing(name->where(), m_kind + " '" + v.name + "'", v.missing_part);
        return v;
    }

    pointer make(const value& section, Args... args) const { return chosen(section).make(section, args...); }
    value resolve(const value& section) const { return chosen(section).resolve(section); }
    const std::string& title(const value& section, const std::string& name) const override {
        return is_default(section) ? m_default_section : name;
    }

  private:
    typename named_variants::const_iterator place_of(std::string_view name) const {
        return std::lower_bound(m_variants.begin(), m_variants.end(), name,
                                [](const auto& one, std::string_view word) { return one.first < word; });
    }
    /// Returns false if there is one of this name.
    bool insert(variant v) {
        if (find(v.name) != nullptr) return false;
        const auto at = place_of(v.name);
        std::string name = v.name;
        m_variants.insert(at, {std::move(name), std::move(v)});
        return true;
    }
    bool is_default(const value& section) const {
        if (m_default.empty()) return false;
        return section.type() == value::kind::map ? section.find(m_selector) == nullptr
                                                  : section.type() == value::kind::null;
    }

    std::string names() const {
        return joined(m_variants, ", ", [](const auto& v) { return v.first; });
    }

    std::string m_kind = "variant";
    std::string m_selector = "name";
    std::string m_default, m_default_section;
    named_variants m_variants;
};

template <class Product, class... Args>
__attribute__((noinline)) void registry<Product, Args...>::add(std::string_view name,
                                                               std::string_view sentence,
                                                               const schema_fields& fields,
                                                               variant_parameters::object (*make_defaults)(),
                                                               maker make) {
    const std::string own(name);
    const auto its = std::make_shared<const variant_parameters>(own, fields, make_defaults, *this);
    variant v{own, std::string(sentence), [its] { return its->describe(); },
              [its, make = std::move(make)](const value& section, Args... args) {
                  const variant_parameters::object p = its->read(section);
                  return make(p.get(), section, args...);
              },
              [its](const value& section) { return its->resolve(section); }};
    if (!insert(std::move(v))) name_taken(m_kind, own);
}

/// The parameters of variants without any.
struct no_parameters {};

/// Makes a `Variant` of its parameters, its section and the other arguments: what its constructor takes.
template <class Variant>
struct maker_of {
    template <class P, class... Args>
    Variant* operator()(const P& p, const value& section, const Args&... args) const {
        if constexpr (std::is_constructible_v<Variant, const P&, const value&, const Args&...>)
            return new Variant(p, section, args...);
        else if constexpr (std::is_constructible_v<Variant, const P&, const value&>)
            return new Variant(p, section);
        else if constexpr (std::is_constructible_v<Variant, const P&, const Args&...>)
            return new Variant(p, args...);
        else if constexpr (std::is_constructible_v<Variant, const P&>)
            return new Variant(p);
        else if constexpr (std::is_constructible_v<Variant, const value&, const Args&...>)
            return new Variant(section, args...);
        else if constexpr (std::is_constructible_v<Variant, const Args&...>)
            return new Variant(args...);
        else
            return new Variant();
    }
};
template <class Variant>
constexpr maker_of<Variant> made{};

/// Registers a variant with parameters `P` (a struct of defaults, read by `fields`) at start-up:
/// `static const registration<topology> mesh{"mesh", "A grid …", fields, make_mesh};`, or `made<mesh>`.
template <class Product, class... Args>
class registration {
  public:
    template <class P, class Make>
    registration(std::string_view name, std::string_view sentence, const schema<P>& fields, Make make) {
        registry<Product, Args...>::instance().add(
            name, sentence, fields,
            [] { return variant_parameters::object(new P{}, [](void* p) { delete static_cast<P*>(p); }); },
            [make](const void* p, const value& section, Args... args) {
                return std::unique_ptr<Product>(make(*static_cast<const P*>(p), section, args...));
            });
    }
    /// Registers a variant without parameters.
    template <class Make>
    registration(std::string_view name, std::string_view sentence, Make make)
        : registration(name, sentence, schema<no_parameters>(), make) {}
};

}  // namespace sare::config
