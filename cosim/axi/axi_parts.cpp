// SPDX-License-Identifier: Apache-2.0
#include "cosim/axi/axi_parts.h"

#include "cosim/cosim_params.h"
#include "cosim/pins/router_setting.h"
#include "cosim/rtl/rtl_build.h"
#include "tlm/base/bits.h"
#include "tlm/fabric/fabric.h"
#include "tlm/network/experiment.h"
#include "tlm/topology/topology.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace sare::axi {

struct axi_parts::end {
    axi_end_params what;
    bool manages = false;
    std::shared_ptr<cosim::rtl_library> library;  ///< null: Sare's own
    axi_node* node = nullptr;                     ///< owned by the network
    std::unique_ptr<clocked> module;
    sc_core::sc_signal<forward_pins> forward;
    sc_core::sc_signal<backward_pins> backward;
};

axi_parts::axi_parts(const experiment& e, cosim::rtl_speed speed, bool collect)
    : m_experiment(e), m_speed(speed), m_collect(collect), m_parts(e, speed) {
    for (const axi_end_params& p : e.sections.of<axi_params>().ends()) {
        m_ends.push_back(std::make_unique<end>());
        m_ends.back()->what = p;
        m_ends.back()->manages = p.rtl == "random";
    }
}

axi_parts::~axi_parts() = default;

foreign_maker axi_parts::maker(foreign_maker others) {
    if (empty()) return others;
    const auto nic = others.nic;
    others.nic = [this, nic](const auto& name, const block_context& context) {
        if (auto own = make(name, context)) return own;
        return nic ? nic(name, context) : nullptr;
    };
    return others;
}

cosim::rtl_request axi_parts::request_of(const axi_end_params& p) const {
    namespace fs = std::filesystem;
    const fs::path file = fs::absolute(fs::path(m_experiment.folder) / p.rtl);
    if (!fs::exists(file))
        throw config::error(
            p.at, "cosim.axi: " + file.string() + ": no such file; 'memory' and 'random' are Sare's own");
    cosim::rtl_request r;
    r.top = file.stem();
    r.sources = file.parent_path();
    r.arguments = p.verilator_args;
    r.speed = m_speed == cosim::rtl_speed::fast ? cosim::rtl_speed::checked : m_speed;  // with its assertions
    return r;
}

/// Finds what an end in RTL is, and widens the format to what its pins need.
void axi_parts::measure(end& one, format& all) const {
    const axi_end_params& p = one.what;
    one.library = cosim::rtl_library::get(request_of(p));
    const auto rtl = one.library->make();
    const auto pin = [&](const char* channel, const char* name) {
        return find_axi_pin(*rtl, p.prefix, channel, name);
    };
    const bool reads = pin("ar", "valid").exists();
    const char* const channel = reads ? "ar" : "aw";
    if (!pin(channel, "valid").exists())
        throw cosim::rtl_error("the module has no pin " + p.prefix + "arvalid or " + p.prefix +
                               "awvalid; write 'prefix: ' with the begin of the names of its AXI pins");
    one.manages = pin(channel, "valid").is_output();
    const std::uint32_t data = reads ? pin("r", "data").width() : pin("w", "data").width();
    if (all.data_width == 0) all.data_width = data;
    if (data != all.data_width)
        throw cosim::rtl_error(
            fmt::format("its data have {} bits, and those of another node {}; all nodes have the same", data,
                        all.data_width));
    if (!one.manages) return;
    for (const char* c : {"ar", "aw"}) {
        all.addr_width = std::max(all.addr_width, pin(c, "addr").width());
        all.id_width = std::max(all.id_width, pin(c, "id").width());
        all.user_width = std::max(all.user_width, pin(c, "user").width());
    }
}

