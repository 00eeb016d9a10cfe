// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/section_part.h"

#include <map>
#include <stdexcept>
#include <vector>

namespace sare {

/// All parts of sections that rooms register: filled before main() and by plugins, constant afterwards.
class section_registry {
  public:
    struct entry {
        std::string section;                      ///< name of the section
        std::string sentence;                     ///< description of the section; "" if another part has it
        config::schema_fields fields;             ///< keys of the part
        std::unique_ptr<section_part> (*make)();  ///< makes a part with default values
    };
    static section_registry& instance();
    /// Registers a part; parts with a lower `order` come first. Calls config::name_taken() for a key that its
    /// section already has.
    void add(int order, entry e);
    /// Parts by rising order, the order in which sections, and keys of a section, are shown.
    const std::multimap<int, entry>& parts() const { return m_parts; }
    std::vector<std::string> sections() const;  ///< names, by rising order
    /// Keys of a section, of all its parts; empty for an unknown section.
    std::vector<std::string> keys(const std::string& section) const;
    /// Documentation of the parameters of a section, with their defaults.
    std::vector<config::parameter_doc> describe(const std::string& section) const;
    /// Description of a section; "" for an unknown section.
    std::string sentence(const std::string& section) const;

  private:
    std::multimap<int, entry> m_parts;
};

/// Registers parameters `P` (see section_part) as a section or, without a sentence, as keys of one: `const
/// section_registration<cosim_params> cosim{"cosim", 20, "Routers in RTL."};` Sections and keys are shown by
/// rising `order`.
template <class P>
class section_registration {
  public:
    section_registration(std::string section, int order, std::string sentence = "") {
        section_registry::instance().add(order, {std::move(section), std::move(sentence), P::fields(),
                                                 [] { return std::unique_ptr<section_part>(new P()); }});
    }
};

/// The values of an experiment for all registered parts, one of each.
class section_parts {
  public:
    section_parts();  ///< makes all parts with default values
    section_parts(const section_parts& other);
    section_parts(section_parts&&) noexcept = default;
    section_parts& operator=(const section_parts& other);
    section_parts& operator=(section_parts&&) noexcept = default;
    ~section_parts() = default;

    /// Returns the parameters of type `P`. Throws std::logic_error if `P` is not registered.
    template <class P>
    const P& of() const {
        for (const part& p : m_all)
            if (const P* const its = dynamic_cast<const P*>(p.values.get())) return *its;
        throw std::logic_error("section_parts: no such part is registered");
    }
    template <class P>
    P& of() {
        return const_cast<P&>(static_cast<const section_parts*>(this)->of<P>());
    }

    /// Returns the member by which the schema of an experiment reads and writes a section.
    static config::any_member member(const std::string& section);
    /// Sets section_part::at and `folder` of every part and checks it, after the whole experiment has been
    /// read. `known`: parts of an experiment read before, whose files are not read again; or null. Throws
    /// config::error.
    void check(const config::value& experiment, const std::string& folder, const section_parts* known);
    /// Returns name and place of the section of the first part that is_of_runs() and whose values are not all
    /// defaults; "" if there is none.
    std::pair<std::string, config::location> of_runs() const;
    /// Numbers of the routers that any part replaces by other implementations (RTL).
    config::number_set foreign_routers() const;
    /// Sets all parts whose needs_routers() is not "" to their defaults, which need none.
    void drop_what_needs_routers();

    /// The values of one registered part.
    struct part {
        const section_registry::entry* from;
        std::unique_ptr<section_part> values;
    };
    const std::vector<part>& all() const { return m_all; }

  private:
    const section_part* find(const section_registry::entry* from) const;
    std::vector<part> m_all;
};

}  // namespace sare
