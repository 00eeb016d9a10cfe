// SPDX-License-Identifier: Apache-2.0
#include "traffic/protocol/declaration.h"

#include "traffic/gap/gap.h"
#include "traffic/length/length.h"
#include "traffic/spatial/pattern.h"

#include <algorithm>
#include <sstream>

namespace sare::traffic {
namespace {

constexpr const char* role_names[] = {"requester", "home", "owner", "memory", "sharers"};

config::schema<message_kind> message_fields() {
    config::schema<message_kind> s;
    s.number("class", &message_kind::message_class, 0, 15, "", "message class")
        .raw("length", &message_kind::length, "length", "flits of a message, headers included",
             resolve_length)
        .number("service", &message_kind::service, 0, 1e9, "cycles",
                "from its turn at the node that gets it until it has been handled");
    return s;
}

/// A kind of transactions as the configuration has it.
struct written_transaction {
    double weight = 1;
    std::vector<std::string> steps;

    static config::schema<written_transaction> fields() {
        config::schema<written_transaction> s;
        s.number("weight", &written_transaction::weight, 0, 1e9, "", "relative frequency")
            .texts("steps", &written_transaction::steps,
                   "'KIND ROLE' or 'KIND ROLE on KIND ...': a message of a kind to a role, sent when the "
                   "messages of those kinds have been handled; without 'on', of the step before");
        return s;
    }
};

/// Returns the entries of `base`, which may be null, and of `changes`, maps of sections, the latter key by
/// key. What is no map stands for the key `usual` of one.
config::value changed(const config::value* base, const config::value& changes, const char* name,
                      const char* usual) {
    config::value all = config::value::map({}, changes.where());
    for (const config::value* from : {base, &changes}) {
        if (from == nullptr || from->type() == config::value::kind::null) continue;
        if (from->type() != config::value::kind::map)
            throw config::error(from->where(), std::string("'") + name + "' must be a map by name");
        for (const auto& [kind, one] : from->entries()) {
            const config::value* known = all.find(kind);
            config::value its = config::value::map({}, one.where());
            if (known != nullptr)
                for (const auto& [key, v] : known->entries()) its.set(key, v);
            if (one.type() != config::value::kind::map) its.set(usual, one);
            for (const auto& [key, v] : one.entries()) its.set(key, v);
            all.set(kind, std::move(its));
        }
    }
    return all;
}

/// Reads the steps of a transaction.
class step_reader {
  public:
    step_reader(const std::vector<message_kind>& messages, const config::value& section, std::string name)
        : m_messages(messages), m_section(section), m_name(std::move(name)) {}

    void add(const std::string& text) {
        std::istringstream words(text);
        std::string kind, to, on;
        if (!(words >> kind >> to) || ((words >> on) && on != "on"))
            wrong("the step '" + text + "' is not 'KIND ROLE' or 'KIND ROLE on KIND ...'");
        protocol_step s;
        s.kind = choose(kind, "kind of messages", m_messages, [](const auto& m) { return m.name; });
        s.to = static_cast<role>(choose(to, "role", role_names, [](const char* n) { return n; }));
        for (const protocol_step& other : m_steps)
            if (other.kind == s.kind) wrong("has two steps '" + kind + "'; give one a kind of its own");
        for (std::string cause; words >> cause;) s.on.push_back(step_of(cause, kind));
        if (on.empty() != s.on.empty()) wrong("the step '" + text + "' names no kind behind 'on'");
        if (m_steps.size() == 256) wrong("has more than 256 steps");
        if (s.on.empty() && !m_steps.empty()) s.on = {static_cast<std::uint32_t>(m_steps.size() - 1)};
        if (!s.on.empty()) s.from = m_steps[s.on.front()].to;
        for (const std::uint32_t cause : s.on)
            if (m_steps[cause].to != s.from) wrong("'" + kind + "' is sent on messages to several roles");
        if (s.from == role::sharers && (s.to == role::sharers || s.on.size() > 1))
            wrong("'" + kind + "' is sent by each sharer on one message, and to one node");
        m_steps.push_back(std::move(s));
    }
    std::vector<protocol_step> steps() {
        if (!transaction_kind{"", 1, m_steps}.has(role::requester))
            wrong("has no step to 'requester', which would never know of its end");
        return std::move(m_steps);
    }

