// SPDX-License-Identifier: Apache-2.0
#include "tests/tb/bridge/simics_stub/fake_simics.h"

#include <simics/devs/ethernet.h>
#include <simics/libfollower.h>
#include <simics/simulator-iface/follower.h>
#include <simics/simulator-iface/link-endpoint.h>
#include <unistd.h>

#include <cstring>
#include <map>
#include <mutex>
#include <stdexcept>

using sare::testing_support::fake_simics;

struct conf_class {
    std::string name;
    class_info_t info{};
    std::map<std::string, const void*> interfaces;
    std::map<std::string, set_error_t (*)(conf_object_t*, attr_value_t*)> attributes;
};

struct simics_follower {
    fake_simics* simics = nullptr;
};

namespace sare::testing_support {
namespace {

std::map<std::string, conf_class>& classes() {
    static std::map<std::string, conf_class> all;
    return all;
}

/// Of all threads.
struct register_of_ports {
    std::mutex guard;
    std::map<int, fake_simics*> all;
};
register_of_ports& ports() {
    static register_of_ports p;
    return p;
}

void add_class(const char* name, std::map<std::string, const void*> interfaces) {
    conf_class& c = classes()[name];
    c.name = name;
    c.interfaces = std::move(interfaces);
}

}  // namespace

fake_simics& simics_of(const conf_object* o) {
    return *static_cast<const fake_simics::thing*>(o)->simics;
}

namespace {

void send(conf_object_t* leader, follower_time_t time, uint64 key, bytes_t m) {
    simics_of(leader).to_follower(time.lo, key, std::string(reinterpret_cast<const char*>(m.data), m.len));
}
void frame(conf_object_t* endpoint, const frags_t* f, eth_frame_crc_status_t) {
    simics_of(endpoint).to_computer(std::string(reinterpret_cast<const char*>(f->bytes), f->len));
}
follower_time_t delivery_time(conf_object_t* endpoint) {
    return follower_time_from_ps(0, simics_of(endpoint).delivery_time());
}
uint64 delivery_key(conf_object_t* endpoint) {
    return simics_of(endpoint).delivery_key();
}

void load_module() {
    static const leader_message_interface_t leader{send, nullptr};
    static const ethernet_common_interface_t ethernet{frame};
    static const link_endpoint_v2_interface_t endpoint{delivery_time, delivery_key};
    add_class("leader", {{LEADER_MESSAGE_INTERFACE, &leader}});
    add_class("endpoint", {{ETHERNET_COMMON_INTERFACE, &ethernet}, {LINK_ENDPOINT_V2_INTERFACE, &endpoint}});
    init_local();
}

}  // namespace

fake_simics::fake_simics(int port) : m_port(port) {
    static const bool loaded = (load_module(), true);
    (void)loaded;
    m_leader.stub_class = stub_class("leader");
    m_endpoint.stub_class = stub_class("endpoint");
    m_leader.simics = m_endpoint.simics = this;
    m_agent = stub_new(stub_class("sare_bridge_agent"));
    if (stub_set(m_agent, "leader", &m_leader) != Sim_Set_Ok ||
        stub_set(m_agent, "link", &m_endpoint) != Sim_Set_Ok)
        throw std::runtime_error("the agent does not take its leader or its link");
    if (pipe(m_ready) != 0) throw std::runtime_error("no pipe");
    const std::lock_guard<std::mutex> lock(ports().guard);
    ports().all[port] = this;
}

fake_simics::~fake_simics() {
    stub_info(m_agent)->dealloc(m_agent);
    for (const int fd : m_ready) close(fd);
    const std::lock_guard<std::mutex> lock(ports().guard);
    ports().all.erase(m_port);
}

fake_simics* fake_simics::at(int port) {
    const std::lock_guard<std::mutex> lock(ports().guard);
    const auto found = ports().all.find(port);
    return found == ports().all.end() ? nullptr : found->second;
}

void fake_simics::say(event e) {
    m_events.push_back(std::move(e));
    if (write(m_ready[1], "x", 1) != 1) throw std::runtime_error("the pipe is full");
}

fake_simics::event fake_simics::next() {
    char x = 0;
    if (read(m_ready[0], &x, 1) != 1) throw std::runtime_error("there is nothing to be said");
    event e = m_events.front();
    m_events.pop_front();
    return e;
}

void fake_simics::proceed() {
    say({event::kind::report_at, m_now + latency, 0, ""});
    say({event::kind::limit, m_now + latency, 0, ""});
}

void fake_simics::take_report(std::uint64_t time) {
    reports.push_back(time);
    m_now = time;
    proceed();
}

/// From the follower: its agent gets it at once.
void fake_simics::take_message(std::uint64_t time, const std::string& bytes) {
    m_now = time;
    const auto* i = static_cast<const follower_agent_interface_t*>(
        SIM_c_get_interface(m_agent, FOLLOWER_AGENT_INTERFACE));
    i->accept(m_agent, {reinterpret_cast<const uint8*>(bytes.data()), bytes.size()});
}

void fake_simics::to_follower(std::uint64_t time, std::uint64_t key, const std::string& bytes) {
    say({event::kind::message, time, key, bytes});
}

void fake_simics::to_computer(const std::string& bytes) {
    received(m_now + latency, bytes.substr(0, bytes.size() - 4));
}

void fake_simics::send(std::uint64_t time, const std::string& bytes, int crc) {
    frags_t f;
    const std::string with_crc = bytes + "crc!";
    frags_init_add(&f, with_crc.data(), with_crc.size());
    m_delivery = time + latency;
    ++m_key;
    const auto* i = static_cast<const ethernet_common_interface_t*>(
        SIM_c_get_interface(m_agent, ETHERNET_COMMON_INTERFACE));
    i->frame(m_agent, &f, static_cast<eth_frame_crc_status_t>(crc));
}

}  // namespace sare::testing_support