/// Throws unless the memories' IDs hold the managers', and their addresses are apart.
void axi_parts::check_ends(const format& all) const {
    for (const auto& one : m_ends) {
        if (one->manages) continue;
        const region mine = one->what.memory();
        for (const auto& other : m_ends)
            if (const region its = other->what.memory();
                other != one && !other->manages && mine.first <= its.last && its.first <= mine.last)
                throw config::error(
                    one->what.at,
                    fmt::format("cosim.axi: memories at nodes {} and {} have the same addresses",
                                one->what.node, other->what.node));
        if (!one->library) continue;
        const auto rtl = one->library->make();
        const std::uint32_t wanted = all.id_width + all.node_width;
        for (const char* c : {"ar", "aw"})
            if (const std::uint32_t has = find_axi_pin(*rtl, one->what.prefix, c, "id").width();
                find_axi_pin(*rtl, one->what.prefix, c, "valid").exists() && has < wanted)
                throw config::error(
                    one->what.at,
                    fmt::format(
                        "cosim.axi: the memory at node {} has {} bits of {}id; its IDs are {{node, ID of the "
                        "manager}}, {} bits: set its parameter by verilator_args, such as -GIdWidth={}",
                        one->what.node, has, c, wanted, wanted));
    }
}

void axi_parts::add_to_network() {
    for (const auto& one : m_ends)
        if (!one->manages) m_manager.map.push_back(one->what.memory());
    for (const auto& one : m_ends) {
        subordinate_params s;
        s.widths = m_manager.widths;
        s.max_beats = m_manager.max_beats;
        s.read_beats = m_manager.read_beats;
        manager_params m = m_manager;
        m.keeps_order = one->what.keeps_order;
        m.per_id = m.keeps_order ? m.per_id : 1;
        if (one->manages)
            m_parts.add_manager(one->what.node, m, one->what.bridge);
        else
            m_parts.add_subordinate(one->what.node, s, one->what.bridge);
    }
}

/// Loads what is RTL, and says what the network's NICs and bridges are. Called once.
void axi_parts::prepare(const block_context& context) {
    m_clock = std::make_unique<sc_core::sc_clock>("axi_clock", context.engine.period(), 0.5,
                                                  context.engine.period() / 2);
    format& f = m_manager.widths;
    f = {12, 0, 1, 1, m_experiment.sections.of<cosim::cosim_params>().flit_width, 1, 1};
    m_manager.map.clear();
    const std::uint32_t classes = context.engine.net().view().classes();
    if (classes < 2)
        throw config::error(m_ends.front()->what.at,
                            "cosim.axi: requests and responses need a message class each: write 'classes: "
                            "{count: 2}', and as many VCs");
    f.request_classes = classes - 1;
    f.node_width = index_bits(context.map.nodes());
    for (const auto& one : m_ends) {
        m_manager.max_beats = std::max(m_manager.max_beats, one->what.max_beats);
        if (one->what.is_own()) {
            f.addr_width = std::max(f.addr_width, 32u);
            f.id_width = std::max(f.id_width, one->manages ? 4u : 1u);
            continue;
        }
        try {
            measure(*one, f);
        } catch (const cosim::rtl_error& problem) {
            throw config::error(one->what.at, "cosim.axi: " + one->what.rtl + ": " + problem.what());
        }
    }
    if (f.data_width == 0) f.data_width = 64;
    m_manager.read_beats = m_manager.write_beats = std::max(32u, m_manager.max_beats);
    check_ends(f);
    add_to_network();
}

cosim::violation_handler axi_parts::collector(std::uint32_t node) {
    if (!m_collect) return {};
    return [this, node](cycle_t t, const std::exception& problem) {
        if (m_first && m_first->cycle <= t) return;
        m_first.emplace();
        m_first->cycle = t;
        m_first->instance = fmt::format("AXI node {}", node);
        m_first->pin = problem.what();
        m_first->node = node;
    };
}

std::unique_ptr<foreign_block> axi_parts::make(const sc_core::sc_module_name& name,
                                               const block_context& context) {
    if (!m_clock) prepare(context);
    for (const auto& one : m_ends) {
        if (one->what.node != context.node) continue;
        m_parts.set_handler(collector(context.node));
        auto module = m_parts.maker().nic(name, context);
        one->node = dynamic_cast<axi_node*>(module.get());
        attach(*one);
        return module;
    }
    return nullptr;
}

