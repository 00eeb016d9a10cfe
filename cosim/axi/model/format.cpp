// SPDX-License-Identifier: Apache-2.0
#include "cosim/axi/model/format.h"

#include <fmt/format.h>

namespace sare::axi {
namespace {

/// Visits the fields of AR and AW after the ID, in the order of their bits.
template <class Address, class F>
void for_fields(const format& f, Address& a, F&& field) {
    field(a.addr, f.addr_width);
    field(a.len, 8u);
    field(a.size, 3u);
    field(a.burst, 2u);
    field(a.lock, 1u);
    field(a.cache, 4u);
    field(a.prot, 3u);
    field(a.qos, 4u);
    field(a.region, 4u);
    field(a.user, f.user_width);
}

/// Returns a Verilog literal of several numbers side by side, the first one lowest.
template <class F>
std::string joined(const std::vector<region>& map, std::uint32_t width, F&& value) {
    std::string digits;
    const auto bit = [&](std::size_t k) { return (value(map[k / width]) >> (k % width) & 1) != 0; };
    const std::size_t bits = map.size() * width;
    for (std::size_t lsb = 0; lsb < bits; lsb += 4) {
        int digit = 0;
        for (std::size_t k = lsb; k < lsb + 4 && k < bits; ++k)
            digit |= static_cast<int>(bit(k)) << (k - lsb);
        digits.insert(digits.begin(), "0123456789abcdef"[digit]);
    }
    return fmt::format("{}'h{}", bits, digits);
}

}  // namespace

wide format::request_header(bool write, std::uint32_t source, const address& a) const {
    wide h;
    h.set(0, 1, write);
    h.set(1, node_width, source);
    h.set(1 + node_width, id_width, a.id);
    std::uint32_t at = 1 + node_width + id_width;
    for_fields(*this, a, [&](auto value, std::uint32_t width) {
        h.set(at, width, static_cast<std::uint64_t>(value));
        at += width;
    });
    return h;
}

address format::address_of(const wide& header) const {
    address a;
    a.id = header.get(1, node_width) << id_width | header.get(1 + node_width, id_width);
    std::uint32_t at = 1 + node_width + id_width;
    for_fields(*this, a, [&](auto& value, std::uint32_t width) {
        value = static_cast<std::remove_reference_t<decltype(value)>>(header.get(at, width));
        at += width;
    });
    return a;
}

wide format::response_header(bool write, response resp, std::uint64_t id) const {
    wide h;
    h.set(0, 1, write);
    h.set(1, 2, static_cast<std::uint64_t>(resp));
    h.set(3, id_width, id);
    return h;
}

rtl_parameters format::parameters() const {
    const auto n = [](std::uint32_t value) { return std::to_string(value); };
    return {{"AddrWidth", n(addr_width)},          {"DataWidth", n(data_width)}, {"IdWidth", n(id_width)},
            {"UserWidth", n(user_width)},          {"FlitWidth", n(flit_width)}, {"NodeWidth", n(node_width)},
            {"RequestClasses", n(request_classes)}};
}

const region* manager_params::owner(std::uint64_t addr) const {
    for (const region& r : map)
        if (addr >= r.first && addr <= r.last) return &r;
    return nullptr;
}

cosim::rtl_request manager_params::request() const {
    const auto n = [](std::uint32_t value) { return std::to_string(value); };
    cosim::rtl_request r{"sare_axi_manager_bridge", widths.parameters()};
    for (const auto& [name, value] : rtl_parameters{
             {"Reads", n(reads)},
             {"Writes", n(writes)},
             {"PerId", n(per_id)},
             {"KeepsOrder", keeps_order ? "1'b1" : "1'b0"},
             {"MaxBeats", n(max_beats)},
             {"ReadBeats", n(read_beats)},
             {"WriteBeats", n(write_beats)},
             {"Regions", n(static_cast<std::uint32_t>(map.size()))},
             {"MapBase", joined(map, widths.addr_width, [](const region& o) { return o.first; })},
             {"MapLast", joined(map, widths.addr_width, [](const region& o) { return o.last; })},
             {"MapNode",
              joined(map, widths.node_width, [](const region& o) { return std::uint64_t{o.node}; })}})
        r.parameters.push_back({name, value});
    return r;
}

cosim::rtl_request subordinate_params::request() const {
    cosim::rtl_request r{"sare_axi_subordinate_bridge", widths.parameters()};
    r.parameters.push_back({"Reads", std::to_string(reads)});
    r.parameters.push_back({"Writes", std::to_string(writes)});
    r.parameters.push_back({"MaxBeats", std::to_string(max_beats)});
    r.parameters.push_back({"ReadBeats", std::to_string(read_beats)});
    return r;
}

}  // namespace sare::axi
