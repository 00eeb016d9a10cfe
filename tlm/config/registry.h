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

/// Registries of variants by name. Each topology, routing function, traffic pattern or other variant is one
/// source file, which registers a name, a sentence and parameters; no other file has to know it.
namespace sare::config {

/// Reports that a second variant of `kind` is registered as `name`: throws std::logic_error or, while a
/// plugin is being loaded, notes the name for an error of load_plugin().
void name_taken(const std::string& kind, const std::string& name);

/// True while load_plugin() loads a shared library.
bool loads_plugin();

/// Throws the error, placed at `where`, for a choice of a `kind` of which the program has no variant at all,
/// since a linker has dropped them.
[[noreturn]] void throw_no_variants(const location& where, const std::string& kind);

/// Throws the error, placed at `where`, for `what`, such as "topology 'x'", which is in a part of Sare
/// (SARE_PARTS of CMake) that this program is built without.
[[noreturn]] void throw_missing(const location& where, const std::string& what, const std::string& part);

/// Returns the section `parameters` with the key `selector`, whose value is `name`, in front.
value with_selector(const std::string& selector, const std::string& name, const value& parameters);

/// The names that messages use for a section that chooses a variant.
class selection {
  public:
    virtual ~selection() = default;
    /// Returns the key that chooses the variant.
    virtual const std::string& selector() const = 0;
    /// Returns the name that messages use for `section`, which has chosen the variant `name`.
    virtual const std::string& title(const value& section, const std::string& name) const = 0;
};

/// The parameters of a variant, independent of the type of their struct.
class variant_parameters {
  public:
    using object = std::unique_ptr<void, void (*)(void*)>;  ///< a struct of parameters, with its deleter

    /// `fields`: schema of the struct; `make_defaults`: makes a struct with defaults; `among`: its registry,
    /// which must outlive this object.
    variant_parameters(std::string name, const schema_fields& fields, object (*make_defaults)(),
                       const selection& among)
        : m_name(std::move(name)), m_fields(fields), m_make_defaults(make_defaults), m_among(among) {}
    /// Returns a struct with the parameters that `section` gives and defaults for all others; only defaults
    /// if `section` is no map. Throws error for unknown keys and wrong values.
    object read(const value& section) const;
    /// Returns the documentation of the parameters, with their defaults.
    std::vector<parameter_doc> describe() const;
    /// Returns the section with the selector and every parameter, defaults included. Throws error as read()
    /// does.
    value resolve(const value& section) const;

  private:
    std::string m_name;
    schema_fields m_fields;
    object (*m_make_defaults)();
    const selection& m_among;
};

/// All variants of a `Product`, each made from a configuration section and arguments `Args`.
template <class Product, class... Args>
class registry final : public selection {
  public:
    using pointer = std::unique_ptr<Product>;  ///< a product, owned by the caller

    /// A registered variant.
    struct variant {
        std::string name;      ///< name by which a section chooses it
        std::string sentence;  ///< description in one sentence
        /// Returns the documentation of the parameters, without the selector. It is a function since a
        /// default may be the name of a variant that is registered later, in another registry.
        function<std::vector<parameter_doc>()> parameters;
        function<pointer(const value&, Args...)> make;  ///< makes the product from a section
        function<value(const value&)> resolve;          ///< returns a section with every default written out
        /// Part of SARE_PARTS that contains the variant and that this program lacks; "": the program has the
        /// variant.
        std::string missing_part{};
        bool of_plugin = loads_plugin();  ///< true: a plugin has brought it
    };

    /// Returns the registry of this product: filled before main() and when plugins are loaded, constant
    /// afterwards.
    static registry& instance() {
        static registry all;
        return all;
    }

    /// Sets `kind`, the word for the product in messages, such as "topology", and `selector`, the key of a
    /// section that chooses a variant.
    void name_kind(std::string kind, std::string selector) {
        m_kind = std::move(kind);
        m_selector = std::move(selector);
    }
    const std::string& selector() const override { return m_selector; }
    /// Makes `name` the variant of a section without a choice; messages call such a section by the name
    /// `section`.
    void set_default(std::string name, std::string section) {
        m_default = std::move(name);
        m_default_section = std::move(section);
    }
    /// Name of the variant of a section without a choice; "": each section must choose.
    const std::string& default_variant() const { return m_default; }

