// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/section_part.h"

#include <map>
#include <stdexcept>
#include <vector>

namespace sare {

/// The parts of sections that rooms bring: filled before main() and by plugins, constant after.
class section_registry {
  public:
    struct entry {
        std::string section;
        std::string sentence;  ///< of the section; "" where another part has it
        config::schema_fields fields;
        std::unique_ptr<section_part> (*make)();
    };
    static section_registry& instance();
    void add(int order, entry e);
    /// In the order of sections and of the keys in each.
    const std::multimap<int, entry>& parts() const { return m_parts; }
    std::vector<std::string> sections() const;
    std::vector<std::string> keys(const std::string& section) const;
    /// The parameters of a section, and its sentence.
    std::vector<config::parameter_doc> describe(const std::string& section) const;
    std::string sentence(const std::string& section) const;

  private:
    std::multimap<int, entry> m_parts;
};

/// Registers parameters `P` (see section_part) as a section or, without a sentence, as keys of one:
/// `const section_registration<cosim_params> cosim{"cosim", 20, "Routers in RTL."};`
/// `order`: keys and sections stand by rising order.
template <class P>
class section_registration {
  public:
    section_registration(std::string section, int order, std::string sentence = "") {
        section_registry::instance().add(order, {std::move(section), std::move(sentence), P::fields(),
                                                 [] { return std::unique_ptr<section_part>(new P()); }});
    }
};

/// One of each part that is registered, with its values: of an experiment.
class section_parts {
  public:
    section_parts();  ///< as by default
    section_parts(const section_parts& other);
    section_parts(section_parts&&) noexcept = default;
    section_parts& operator=(const section_parts& other);
    section_parts& operator=(section_parts&&) noexcept = default;
    ~section_parts() = default;

    /// The parameters `P`; std::logic_error if nobody has registered them.
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

    /// How the schema of an experiment reads and writes a section of these.
    static config::any_member member(const std::string& section);
    /// After the whole of an experiment has been read: every part sees where it was written, and is checked.
    /// `known`: of an experiment that was read before, if any; files that it has are not read again.
    void check(const config::value& experiment, const std::string& folder, const section_parts* known);
    /// The first of the parts for runs alone whose values are not the defaults: its section and where that
    /// is;
    /// "" if there is none.
    std::pair<std::string, config::location> of_runs() const;
    /// Routers that are not the model's.
    config::number_set foreign_routers() const;
    /// Parts that need routers are as by default, where they need none.
    void drop_what_needs_routers();

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
