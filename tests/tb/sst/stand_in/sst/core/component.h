// SPDX-License-Identifier: Apache-2.0
#pragma once
// A stand-in for what tb/sst uses of sst-core 16: components, links with latencies, untimed phases and one
// event queue. Its documentation macros and checkpoints do nothing; tb/sst/try has the real ones.
#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#define SST_ELI_ELEMENT_VERSION(...)
#define SST_ELI_REGISTER_COMPONENT(...)
#define SST_ELI_REGISTER_SUBCOMPONENT(...)
#define SST_ELI_DOCUMENT_PARAMS(...)
#define SST_ELI_DOCUMENT_PORTS(...)
#define SST_ELI_DOCUMENT_STATISTICS(...)
#define SST_ELI_IS_CHECKPOINTABLE()
#define SST_SER(member) ((void)ser, (void)(member))
#define ImplementSerializable(...)
#define CALL_INFO 0

namespace SST {

using ComponentId_t = std::uint64_t;
using SimTime_t = std::uint64_t;

namespace Core::Serialization {
class serializer {
  public:
    enum mode_t { SIZER, PACK, UNPACK };
    mode_t mode() const { return SIZER; }
};
class serializable {
  public:
    virtual ~serializable() = default;
    virtual void serialize_order(serializer&) {}
};
}  // namespace Core::Serialization

template <class Result, class Argument>
class SSTHandlerBase {
  public:
    virtual ~SSTHandlerBase() = default;
    virtual Result operator()(Argument a) = 0;
};
template <class Result, class Argument, class Object, class Data, auto function>
class SSTHandler final : public SSTHandlerBase<Result, Argument> {
  public:
    SSTHandler(Object* o, Data d) : m_object(o), m_data(d) {}
    Result operator()(Argument a) override { return (m_object->*function)(a, m_data); }

  private:
    Object* m_object;
    Data m_data;
};
template <class Result, class Argument, class Object, auto function>
class SSTHandler<Result, Argument, Object, void, function> final : public SSTHandlerBase<Result, Argument> {
  public:
    explicit SSTHandler(Object* o) : m_object(o) {}
    Result operator()(Argument a) override { return (m_object->*function)(a); }

  private:
    Object* m_object;
};

class Event : public Core::Serialization::serializable {
  public:
    using HandlerBase = SSTHandlerBase<void, Event*>;
    template <class Object, auto function, class Data = void>
    using Handler = SSTHandler<void, Event*, Object, Data, function>;
    virtual Event* clone() { return nullptr; }
};

/// A number with a unit: "1kB", "500 ps", "8b/s".
class UnitAlgebra {
  public:
    UnitAlgebra() = default;
    explicit UnitAlgebra(const std::string& text) {
        std::size_t end = 0;
        m_value = std::stod(text, &end);
        while (end < text.size() && std::isspace(static_cast<unsigned char>(text[end])) != 0) ++end;
        m_unit = text.substr(end);
        static const std::map<char, double> prefixes = {{'p', 1e-12}, {'n', 1e-9}, {'u', 1e-6}, {'m', 1e-3},
                                                        {'k', 1e3},   {'M', 1e6},  {'G', 1e9}};
        const auto prefix = prefixes.find(m_unit.empty() ? ' ' : m_unit[0]);
        if (m_unit.size() < 2 || prefix == prefixes.end()) return;
        m_value *= prefix->second;
        m_unit.erase(0, 1);
    }
    bool hasUnits(const std::string& unit) const { return m_unit == unit; }
    std::int64_t getRoundedValue() const { return std::llround(m_value); }
    double getDoubleValue() const { return m_value; }
    std::string toString() const { return std::to_string(m_value) + m_unit; }
    std::string toStringBestSI() const { return toString(); }

  private:
    double m_value = 0;
    std::string m_unit;
};

class Params {
  public:
    Params(std::map<std::string, std::string> all) : m_all(std::move(all)) {}
    template <class T>
    T find(const std::string& name, const T& otherwise) const {
        const auto it = m_all.find(name);
        if (it == m_all.end()) return otherwise;
        if constexpr (std::is_same_v<T, std::string>) return it->second;
        if constexpr (std::is_same_v<T, bool>) return it->second == "true";
        if constexpr (std::is_arithmetic_v<T>) return static_cast<T>(std::stoll(it->second));
    }

  private:
    std::map<std::string, std::string> m_all;
};

class Output {
  public:
    [[noreturn]] void fatal(int, int, const char* format, ...) {
        va_list all;
        va_start(all, format);
        const std::string text = print(format, all);
        va_end(all);
        throw std::runtime_error(text);
    }
    void output(const char* format, ...) {
        va_list all;
        va_start(all, format);
        written += print(format, all);
        va_end(all);
    }
    static Output& getDefaultObject() {
        static Output all;
        return all;
    }
    std::string written;

