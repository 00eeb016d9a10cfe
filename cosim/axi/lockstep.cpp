// SPDX-License-Identifier: Apache-2.0
#include "cosim/axi/lockstep.h"

#include "cosim/pins/bits.h"

namespace sare::axi {
namespace {

/// Collects the first pin that differs.
class comparer {
  public:
    void of(const std::string& pin, std::uint64_t model, std::uint64_t rtl) {
        if (m_text.empty() && model != rtl)
            m_text =
                pin + " is " + cosim::hex(model) + " in the model and " + cosim::hex(rtl) + " in the RTL";
    }
    void of(const std::string& pin, const wide& model, const wide& rtl) {
        for (std::uint32_t lsb = 0; m_text.empty() && lsb < wide::bits; lsb += 64)
            of(pin + " from bit " + std::to_string(lsb), model.get(lsb, 64), rtl.get(lsb, 64));
    }
    void of(const std::string& channel, const address& m, const address& r) {
        of(channel + "_id", m.id, r.id);
        of(channel + "_addr", m.addr, r.addr);
        of(channel + "_len", m.len, r.len);
        of(channel + "_size", m.size, r.size);
        of(channel + "_burst", static_cast<std::uint64_t>(m.burst), static_cast<std::uint64_t>(r.burst));
        of(channel + "_lock", m.lock, r.lock);
        of(channel + "_cache", m.cache, r.cache);
        of(channel + "_prot", m.prot, r.prot);
        of(channel + "_qos", m.qos, r.qos);
        of(channel + "_region", m.region, r.region);
        of(channel + "_user", m.user, r.user);
    }
    void of(const std::string& stream, const leaving_flit& m, const leaving_flit& r) {
        of(stream + "_valid", m.what.valid, r.what.valid);
        if (!m.what.valid) return;
        of(stream + " class", m.message_class, r.message_class);
        of(stream + "_tail", m.what.tail, r.what.tail);
        of(stream + "_node", m.node, r.node);
        of(stream + "_length", m.length, r.length);
        of(stream + "_data", m.what.data, r.what.data);
    }
    const std::string& text() const { return m_text; }

  private:
    std::string m_text;
};

}  // namespace

std::string difference(const manager_bridge::outputs& m, const manager_bridge::outputs& r) {
    comparer c;
    c.of("ar_ready", m.axi.ar_ready, r.axi.ar_ready);
    c.of("aw_ready", m.axi.aw_ready, r.axi.aw_ready);
    c.of("w_ready", m.axi.w_ready, r.axi.w_ready);
    c.of("b_valid", m.axi.b_valid, r.axi.b_valid);
    if (m.axi.b_valid) {
        c.of("b_id", m.axi.b_id, r.axi.b_id);
        c.of("b_resp", static_cast<std::uint64_t>(m.axi.b_resp), static_cast<std::uint64_t>(r.axi.b_resp));
    }
    c.of("r_valid", m.axi.r_valid, r.axi.r_valid);
    if (m.axi.r_valid) {
        c.of("r_id", m.axi.r_id, r.axi.r_id);
        c.of("r_last", m.axi.r_last, r.axi.r_last);
        c.of("{r_resp, r_data}", m.axi.r, r.axi.r);
    }
    c.of("req", m.req, r.req);
    c.of("rsp_ready", m.rsp_ready, r.rsp_ready);
    return c.text();
}

std::string difference(const subordinate_bridge::outputs& m, const subordinate_bridge::outputs& r) {
    comparer c;
    c.of("ar_valid", m.axi.ar_valid, r.axi.ar_valid);
    if (m.axi.ar_valid) c.of("ar", m.axi.ar, r.axi.ar);
    c.of("aw_valid", m.axi.aw_valid, r.axi.aw_valid);
    if (m.axi.aw_valid) c.of("aw", m.axi.aw, r.axi.aw);
    c.of("w_valid", m.axi.w_valid, r.axi.w_valid);
    if (m.axi.w_valid) {
        c.of("w_last", m.axi.w_last, r.axi.w_last);
        c.of("{w_strb, w_data}", m.axi.w, r.axi.w);
    }
    c.of("b_ready", m.axi.b_ready, r.axi.b_ready);
    c.of("r_ready", m.axi.r_ready, r.axi.r_ready);
    c.of("req_ready", m.req_ready, r.req_ready);
    c.of("rsp", m.rsp, r.rsp);
    return c.text();
}

}  // namespace sare::axi
