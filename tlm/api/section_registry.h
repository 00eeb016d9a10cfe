// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/section_part.h"

#include <map>
#include <stdexcept>
#include <vector>

namespace sare {

/// Registry of all section_parts: filled before main() and when plugins are loaded, constant afterwards.
class section_registry {
  public:
    /// A registered part: some keys of a section, or all of them.
    struct entry {
        std::string section;   ///< name of the section
        std::string sentence;  ///< description of the whole section; "" if another part of the section has it
        config::schema_fields fields;             ///< keys of the part
        std::unique_ptr<section_part> (*make)();  ///< makes a part with default values, never null
    };
    /// Returns the registry of the process.
    static section_registry& instance();
    /// Registers a part. parts() has lower `order` first, equal order as registered. Throws std::logic_error
    /// for a key that its section has already; while a plugin is being loaded, loading fails instead.
    void add(int order, entry e);
    /// Returns all parts in ascending order, in which documentation lists sections and the keys of a section.
    const std::multimap<int, entry>& parts() const { return m_parts; }
    /// Names of all sections, each once, in ascending order of their first parts.
    std::vector<std::string> sections() const;
    /// Returns the keys of a section, those of all its parts; empty for an unknown section.
    std::vector<std::string> keys(const std::string& section) const;
    /// Returns the documentation of the keys of a section, with their defaults; empty for an unknown section.
    std::vector<config::parameter_doc> describe(const std::string& section) const;
    /// Returns the description of a section; "" for an unknown section or one without a description.
    std::string sentence(const std::string& section) const;

  private:
    std::multimap<int, entry> m_parts;  ///< parts, by `order`
};

/// Registers the keys of struct `P` (see section_part) when an object of this class is made: as a new section
/// if there is a description `sentence`, else as further keys of a section. `const
/// section_registration<cosim_params> cosim{"cosim", 20, "Routers in RTL."};` Documentation lists sections,
/// and keys of a section, in ascending `order`.
template <class P>
class section_registration {
  public:
    section_registration(std::string section, int order, std::string sentence = "") {
        section_registry::instance().add(order, {std::move(section), std::move(sentence), P::fields(),
                                                 [] { return std::unique_ptr<section_part>(new P()); }});
    }
};

/// The values that one experiment has for all registered parts, one section_part for each.
class section_parts {
  public:
    section_parts();  ///< makes all parts with default values
    section_parts(const section_parts& other);
    section_parts(section_parts&&) noexcept = default;
    section_parts& operator=(const section_parts& other);
    section_parts& operator=(section_parts&&) noexcept = default;
    ~section_parts() = default;

    /// Returns the values of the part of type `P`. Throws std::logic_error if `P` is not registered.
    template <class P>
    const P& of() const {
        for (const part& p : m_all)
            if (const P* const its = dynamic_cast<const P*>(p.values.get())) return *its;
        throw std::logic_error("section_parts: no such part is registered");
    }
    /// Returns the values of the part of type `P`, to be changed. Throws std::logic_error if `P` is not
    /// registered.
    template <class P>
    P& of() {
        return const_cast<P&>(static_cast<const section_parts*>(this)->of<P>());
    }

    /// Returns the object that reads and writes a section, with the keys of all its parts, in a schema of
    /// experiments (config::schema). Reading a key of no part throws config::error.
    static config::any_member member(const std::string& section);
    /// Sets section_part::at and section_part::folder of every part and calls its check(), after the whole
    /// experiment has been read. `known`: parts of an experiment read earlier, whose files are not read again
    /// (section_part::share()); null: none. Throws config::error as section_part::check() does.
    void check(const config::value& experiment, const std::string& folder, const section_parts* known);
    /// Returns name and place of the section of the first part with is_of_runs() that has a value other than
    /// its default; an empty name if there is none.
    std::pair<std::string, config::location> of_runs() const;
    /// Returns the numbers of the routers that any part replaces by other implementations (RTL); a number may
    /// be in the result twice.
    config::number_set foreign_routers() const;
    /// Returns the first section_part::clock_hertz() of any part that is not 0, in Hz; 0: no part sets the
    /// clock.
    double clock_hertz() const;
    /// Returns the list `named` of statistics, which may be null, followed by section_part::statistics() of
    /// all parts. Throws config::error if `named` is no list.
    config::value with_statistics(const config::value& named) const;
    /// Sets all parts whose needs_routers() is not "" back to their defaults, which need no routers.
    void drop_what_needs_routers();

    /// The values of one registered part.
    struct part {
        const section_registry::entry* from;   ///< registration of the part, not null
        std::unique_ptr<section_part> values;  ///< values of its keys, not null
    };
    /// Returns all parts, in the order of section_registry::parts().
    const std::vector<part>& all() const { return m_all; }

  private:
    /// Returns the values of a registered part; null if there are none.
    const section_part* find(const section_registry::entry* from) const;
    std::vector<part> m_all;  ///< result of all()
};

}  // namespace sare
