// SPDX-License-Identifier: Apache-2.0
#include "tlm/memory/access.h"

#include "tlm/memory/access_id.h"
#include "tlm/memory/address_map.h"
#include "tlm/memory/atomic/atomic_access.h"
#include "tlm/memory/initiator_port.h"
#include "tlm/memory/map/split_access.h"

#include <algorithm>
#include <iterator>
#include <sstream>

namespace sare {
namespace {

/// True if a transaction carries an extension that is none of those by which initiators tell Sare something.
bool carries_others(const tlm::tlm_generic_payload& p) {
    const tlm::tlm_extension_base* const own[] = {
        p.get_extension<access_id>(), p.get_extension<access_options>(), p.get_extension<access_timing>(),
        p.get_extension<atomic_access>()};
    for (unsigned k = 0; k < tlm::max_num_extensions(); ++k) {
        const tlm::tlm_extension_base* const e = p.get_extension(k);
        if (e != nullptr && std::find(std::begin(own), std::end(own), e) == std::end(own)) return true;
    }
    return false;
}

/// Gives a transaction the classes of messages that an access asks for, or none.
void set_classes(tlm::tlm_generic_payload& p, std::uint32_t request, std::uint32_t response) {
    if (auto* options = p.get_extension<access_options>()) {
        options->request_class = request;
        options->response_class = response;
    }
}

}  // namespace

void memory_access::copy(tlm::tlm_generic_payload& of, const placement& at) {
    original = &of;
    m_data.resize(of.get_data_ptr() == nullptr ? 0 : of.get_data_length());
    m_enables.resize(of.get_byte_enable_ptr() == nullptr ? 0 : of.get_byte_enable_length());
    set_data_ptr(m_data.empty() ? nullptr : m_data.data());
    set_byte_enable_ptr(m_enables.empty() ? nullptr : m_enables.data());
    deep_copy_from(of);
    set_dmi_allowed(false);
    if (const auto* options = of.get_extension<access_options>()) {
        request_class = options->request_class;
        response_class = options->response_class;
        alone = options->exclusive;
    }
    atomic = atomic_of(of) != nullptr;
    alone = alone || atomic;
    if (at.range == nullptr) return;
    set_data_length(length_in(at.bytes, of));
    set_address(at.address);
}

void memory_access::bring_back() {
    if (has_outgrown_its_copy()) {
        original->set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
    } else if (m_shown.was) {
        original->set_response_status(get_response_status());
        original->set_dmi_allowed(is_dmi_allowed());
        // The monitor of exclusive accesses has looked at this copy.
        const auto* own = get_extension<access_options>();
        auto* theirs = original->get_extension<access_options>();
        if (own != nullptr && theirs != nullptr) theirs->exclusive_done = own->exclusive_done;
    } else {
        original->update_original_from(*this);
    }
    set_classes(*original, request_class, response_class);
    tell_times(*original, times);
}

void memory_access::drop_classes() {
    if (has_classes()) set_classes(*this, 0, access_options::last);
}

tlm::tlm_generic_payload& memory_access::show() {
    if (original == nullptr || split || atomic || has_outgrown_its_copy()) return *this;
    if (!original->has_mm() && !carries_others(*original)) return *this;
    m_shown.payload = original;
    if (m_shown.payload->has_mm()) m_shown.payload->acquire();
    m_shown.own_address = m_shown.payload->get_address();
    m_shown.own_length = m_shown.payload->get_data_length();
    m_shown.payload->set_address(get_address());
    m_shown.payload->set_data_length(get_data_length());
    if (has_classes()) set_classes(*m_shown.payload, 0, access_options::last);
    return *m_shown.payload;
}

void memory_access::take_back() {
    if (m_shown.payload == nullptr) return;
    set_response_status(m_shown.payload->get_response_status());
    set_dmi_allowed(m_shown.payload->is_dmi_allowed());
    m_shown.payload->set_address(m_shown.own_address);
    m_shown.payload->set_data_length(m_shown.own_length);
    if (has_classes()) set_classes(*m_shown.payload, request_class, response_class);
    if (m_shown.payload->has_mm()) m_shown.payload->release();
    m_shown.payload = nullptr;
    m_shown.was = true;
}

void memory_access::leave_original() {
    original = nullptr;
    if (m_shown.payload != nullptr && !m_shown.payload->has_mm()) m_shown.payload = nullptr;
}

tlm::tlm_generic_payload& memory_access::whole() const {
    return split ? split->whole() : *original;
}

void memory_access::forget() {
    reset();
    original = nullptr;
    split.reset();
    packets.clear();
    order = nullptr;
    kept = {};
    done.waited_for = false;
    tag = 0;
    mode = access_mode::exact;
    request_class = 0;
    response_class = access_options::last;
    alone = atomic = false;
    probe = false;
    response = over = answered = end_owed = false;
    m_shown.was = false;
}

std::string text_of(const tlm::tlm_generic_payload& p) {
    std::ostringstream text;
    text << (p.is_write()  ? "write"
             : p.is_read() ? "read"
                           : "transaction without a command")
         << " of " << p.get_data_length() << (p.get_data_length() == 1 ? " byte" : " bytes") << " at 0x"
         << std::hex << p.get_address();
    return text.str();
}

std::string out_of_turn(const tlm::tlm_phase& phase, const tlm::tlm_generic_payload& p,
                        const std::string& protocol) {
    return std::string(phase.get_name()) + " of a " + text_of(p) + ", which does not come next in " +
           protocol;
}

std::string text_of_open(const tlm::tlm_generic_payload& p) {
    return "a " + text_of(p) + " by a payload that is under way; it may begin again after its end";
}

unsigned length_in(std::uint64_t bytes, const tlm::tlm_generic_payload& p) {
    const bool cut = p.get_streaming_width() >= p.get_data_length() && p.get_data_length() > bytes;
    return cut && atomic_of(p) == nullptr ? static_cast<unsigned>(bytes) : p.get_data_length();
}

std::uint64_t extent_of(const tlm::tlm_generic_payload& p) {
    const std::uint64_t length = p.get_data_length(), pattern = p.get_byte_enable_length();
    const std::uint64_t width = std::min<std::uint64_t>(p.get_streaming_width(), length);
    if (const atomic_access* atomic = atomic_of(p)) return value_bytes(*atomic, p);
    if (p.get_byte_enable_ptr() == nullptr || pattern == 0 || width == 0) return width;
    const auto enabled = [&](std::uint64_t k) {
        return p.get_byte_enable_ptr()[k % pattern] != TLM_BYTE_DISABLED;
    };
    // Of each streaming width from its end: after so many the enables repeat, within one, too.
    std::uint64_t extent = 0;
    for (std::uint64_t n = 0; n < pattern && n * width < length && extent != width; ++n) {
        const std::uint64_t bytes = std::min(width, length - n * width);
        const std::uint64_t least = std::max(extent, bytes - std::min(bytes, pattern));
        for (std::uint64_t k = bytes; k > least; --k)
            if (enabled(n * width + k - 1)) {
                extent = k;
                break;
            }
    }
    return extent;
}

tlm::tlm_response_status check_attributes(const tlm::tlm_generic_payload& p) {
    if (p.get_command() == tlm::TLM_IGNORE_COMMAND) return tlm::TLM_OK_RESPONSE;
    if (p.get_data_length() == 0 || p.get_streaming_width() == 0) return tlm::TLM_BURST_ERROR_RESPONSE;
    if (p.get_data_ptr() == nullptr) return tlm::TLM_GENERIC_ERROR_RESPONSE;
    if (p.get_byte_enable_ptr() != nullptr && p.get_byte_enable_length() == 0)
        return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
    return tlm::TLM_OK_RESPONSE;
}

bool depend(const memory_access& a, const memory_access& b) {
    if (a.order != b.order && !a.alone && !b.alone) return false;
    if (a.order == b.order && a.from->order() == access_order::network)
        return true;  // responses leave as requests have come
    if (!a.writes() && !b.writes()) return false;
    const auto bytes = [](const memory_access& x) {
        return std::min(x.get_streaming_width(), x.get_data_length());
    };
    return a.get_address() <= b.get_address() ? b.get_address() - a.get_address() < bytes(a)
                                              : a.get_address() - b.get_address() < bytes(b);
}

memory_access& access_pool::take() {
    if (m_free.empty()) {
        m_free.push_back(static_cast<std::uint32_t>(m_all.size()));
        m_all.emplace_back(m_free.back(), *this);
    }
    memory_access& a = m_all[m_free.back()];
    m_free.pop_back();
    a.acquire();
    return a;
}

void access_pool::free(tlm::tlm_generic_payload* p) {
    auto& a = static_cast<memory_access&>(*p);
    a.forget();
    m_free.push_back(a.slot);
}

}  // namespace sare