    /// Function that makes a product from a struct of parameters (of the type that `fields` describes), the
    /// section, and `Args`.
    using maker = function<pointer(const void* parameters, const value& section, Args...)>;
    /// Adds a variant. `fields`: schema of its struct of parameters; `make_defaults`: makes such a struct
    /// with default values; `make`: makes the product. A name that is taken is reported by name_taken().
    void add(std::string_view name, std::string_view sentence, const schema_fields& fields,
             variant_parameters::object (*make_defaults)(), maker make);

    /// Adds a variant that is in `part` of SARE_PARTS, which this program is built without: chosen() throws
    /// error for it. Does nothing if the name is taken.
    void add_missing(const std::string& name, std::string sentence, std::string part) {
        insert({name,
                std::move(sentence),
                [] { return std::vector<parameter_doc>(); },
                {},
                {},
                std::move(part)});
    }

    /// Variants with their names, sorted by name.
    using named_variants = std::vector<std::pair<std::string, variant>>;
    /// All variants, in ascending order of their names.
    const named_variants& variants() const { return m_variants; }
    /// Returns the variant called `name`, valid until a variant is added; null if there is none.
    const variant* find(std::string_view name) const {
        const auto at = place_of(name);
        return at != m_variants.end() && at->first == name ? &at->second : nullptr;
    }

    /// Returns the variant that a section chooses: a scalar is its name, a map has its name under the
    /// selector key. A null value, or a map without that key, chooses the default if there is one. Throws
    /// error if nothing or an unknown name is chosen, or a variant that this program is built without.
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

    /// Makes the product that a section chooses. Throws error for a wrong choice or wrong parameters.
    pointer make(const value& section, Args... args) const { return chosen(section).make(section, args...); }
    /// Returns `section` with its choice and every parameter, defaults included. Throws error for a wrong
    /// choice or wrong parameters.
    value resolve(const value& section) const { return chosen(section).resolve(section); }
    const std::string& title(const value& section, const std::string& name) const override {
        return is_default(section) ? m_default_section : name;
    }

  private:
    typename named_variants::const_iterator place_of(std::string_view name) const {
        return std::lower_bound(m_variants.begin(), m_variants.end(), name,
                                [](const auto& one, std::string_view word) { return one.first < word; });
    }
    /// Adds a variant, sorted by name. Returns false, and adds nothing, if the name is taken.
    bool insert(variant v) {
        if (find(v.name) != nullptr) return false;
        const auto at = place_of(v.name);
        std::string name = v.name;
        m_variants.insert(at, {std::move(name), std::move(v)});
        return true;
    }
    /// True if `section` has no choice and there is a default variant.
    bool is_default(const value& section) const {
        if (m_default.empty()) return false;
        return section.type() == value::kind::map ? section.find(m_selector) == nullptr
                                                  : section.type() == value::kind::null;
    }

    std::string names() const {
        return joined(m_variants, ", ", [](const auto& v) { return v.first; });
    }

    std::string m_kind = "variant";            ///< word for the product in messages
    std::string m_selector = "name";           ///< key that chooses a variant
    std::string m_default, m_default_section;  ///< arguments of set_default()
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

/// The struct of parameters of variants that have none.
struct no_parameters {};

/// Makes a `Variant` by the first of its constructors that exists with these arguments: (parameters, section,
/// others), (parameters, section), (parameters, others), (parameters), (section, others), (others), ().
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
constexpr maker_of<Variant> made{};  ///< argument `make` of registration: made<mesh>

/// Registers a variant when an object of this class is made, at start-up. `P`: a struct of parameters with
/// defaults, which `fields` reads: `static const registration<topology> mesh{"mesh", "A grid …", fields,
/// make_mesh};`, or with made<mesh> instead of make_mesh.
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
