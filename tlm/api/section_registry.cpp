// SPDX-License-Identifier: Apache-2.0
#include "tlm/api/section_registry.h"

#include "tlm/config/registry.h"

#include <algorithm>

namespace sare {
namespace {

/// Member of an experiment that reads and writes one section: the keys of all parts registered for it.
class brought_section final : public config::member {
  public:
    explicit brought_section(std::string section) : m_section(std::move(section)) {}

    void read(void* at, const config::value& v) const override {
        check_keys(v, m_section, section_registry::instance().keys(m_section));
        for (const section_parts::part* p : of(at)) p->from->fields.read_declared(p->values->parameters(), v);
    }
    config::value write(const void* at) const override {
        config::value all = config::value::map({});
        for (const section_parts::part* p : of(at)) {
            const config::value its = p->from->fields.write_from(p->values->parameters());
            for (const auto& [key, v] : its.entries()) all.set(key, v);
        }
        return all;
    }
    bool are_equal(const void* a, const void* b) const override {
        return flow_style(write(a)) == flow_style(write(b));
    }

  private:
    std::vector<const section_parts::part*> of(const void* at) const {
        std::vector<const section_parts::part*> its;
        for (const section_parts::part& p : static_cast<const section_parts*>(at)->all())
            if (p.from->section == m_section) its.push_back(&p);
        return its;
    }
    std::string m_section;
};

}  // namespace

section_registry& section_registry::instance() {
    static section_registry all;
    return all;
}

void section_registry::add(int order, entry e) {
    const std::vector<std::string> there = keys(e.section);
    for (const std::string& key : e.fields.names())
        if (std::find(there.begin(), there.end(), key) != there.end())
            config::name_taken("key of '" + e.section + "'", key);
    m_parts.emplace(order, std::move(e));
}

std::vector<std::string> section_registry::sections() const {
    std::vector<std::string> all;
    for (const auto& [order, e] : m_parts)
        if (std::find(all.begin(), all.end(), e.section) == all.end()) all.push_back(e.section);
    return all;
}

std::vector<std::string> section_registry::keys(const std::string& section) const {
    std::vector<std::string> all;
    for (const auto& [order, e] : m_parts)
        if (e.section == section)
            for (const std::string& key : e.fields.names()) all.push_back(key);
    return all;
}

std::vector<config::parameter_doc> section_registry::describe(const std::string& section) const {
    std::vector<config::parameter_doc> all;
    for (const auto& [order, e] : m_parts)
        if (e.section == section)
            for (const auto& doc : e.fields.describe_with(e.make()->parameters())) all.push_back(doc);
    return all;
}

std::string section_registry::sentence(const std::string& section) const {
    for (const auto& [order, e] : m_parts)
        if (e.section == section && !e.sentence.empty()) return e.sentence;
    return "";
}

section_parts::section_parts() {
    for (const auto& [order, e] : section_registry::instance().parts()) m_all.push_back({&e, e.make()});
}

section_parts::section_parts(const section_parts& other) {
    for (const part& p : other.m_all) m_all.push_back({p.from, p.values->copy()});
}

section_parts& section_parts::operator=(const section_parts& other) {
    if (this != &other) *this = section_parts(other);
    return *this;
}

config::any_member section_parts::member(const std::string& section) {
    return std::make_shared<brought_section>(section);
}

void section_parts::check(const config::value& experiment, const std::string& folder,
                          const section_parts* known) {
    for (const part& p : m_all) {
        const config::value* const section = experiment.find(p.from->section);
        p.values->at = section != nullptr ? section->where() : experiment.where();
        p.values->folder = folder;
        if (const section_part* const its = known != nullptr ? known->find(p.from) : nullptr)
            p.values->share(*its);
        p.values->check(section);
    }
}

const section_part* section_parts::find(const section_registry::entry* from) const {
    for (const part& p : m_all)
        if (p.from == from) return p.values.get();
    return nullptr;
}

std::pair<std::string, config::location> section_parts::of_runs() const {
    for (const part& p : m_all)
        if (p.values->is_of_runs() &&
            !p.from->fields.are_equal(p.values->parameters(), p.from->make()->parameters()))
            return {p.from->section, p.values->at};
    return {};
}

void section_parts::drop_what_needs_routers() {
    for (part& p : m_all)
        if (!p.values->needs_routers().empty()) p.values = p.from->make();
}

config::number_set section_parts::foreign_routers() const {
    config::number_set all;
    for (const part& p : m_all) {
        const config::number_set its = p.values->foreign_routers();
        all.all = all.all || its.all;
        all.ranges.insert(all.ranges.end(), its.ranges.begin(), its.ranges.end());
    }
    return all;
}

config::value section_parts::with_statistics(const config::value& named) const {
    std::vector<config::value> all;
    if (named.type() != config::value::kind::null) all = config::to_list(named, "statistics");
    for (const part& p : m_all)
        for (config::value& one : p.values->statistics()) all.push_back(std::move(one));
    return config::value::list(std::move(all), named.where());
}

double section_parts::clock_hertz() const {
    for (const part& p : m_all)
        if (const double hertz = p.values->clock_hertz(); hertz > 0) return hertz;
    return 0;
}

}  // namespace sare