template <class Module>
std::unique_ptr<Module> axi_parts::make_rtl(const std::string& name, end& one, std::uint32_t id_width) {
    try {
        auto module =
            std::make_unique<Module>(name.c_str(), one.library, m_manager.widths, id_width, one.what);
        module->set_handler(collector(one.what.node));
        return module;
    } catch (const cosim::rtl_error& problem) {
        throw config::error(one.what.at, "cosim.axi: " + one.what.rtl + ": " + problem.what());
    }
}

template <class Module, class Node>
void axi_parts::connect(std::unique_ptr<Module> module, Node& node, end& one) {
    module->clock(*m_clock);
    node.clock(*m_clock);
    if constexpr (std::is_same_v<Node, manager_node>) {
        module->out(one.forward);
        module->in(one.backward);
        node.from_manager(one.forward);
        node.to_manager(one.backward);
    } else {
        module->out(one.backward);
        module->in(one.forward);
        node.from_subordinate(one.backward);
        node.to_subordinate(one.forward);
    }
    one.module = std::move(module);
}

/// Makes what is at the pins of a node.
void axi_parts::attach(end& one) {
    const std::uint32_t node = one.what.node;
    const format& f = m_manager.widths;
    const std::string name = fmt::format("axi{}", node);
    constexpr stimulus_params at_once{0.5, 1, 1, 0.5, 0, 16};
    if (one.what.rtl == "random") {
        std::vector<random_manager::part> parts;
        const region own = one.what.memory();
        for (const region& r : m_manager.map) {
            const std::uint64_t first =
                (std::max(r.first, own.first) + page_bytes - 1) / page_bytes * page_bytes;
            const std::uint64_t last = std::min(r.last, own.last);
            if (first < last && last - first + 1 >= page_bytes)
                parts.push_back({first, (last - first + 1) / page_bytes * page_bytes});
        }
        if (parts.empty())
            throw config::error(
                one.what.at,
                fmt::format("cosim.axi: 'random' at node {}: its addresses have no 4 KiB of a memory", node));
        auto module = std::make_unique<manager_module>(
            name.c_str(), random_manager(m_manager, parts, at_once, m_experiment.seed, node));
        module->on_error = [&module = *module, tells = collector(node)](cycle_t t,
                                                                        const std::exception& wrong) {
            cosim::tell(module, tells, t, wrong);
        };
        if (std::any_of(m_ends.begin(), m_ends.end(),
                        [](const auto& e) { return !e->manages && e->library; }))
            module->manager.trust_only_written();
        return connect(std::move(module), m_parts.manager(node), one);
    }
    if (one.what.rtl == "memory")
        return connect(std::make_unique<memory_module>(
                           name.c_str(), random_memory(f, at_once, random_memory::write_order::none,
                                                       m_experiment.seed, node)),
                       m_parts.subordinate(node), one);
    if (one.manages) return connect(make_rtl<rtl_manager>(name, one, f.id_width), m_parts.manager(node), one);
    connect(make_rtl<rtl_memory>(name, one, f.id_width + f.node_width), m_parts.subordinate(node), one);
}

std::optional<cosim::divergence> axi_parts::first_divergence() const {
    return cosim::earlier(m_first, m_parts.first_divergence());
}

std::vector<std::string> axi_parts::done() const {
    std::vector<std::string> all;
    for (const auto& one : m_ends)
        if (one->node != nullptr)
            all.push_back(fmt::format("node {}, {}: {}, {} writes, {} reads{}", one->what.node, one->what.rtl,
                                      one->manages ? "manager" : "memory", one->node->rules().writes(),
                                      one->node->rules().reads(),
                                      one->node->rules().idle() ? "" : ", some open"));
    return all;
}

std::unique_ptr<cosim::attached_parts> attach(const experiment& e, cosim::rtl_speed speed, bool collect) {
    return std::make_unique<axi_parts>(e, speed, collect);
}

std::string axi_parts::libraries() const {
    std::string all;
    for (const auto& one : m_ends)
        if (!one->what.is_own())
            all += " " + std::filesystem::path(cosim::library_file(request_of(one->what))).stem().string();
    return all;
}

}  // namespace sare::axi
