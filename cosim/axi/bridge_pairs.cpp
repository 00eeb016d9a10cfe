// SPDX-License-Identifier: Apache-2.0
#include "cosim/axi/bridge_pairs.h"

namespace sare::axi {
namespace {

void add(pin_list& pins, const char* name, const char* rest, const wide& value) {
    for (std::uint32_t lsb = 0; lsb < wide::bits; lsb += 64) pins.add(name, rest, value.get(lsb, 64), lsb);
}

void list(pin_list& pins, const char* channel, const address& a) {
    pins.add(channel, "_id", a.id);
    pins.add(channel, "_addr", a.addr);
    pins.add(channel, "_len", a.len);
    pins.add(channel, "_size", a.size);
    pins.add(channel, "_burst", static_cast<std::uint64_t>(a.burst));
    pins.add(channel, "_lock", a.lock);
    pins.add(channel, "_cache", a.cache);
    pins.add(channel, "_prot", a.prot);
    pins.add(channel, "_qos", a.qos);
    pins.add(channel, "_region", a.region);
    pins.add(channel, "_user", a.user);
}

void list(pin_list& pins, const char* stream, const leaving_flit& f) {
    pins.add(stream, "_valid", f.what.valid);
    if (!f.what.valid) return;
    pins.add(stream, " class", f.message_class);
    pins.add(stream, "_tail", f.what.tail);
    pins.add(stream, "_node", f.node);
    pins.add(stream, "_length", f.length);
    add(pins, stream, "_data", f.what.data);
}

}  // namespace

void list(pin_list& pins, const manager_bridge::outputs& out) {
    const backward_pins& axi = out.axi;
    pins.add("ar_ready", "", axi.ar_ready);
    pins.add("aw_ready", "", axi.aw_ready);
    pins.add("w_ready", "", axi.w_ready);
    pins.add("b_valid", "", axi.b_valid);
    if (axi.b_valid) {
        pins.add("b_id", "", axi.b_id);
        pins.add("b_resp", "", static_cast<std::uint64_t>(axi.b_resp));
    }
    pins.add("r_valid", "", axi.r_valid);
    if (axi.r_valid) {
        pins.add("r_id", "", axi.r_id);
        pins.add("r_last", "", axi.r_last);
        add(pins, "{r_resp, r_data}", "", axi.r);
    }
    list(pins, "req", out.req);
    pins.add("rsp_ready", "", out.rsp_ready);
}

void list(pin_list& pins, const subordinate_bridge::outputs& out) {
    const forward_pins& axi = out.axi;
    pins.add("ar_valid", "", axi.ar_valid);
    if (axi.ar_valid) list(pins, "ar", axi.ar);
    pins.add("aw_valid", "", axi.aw_valid);
    if (axi.aw_valid) list(pins, "aw", axi.aw);
    pins.add("w_valid", "", axi.w_valid);
    if (axi.w_valid) {
        pins.add("w_last", "", axi.w_last);
        add(pins, "{w_strb, w_data}", "", axi.w);
    }
    pins.add("b_ready", "", axi.b_ready);
    pins.add("r_ready", "", axi.r_ready);
    pins.add("req_ready", "", out.req_ready);
    list(pins, "rsp", out.rsp);
}

void node_nic_pair::arrives(const link_flit& f) {
    both([&](node_nic& nic, pin_list&) {
        nic.arrives(f);
        return true;
    });
}

std::uint32_t node_nic_pair::send(const std::vector<std::optional<offer>>& flits, std::uint32_t credits) {
    m_classes = static_cast<std::uint32_t>(flits.size());
    return both([&](node_nic& nic, pin_list& pins) {
        const std::uint32_t taken = nic.send(flits, credits);
        pins.add("ready_o", " of sare_nic_inject", taken);
        return taken;
    });
}

void node_nic_pair::clock(std::uint32_t taken) {
    const char* const inject = " of sare_nic_inject";
    const char* const receive = " of sare_nic_receive";
    both([&](node_nic& nic, pin_list& pins) {
        for (std::uint32_t c = 0; c < m_classes; ++c) {
            const stream_flit here = nic.received(c);
            pins.set_place({"class", c});
            pins.add("valid_o", receive, here.valid);
            if (here.valid) pins.add("tail_o", receive, here.tail);
            if (here.valid) add(pins, "data_o", receive, here.data);
        }
        pins.set_place({});
        nic.clock(taken);
        const std::optional<link_flit> sent = nic.sent();
        pins.add("flit_valid_o", inject, sent.has_value());
        if (sent) {
            pins.add("flit_head_o", inject, sent->head);
            pins.add("flit_tail_o", inject, sent->tail);
            pins.add("flit_vc_o", inject, sent->vc);
            add(pins, "flit_data_o", inject, sent->data);
        }
        pins.add("credit_o", receive, nic.credits());
        nic.check_header();
        return true;
    });
    end_cycle();
}

}  // namespace sare::axi