  private:
    static std::string print(const char* format, va_list all) {
        char text[2000];
        std::vsnprintf(text, sizeof text, format, all);
        return text;
    }
};

namespace Statistics {
template <class T>
class Statistic {
  public:
    void addData(T x) { sum += x, ++count; }
    T sum = 0, count = 0;
};
}  // namespace Statistics

class Simulation;

/// One end of a link.
class Link {
  public:
    void send(SimTime_t delay, Event* e);
    void send(Event* e) { send(0, e); }
    void sendUntimedData(Event* e) { peer->m_next.push_back(e); }
    Event* recvUntimedData() {
        if (m_untimed.empty()) return nullptr;
        Event* e = m_untimed.front();
        m_untimed.pop_front();
        return e;
    }
    void next_phase() {
        m_untimed.insert(m_untimed.end(), m_next.begin(), m_next.end());
        m_next.clear();
    }
    Link* peer = nullptr;
    SimTime_t latency = 0;
    unsigned number = 0;
    std::unique_ptr<Event::HandlerBase> handler;
    Simulation* simulation = nullptr;

  private:
    std::deque<Event*> m_untimed, m_next;
};

/// The event queue. Events of one time are handled by order of links, which `order` may shuffle, and on each
/// link as they were sent.
class Simulation {
  public:
    Simulation() { here() = this; }
    ~Simulation() {
        for (const auto& [key, e] : m_events) delete e.second;
    }
    Simulation(const Simulation&) = delete;
    static Simulation*& here() {
        thread_local Simulation* s = nullptr;
        return s;
    }
    /// Links port `a` of component `x` to port `b` of component `y`.
    void connect(ComponentId_t x, const std::string& a, ComponentId_t y, const std::string& b,
                 SimTime_t latency) {
        Link *one = make(x, a), *other = make(y, b);
        one->peer = other, other->peer = one;
        one->latency = other->latency = latency;
    }
    Link* find(ComponentId_t c, const std::string& port) {
        const auto it = m_links.find({c, port});
        return it == m_links.end() ? nullptr : it->second.get();
    }
    Link* make(ComponentId_t c, const std::string& port) {
        auto& link = m_links[{c, port}];
        link = std::make_unique<Link>();
        link->peer = link.get();
        link->simulation = this;
        link->number = static_cast<unsigned>(m_links.size());
        return link.get();
    }
    void next_phase() {
        for (const auto& [key, link] : m_links) link->next_phase();
    }
    void post(SimTime_t at, Link* to, Event* e) {
        m_events.emplace(std::make_tuple(at, to->number * 7919U % order, m_number++), std::make_pair(to, e));
    }
    /// Handles the events before `end`. Returns false if there are no others.
    bool run(SimTime_t end) {
        while (!m_events.empty() && std::get<0>(m_events.begin()->first) < end) {
            const auto [key, e] = *m_events.begin();
            m_events.erase(m_events.begin());
            now = std::get<0>(key);
            (*e.first->handler)(e.second);
        }
        return !m_events.empty();
    }
    SimTime_t now = 0;        ///< in ps
    unsigned order = 104729;  ///< a prime
    Output output;
    std::map<std::pair<ComponentId_t, std::string>, Statistics::Statistic<std::uint64_t>> statistics;

  private:
    std::map<std::pair<ComponentId_t, std::string>, std::unique_ptr<Link>> m_links;
    std::map<std::tuple<SimTime_t, unsigned, std::uint64_t>, std::pair<Link*, Event*>> m_events;
    std::uint64_t m_number = 0;
};

inline void Link::send(SimTime_t delay, Event* e) {
    simulation->post(simulation->now + latency + delay, peer, e);
}

class BaseComponent : public Core::Serialization::serializable {
  public:
    BaseComponent() = default;
    explicit BaseComponent(ComponentId_t id) : m_id(id), m_simulation(Simulation::here()) {}
    virtual void init(unsigned) {}
    virtual void complete(unsigned) {}
    virtual void setup() {}
    virtual void finish() {}

  protected:
    std::string getName() const { return "component" + std::to_string(m_id); }
    Output& getSimulationOutput() const { return m_simulation->output; }
    SimTime_t getCurrentSimCycle() const { return m_simulation->now; }
    SimTime_t getCurrentSimTimeNano() const { return m_simulation->now / 1000; }
    UnitAlgebra getCoreTimeBase() const { return UnitAlgebra("1ps"); }
    bool isAnonymous() const { return false; }
    bool isPortConnected(const std::string& port) const { return m_simulation->find(m_id, port) != nullptr; }
    Link* configureLink(const std::string& port, Event::HandlerBase* h) {
        Link* link = m_simulation->find(m_id, port);
        if (link == nullptr)
            delete h;
        else
            link->handler.reset(h);
        return link;
    }
    Link* configureSelfLink(const std::string& name, const std::string&, Event::HandlerBase* h) {
        m_simulation->make(m_id, name);
        return configureLink(name, h);
    }
    template <class T>
    Statistics::Statistic<T>* registerStatistic(const std::string& name) {
        return &m_simulation->statistics[{m_id, name}];
    }

  private:
    ComponentId_t m_id = 0;
    Simulation* m_simulation = nullptr;
};

class Component : public BaseComponent {
    using BaseComponent::BaseComponent;
};
class SubComponent : public BaseComponent {
    using BaseComponent::BaseComponent;
};

}  // namespace SST
