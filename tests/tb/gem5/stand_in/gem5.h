// SPDX-License-Identifier: Apache-2.0
#pragma once
// Stand-in for what tb/gem5 uses of gem5: the same names, one event queue, and no more behaviour than the
// tests need. Every header of gem5 that tb/gem5 includes leads here.
#include <algorithm>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <map>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

// gem5 ends the program, and puts values into the text; here the text alone is thrown, with its strings.
namespace gem5 {
inline std::string said(const char* format) {
    return format;
}
template <class First, class... Rest>
std::string said(const char* format, const First& first, const Rest&... rest) {
    if constexpr (std::is_convertible_v<First, std::string>)
        return std::string(first) + ' ' + said(format, rest...);
    else
        return said(format, rest...);
}
}  // namespace gem5
#define fatal(...) throw std::runtime_error(gem5::said(__VA_ARGS__))
#define fatal_if(wrong, ...)           \
    do {                               \
        if (wrong) fatal(__VA_ARGS__); \
    } while (false)
#define PARAMS(type)                                \
    using Params = type##Params;                    \
    const Params& params() const {                  \
        return static_cast<const Params&>(_params); \
    }

namespace gem5 {

using Tick = std::uint64_t;
struct Cycles {
    explicit Cycles(Tick n) : count(n) {}
    Tick count;
};
namespace sim_clock {
inline Tick Frequency = 1'000'000'000'000;
}

class Event {
  public:
    static constexpr int Default_Pri = 0;
    Event(std::function<void()> f, int p) : m_what(std::move(f)), m_priority(p) {}
    bool scheduled() const { return m_scheduled; }
    Tick when() const { return m_when; }

  private:
    friend struct queue;
    std::function<void()> m_what;
    int m_priority;
    bool m_scheduled = false;
    Tick m_when = 0;
};

class EventFunctionWrapper : public Event {
  public:
    EventFunctionWrapper(std::function<void()> f, const std::string&, bool = false, int p = Default_Pri)
        : Event(std::move(f), p) {}
};

/// All events of the host, by tick, then by priority.
struct queue {
    Tick now = 0;
    std::set<std::tuple<Tick, int, Event*>> events;
    void put(Event& e, Tick when) {
        if (when < now) throw std::logic_error("an event in the past");
        if (e.m_scheduled) events.erase({e.m_when, e.m_priority, &e});
        e.m_when = when;
        e.m_scheduled = true;
        events.insert({when, e.m_priority, &e});
    }
    /// Runs events up to tick `end`. Returns false if none is left.
    bool run(Tick end) {
        while (!events.empty() && std::get<0>(*events.begin()) <= end) {
            Event* const e = std::get<2>(*events.begin());
            events.erase(events.begin());
            now = e->m_when;
            e->m_scheduled = false;
            e->m_what();
        }
        return !events.empty();
    }
};
inline queue host;
inline Tick curTick() {
    return host.now;
}

struct ClockedObjectParams {
    std::string name = "network";
    Tick clock = 1000;
};
class ClockedObject {
  public:
    explicit ClockedObject(const ClockedObjectParams& p) : _params(p) {}
    virtual ~ClockedObject() = default;
    virtual void init() {}
    virtual void regStats() {}
    const std::string& name() const { return _params.name; }
    Tick clockPeriod() const { return _params.clock; }
    Tick clockEdge(Cycles c = Cycles(0)) const {
        return ((host.now + _params.clock - 1) / _params.clock + c.count) * _params.clock;
    }
    void reschedule(Event& e, Tick when, bool) { host.put(e, when); }