  private:
    [[noreturn]] void wrong(const std::string& what) const {
        throw config::error(m_section.where(), "transaction '" + m_name + "': " + what);
    }
    template <class All, class Name>
    std::uint32_t choose(const std::string& word, const std::string& what, const All& all,
                         const Name& name_of) const {
        std::vector<std::string> words;
        for (const auto& one : all) words.emplace_back(name_of(one));
        return static_cast<std::uint32_t>(config::choose_word(config::value::scalar(word, m_section.where()),
                                                              what + " of '" + m_name + "'", words));
    }
    std::uint32_t step_of(const std::string& kind, const std::string& of) const {
        for (std::uint32_t s = 0; s < m_steps.size(); ++s)
            if (m_messages[m_steps[s].kind].name == kind) return s;
        wrong("'" + of + "' is sent on '" + kind + "', which is none of the steps before it");
    }

    const std::vector<message_kind>& m_messages;
    const config::value& m_section;
    std::string m_name;
    std::vector<protocol_step> m_steps;
};

}  // namespace

const char* to_string(role r) {
    return role_names[static_cast<std::size_t>(r)];
}

bool transaction_kind::has(role r) const {
    return std::any_of(steps.begin(), steps.end(), [r](const protocol_step& s) { return s.to == r; });
}

config::schema<protocol_parameters> protocol_parameters::fields() {
    using p = protocol_parameters;
    const auto resolve_think = [](const config::value& v) {
        return v.type() == config::value::kind::null ? v : resolve_gaps(v);
    };
    const auto pattern = [](const config::value& v) { return pattern_registry::instance().resolve(v); };
    config::schema<p> s;
    s.choice(
         "preset", &p::base,
         {{"none", preset::none}, {"mesi_directory", preset::mesi_directory}, {"chi_like", preset::chi_like}},
         "protocol that 'messages' and 'transactions' change")
        .sections("messages", &p::messages, message_fields().describe(),
                  "kinds of messages by name; a number alone is a class")
        .sections("transactions", &p::transactions, written_transaction::fields().describe(),
                  "kinds of transactions by name")
        .number("outstanding", &p::outstanding, 1, 1 << 16, "transactions",
                "of a requester at a time, at most")
        .raw("think", &p::think, "gaps",
             "cycles from the end of a transaction to the next one in its place; left out: 0", resolve_think)
        .number("count", &p::count, 0, 1e15, "transactions", "of each requester, then it ends; 0: no end")
        .number(
            "buffer", &p::buffer, 0, 1 << 24, "messages",
            "of a class that a node holds: so many that have come, and so many that wait to leave; 0: any "
            "number")
        .number("classes", &p::classes, 0, 16, "",
                "message classes at most: what is above goes in the last one; 0: as the messages say")
        .raw("sharers", &p::sharers, "length", "number of sharers: a number, or a law as for 'length'",
             resolve_length)
        .numbers("requesters", &p::requesters, "nodes that begin transactions")
        .of_places("node")
        .raw("home", &p::home, "pattern", "the home, seen from the requester", pattern)
        .raw("owner", &p::owner, "pattern", "the owner, and each sharer, seen from the requester", pattern)
        .raw("memory", &p::memory, "pattern", "the memory, seen from the home", pattern);
    return s;
}

protocol_machine protocol_parameters::machine(const config::value& section) const {
    const config::value from = section_of(base);
    const config::value kinds = changed(from.find("messages"), messages, "messages", "class");
    const config::value all = changed(from.find("transactions"), transactions, "transactions", "steps");
    protocol_machine m;
    for (const auto& [name, one] : kinds.entries()) {
        message_kind w;
        w.name = name;
        message_fields().read(one, w, "message '" + name + "'");
        if (classes != 0) w.message_class = std::min(w.message_class, classes - 1);
        m.messages.push_back(w);
        m.classes = std::max(m.classes, w.message_class + 1);
    }
    double weights = 0;
    for (const auto& [name, one] : all.entries()) {
        written_transaction w;
        written_transaction::fields().read(one, w, "transaction '" + name + "'");
        step_reader steps(m.messages, one, name);
        for (const std::string& s : w.steps) steps.add(s);
        if (w.weight > 0) m.transactions.push_back({name, w.weight, steps.steps()});
        weights += w.weight;
    }
    if (weights <= 0)
        throw config::error(section.where(),
                            "workload 'protocol' needs a 'preset', or 'messages' and 'transactions' of which "
                            "one has a weight above 0");
    return m;
}

}  // namespace sare::traffic
