// SPDX-License-Identifier: Apache-2.0
#include "tlm/axi/burst_carrier.h"

#include "tlm/axi/burst.h"
#include "tlm/memory/access_id.h"
#include "tlm/memory/access_options.h"

#include <algorithm>

namespace sare::axi {
namespace {

/// Bits of a manager's ID in the ID that a subordinate sees.
constexpr std::uint32_t id_bits = 16;

/// Takes the manager's own extension back: the bridge's was for the network.
template <class Extension>
void take_given(tlm::tlm_generic_payload& to, const tlm::tlm_generic_payload& given) {
    if (const auto* its = given.get_extension<Extension>()) *to.get_extension<Extension>() = *its;
}

}  // namespace

/// Makes its extensions, which it keeps for good.
burst_carrier::burst_carrier(tlm::tlm_mm_interface& manager) : tlm::tlm_generic_payload(&manager) {
    set_extension(new extension);
    set_extension(new access_id);
    set_extension(new access_options);
}

/// Copies all but the bytes, which stay the original's.
void burst_carrier::copy(tlm::tlm_generic_payload& of) {
    original = &of;
    *get_extension<extension>() = extension();
    *get_extension<access_id>() = access_id();
    *get_extension<access_options>() = access_options();
    set_data_ptr(nullptr);
    set_byte_enable_ptr(nullptr);
    deep_copy_from(of);
    set_data_ptr(of.get_data_ptr());
    set_byte_enable_ptr(of.get_byte_enable_ptr());
}

void burst_carrier::carry_part(tlm::tlm_generic_payload& whole, const burst_part& part) {
    copy(whole);
    *get_extension<extension>() = part.e;
    m_rotated = 0;
    set_address(part.address);
    set_data_ptr(whole.get_data_ptr() + part.offset);
    set_data_length(part.bytes);
    set_streaming_width(part.bytes);
    set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    const unsigned enables = whole.get_byte_enable_length();
    if (whole.get_byte_enable_ptr() == nullptr || enables == 0) return;
    m_enables.resize(part.bytes);
    for (std::uint32_t k = 0; k < part.bytes; ++k)
        m_enables[k] = whole.get_byte_enable_ptr()[(part.offset + k) % enables];
    set_byte_enable_ptr(m_enables.data());
    set_byte_enable_length(part.bytes);
}

void burst_carrier::carry(tlm::tlm_generic_payload& of, const extension& e, bool wrong, std::uint32_t agent) {
    copy(of);
    m_beats = std::max<std::uint32_t>(e.beats, 1);
    auto& seen = *get_extension<extension>();
    seen = e;
    seen.id = agent << id_bits | e.id;
    seen.resp = response::okay;
    get_extension<access_id>()->value = e.id;
    auto& options = *get_extension<access_options>();
    options = access_options();
    options.agent = seen.id;
    options.exclusive = e.exclusive;

    m_rotated = 0;
    if (e.type != burst::wrap || wrong) return;
    seen.type = burst::incr;
    m_rotated = of.get_address() - lowest_address(e, of.get_address());
    if (m_rotated == 0 || of.get_data_ptr() == nullptr || m_rotated >= of.get_data_length()) {
        m_rotated = 0;
        return;
    }
    const std::size_t length = of.get_data_length();
    set_address(of.get_address() - m_rotated);
    const auto rotated = [&](std::vector<unsigned char>& to, auto byte) {
        to.resize(length);
        for (std::size_t k = 0; k < length; ++k) to[(k + m_rotated) % length] = byte(k);
        return to.data();
    };
    set_data_ptr(rotated(m_data, [&](std::size_t k) { return of.get_data_ptr()[k]; }));
    const unsigned enables = of.get_byte_enable_length();
    if (of.get_byte_enable_ptr() == nullptr || enables == 0) return;
    set_byte_enable_ptr(
        rotated(m_enables, [&](std::size_t k) { return of.get_byte_enable_ptr()[k % enables]; }));
    set_byte_enable_length(static_cast<unsigned>(length));
}

void burst_carrier::bring_back() {
    original->set_response_status(get_response_status());
    original->set_dmi_allowed(is_dmi_allowed());
    if (m_rotated != 0 && is_read())
        for (std::size_t k = 0; k < m_data.size(); ++k)
            original->get_data_ptr()[k] = m_data[(k + m_rotated) % m_data.size()];
    auto& seen = *get_extension<extension>();
    seen.resp = response_of(get_response_status());
    if (seen.resp == response::okay && get_extension<access_options>()->exclusive_done)
        seen.resp = response::exokay;
    const auto* given = original->get_extension<extension>();
    if (given != nullptr) {
        seen.id = given->id;
        seen.type = given->type;
    }
    take_given<access_id>(*this, *original);
    take_given<access_options>(*this, *original);
    original->update_extensions_from(*this);
}

burst_carrier& carrier_pool::take() {
    if (m_free.empty()) m_free.push_back(&m_all.emplace_back(*this));
    burst_carrier& c = *m_free.back();
    m_free.pop_back();
    c.acquire();
    return c;
}

void carrier_pool::free(tlm::tlm_generic_payload* p) {
    p->reset();
    m_free.push_back(static_cast<burst_carrier*>(p));
}

}  // namespace sare::axi