using namespace sare::testing_support;

extern "C" {

conf_class_t* SIM_create_class(const char* name, const class_info_t* info) {
    conf_class& c = classes()[name];
    c.name = name;
    c.info = *info;
    return &c;
}
int SIM_register_interface(conf_class_t* cls, const char* name, const void* iface) {
    cls->interfaces[name] = iface;
    return 0;
}
void SIM_register_attribute(conf_class_t* cls, const char* name, attr_value_t (*)(conf_object_t*),
                            set_error_t (*set)(conf_object_t*, attr_value_t*), attr_attr_t, const char*,
                            const char*) {
    cls->attributes[name] = set;
}
const void* SIM_c_get_interface(const conf_object_t* obj, const char* name) {
    const auto found = obj->stub_class->interfaces.find(name);
    return found == obj->stub_class->interfaces.end() ? nullptr : found->second;
}
attr_value_t SIM_make_attr_object(conf_object_t* obj) {
    return {obj};
}
conf_object_t* SIM_attr_object(attr_value_t value) {
    return value.object;
}
void stub_log(const conf_object_t*, const char*, ...) {}

conf_object_t* stub_new(const conf_class_t* cls) {
    conf_object_t* o = cls->info.alloc(const_cast<conf_class_t*>(cls));
    o->stub_class = cls;
    return o;
}
const class_info_t* stub_info(const conf_object_t* obj) {
    return &obj->stub_class->info;
}
conf_class_t* stub_class(const char* name) {
    return &classes().at(name);
}
set_error_t stub_set(conf_object_t* obj, const char* attribute, conf_object_t* value) {
    attr_value_t v{value};
    return obj->stub_class->attributes.at(attribute)(obj, &v);
}

void frags_init_add(frags_t* f, const void* data, size_t len) {
    f->len = 0;
    frags_add(f, data, len);
}
void frags_add(frags_t* f, const void* data, size_t len) {
    std::memcpy(f->bytes + f->len, data, len);
    f->len += len;
}
size_t frags_len(const frags_t* f) {
    return f->len;
}
void frags_extract_slice(const frags_t* f, void* to, size_t offset, size_t len) {
    std::memcpy(to, f->bytes + offset, len);
}

simics_follower_t* new_simics_follower() {
    return new simics_follower;
}
void destroy_simics_follower(simics_follower_t* ss) {
    delete ss;
}
bool simics_follower_connect(simics_follower_t* ss, const char*, int port) {
    ss->simics = fake_simics::at(port);
    if (ss->simics != nullptr) ss->simics->begin();
    return ss->simics != nullptr;
}
int simics_follower_descriptor(simics_follower_t* ss) {
    return ss->simics->descriptor();
}
void handle_simics_message(simics_follower_t* ss, const simics_follower_ops_t* ops, void* param) {
    const fake_simics::event e = ss->simics->next();
    const follower_time_t time = follower_time_from_ps(0, e.time);
    using kind = fake_simics::event::kind;
    if (e.what == kind::limit) ops->proceed_to(param, time);
    if (e.what == kind::report_at) ops->report_at(param, time);
    if (e.what == kind::bye) ops->bye(param);
    if (e.what == kind::message)
        ops->accept_message(param, time, e.key, reinterpret_cast<const uint8_t*>(e.bytes.data()),
                            static_cast<int>(e.bytes.size()));
}
void simics_follower_report(simics_follower_t* ss, follower_time_t time) {
    ss->simics->take_report(time.lo);
}
void simics_follower_send_message(simics_follower_t* ss, follower_time_t now, const uint8_t* data,
                                  unsigned length) {
    ss->simics->take_message(now.lo, std::string(reinterpret_cast<const char*>(data), length));
}

}  // extern "C"