  protected:
    const ClockedObjectParams& _params;
};

namespace statistics {
enum flags { total = 1, oneline = 2 };
/// Values of all statistics by name; those of vectors are sums.
inline std::map<std::string, std::function<double()>> dump;
struct Scalar {
    double value = 0;
    Scalar& name(const std::string& n) {
        dump[n] = [this] { return value; };
        return *this;
    }
    Scalar& desc(const std::string&) { return *this; }
    Scalar& operator=(double v) {
        value = v;
        return *this;
    }
};
struct Vector {
    std::vector<double> values;
    double sum() const {
        double all = 0;
        for (const double x : values) all += x;
        return all;
    }
    Vector& init(unsigned n) {
        values.resize(n);
        return *this;
    }
    Vector& name(const std::string& n) {
        dump[n] = [this] { return sum(); };
        return *this;
    }
    Vector& desc(const std::string&) { return *this; }
    Vector& flags(int) { return *this; }
    Vector& subname(unsigned, const std::string&) { return *this; }
    double& operator[](unsigned k) { return values[k]; }
};
struct Formula {
    std::function<double()> value;
    Formula& name(const std::string& n) {
        dump[n] = [this] { return value(); };
        return *this;
    }
};
inline Formula sum(const Vector& v) {
    return {[&v] { return v.sum(); }};
}
inline Formula operator/(const Formula& a, const Formula& b) {
    return {[a = a.value, b = b.value] { return a() / b(); }};
}
inline Formula operator+(const Formula& a, const Formula& b) {
    return {[a = a.value, b = b.value] { return a() + b(); }};
}
}  // namespace statistics

struct Packet {
    std::uint64_t address = 0;
    int data = 0;
};

namespace ruby {

using NodeID = unsigned;
using SwitchID = unsigned;
using PortDirection = std::string;
struct WriteMask {
    bool found = false;
};

enum MachineType { MachineType_L1Cache, MachineType_Directory, MachineType_NUM };
inline int caches = 0, directories = 0;  ///< number of controllers of each type
inline int MachineType_base_number(MachineType m) {
    return m == MachineType_L1Cache ? 0 : m == MachineType_Directory ? caches : caches + directories;
}
struct MachineID {
    MachineType type;
    NodeID num;
    MachineType getType() const { return type; }
    NodeID getNum() const { return num; }
};

class NetDest {
  public:
    void add(MachineID m) { m_ids.insert(static_cast<NodeID>(MachineType_base_number(m.type)) + m.num); }
    void removeNetDest(const NetDest& o) {
        for (const NodeID id : o.m_ids) m_ids.erase(id);
    }
    std::vector<NodeID> getAllDest() { return {m_ids.begin(), m_ids.end()}; }

  private:
    std::set<NodeID> m_ids;
};

enum MessageSizeType { MessageSizeType_Control, MessageSizeType_Data };

class Message;
using MsgPtr = std::shared_ptr<Message>;
class Message {
  public:
    explicit Message(Tick t) : m_time(t) {}
    virtual ~Message() = default;
    virtual MsgPtr clone() const = 0;
    virtual const MessageSizeType& getMessageSize() const = 0;
    virtual NetDest& getDestination() = 0;
    virtual bool functionalRead(Packet* p) = 0;
    virtual bool functionalRead(Packet* p, WriteMask& mask) = 0;
    virtual bool functionalWrite(Packet* p) = 0;
    Tick getTime() const { return m_time; }

  private:
    Tick m_time;
};

class Consumer {
  public:
    explicit Consumer(ClockedObject* o) : m_event([this] { wake(); }, Event::Default_Pri), m_object(o) {}
    virtual ~Consumer() = default;
    virtual void wakeup() = 0;
    virtual void print(std::ostream& out) const = 0;
    void scheduleEvent(Cycles c) { at(m_object->clockEdge(c)); }
    void scheduleEventAbsolute(Tick t) {
        const Tick clock = m_object->clockPeriod();
        at((t + clock - 1) / clock * clock);
    }

  private:
    void at(Tick t) {
        m_ticks.insert(t);
        host.put(m_event, *m_ticks.begin());
    }
    void wake() {
        m_ticks.erase(m_ticks.begin());
        wakeup();
        if (!m_ticks.empty()) host.put(m_event, *m_ticks.begin());
    }
    std::set<Tick> m_ticks;
    Event m_event;
    ClockedObject* m_object;
};

/// First in, first out. As in gem5, room that a dequeue makes shows in a later tick.
class MessageBuffer {
  public:
    explicit MessageBuffer(std::size_t size = 0) : m_size(size) {}
    void setConsumer(Consumer* c) { m_consumer = c; }
    bool isReady(Tick now) const {
        ++looks;
        return !m_messages.empty() && m_messages.begin()->first <= now;
    }
    mutable std::size_t looks = 0;  ///< number of calls of isReady()
    const MsgPtr& peekMsgPtr() const { return m_messages.begin()->second; }
    bool areNSlotsAvailable(unsigned n, Tick now) const {
        const std::size_t hidden = m_popped_at == now ? m_popped : 0;
        return m_size == 0 || m_messages.size() + hidden + n <= m_size;
    }
    void enqueue(const MsgPtr& m, Tick now, Tick delta) {
        if (delta == 0) throw std::logic_error("a delta of zero");
        if (m_size != 0 && m_messages.size() >= m_size) throw std::logic_error("a full MessageBuffer");
        m_messages.emplace(now + delta, m);
        if (m_consumer != nullptr) m_consumer->scheduleEventAbsolute(now + delta);
    }
    void dequeue(Tick now) {
        m_messages.erase(m_messages.begin());
        m_popped = m_popped_at == now ? m_popped + 1 : 1;
        m_popped_at = now;
        if (m_callback) m_callback();
    }
    void registerDequeueCallback(std::function<void()> f) { m_callback = std::move(f); }

  private:
    std::size_t m_size;
    Consumer* m_consumer = nullptr;
    std::multimap<Tick, MsgPtr> m_messages;
    std::size_t m_popped = 0;
    Tick m_popped_at = ~Tick{0};
    std::function<void()> m_callback;
};

struct BasicRouterParams {
    int router_id = 0;
};
struct AbstractController {
    MachineID id;
    MachineID getMachineID() const { return id; }
};
template <class P>
struct with_params {
    P p;
    const P& params() const { return p; }
};
using BasicRouter = with_params<BasicRouterParams>;
struct BasicExtLinkParams {
    AbstractController* ext_node = nullptr;
    BasicRouter* int_node = nullptr;
};
using BasicExtLink = with_params<BasicExtLinkParams>;
class BasicLink;

}  // namespace ruby

struct RubyNetworkParams : ClockedObjectParams {
    unsigned number_of_virtual_networks = 3;
    std::vector<ruby::BasicExtLink*> ext_links;
};
struct SareNetworkParams : RubyNetworkParams {
    std::string experiment;
    std::vector<unsigned> nodes;
    unsigned source_queue = 4;
};

namespace ruby {

class Network : public ClockedObject {
  public:
    PARAMS(RubyNetwork)
    explicit Network(const Params& p)
        : ClockedObject(p),
          m_nodes(static_cast<unsigned>(p.ext_links.size())),
          m_toNetQueues(m_nodes),
          m_fromNetQueues(m_nodes),
          m_ordered(p.number_of_virtual_networks) {
        m_virtual_networks = p.number_of_virtual_networks;
    }
    static unsigned getNumberOfVirtualNetworks() { return m_virtual_networks; }
    static unsigned MessageSizeType_to_int(MessageSizeType t) {
        return t == MessageSizeType_Control ? 8 : 72;
    }
    NodeID getLocalNodeID(NodeID global) const { return global; }
    void setToNetQueue(NodeID id, bool ordered, unsigned vnet, const std::string&, MessageBuffer* b) {
        set(m_toNetQueues[id], ordered, vnet, b);
    }
    void setFromNetQueue(NodeID id, bool ordered, unsigned vnet, const std::string&, MessageBuffer* b) {
        set(m_fromNetQueues[id], ordered, vnet, b);
    }
    virtual void makeExtOutLink(SwitchID, NodeID, BasicLink*, std::vector<NetDest>&) = 0;
    virtual void makeExtInLink(NodeID, SwitchID, BasicLink*, std::vector<NetDest>&) = 0;
    virtual void makeInternalLink(SwitchID, SwitchID, BasicLink*, std::vector<NetDest>&, PortDirection,
                                  PortDirection) = 0;
    virtual void collateStats() = 0;
    virtual void print(std::ostream& out) const = 0;
    virtual bool functionalRead(Packet*) { return false; }
    virtual bool functionalRead(Packet*, WriteMask&) { return false; }
    virtual std::uint32_t functionalWrite(Packet*) { return 0; }

  protected:
    void set(std::vector<MessageBuffer*>& queues, bool ordered, unsigned vnet, MessageBuffer* b) {
        if (queues.size() <= vnet) queues.resize(vnet + 1);
        queues[vnet] = b;
        if (ordered) m_ordered[vnet] = true;
    }
    unsigned m_nodes;
    inline static unsigned m_virtual_networks = 0;
    std::vector<std::vector<MessageBuffer*>> m_toNetQueues, m_fromNetQueues;
    std::vector<bool> m_ordered;
};

}  // namespace ruby
}  // namespace gem5
