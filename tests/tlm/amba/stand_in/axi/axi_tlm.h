// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <systemc>
#include <tlm>

/// A stand-in, for tests: the declarations of the field's open interfaces that tb/examples/amba_tlm uses,
/// written anew, as no package has theirs.
namespace axi {

enum class burst_e : std::uint8_t { FIXED = 0, INCR = 1, WRAP = 2 };
enum class resp_e : std::uint8_t { OKAY = 0, EXOKAY = 1, SLVERR = 2, DECERR = 3 };

struct common {
    enum class id_type { CTRL, DATA, RESP };
    void set_id(unsigned v) { m_id = v; }
    unsigned get_id() const { return m_id; }
    void set_user(id_type c, unsigned v) { m_user[static_cast<int>(c)] = v; }
    unsigned get_user(id_type c) const { return m_user[static_cast<int>(c)]; }

  private:
    unsigned m_id = 0, m_user[3] = {0, 0, 0};
};
struct request {
    void set_length(std::uint8_t v) { m_length = v; }
    std::uint8_t get_length() const { return m_length; }
    void set_size(std::uint8_t v) { m_size = v; }
    std::uint8_t get_size() const { return m_size; }
    void set_burst(burst_e v) { m_burst = v; }
    burst_e get_burst() const { return m_burst; }
    void set_prot(std::uint8_t v) { m_prot = v; }
    std::uint8_t get_prot() const { return m_prot; }
    void set_cache(std::uint8_t v) { m_cache = v; }
    std::uint8_t get_cache() const { return m_cache; }
    void set_qos(std::uint8_t v) { m_qos = v; }
    std::uint8_t get_qos() const { return m_qos; }
    void set_region(std::uint8_t v) { m_region = v; }
    std::uint8_t get_region() const { return m_region; }
    void set_exclusive(bool v) { m_exclusive = v; }
    bool is_exclusive() const { return m_exclusive; }

  private:
    std::uint8_t m_length{};
    std::uint8_t m_size{};
    burst_e m_burst{};
    std::uint8_t m_prot{};
    std::uint8_t m_cache{};
    std::uint8_t m_qos{};
    std::uint8_t m_region{};
    bool m_exclusive{};
};
struct response {
    void set_resp(resp_e v) { m_resp = v; }
    resp_e get_resp() const { return m_resp; }

  private:
    resp_e m_resp{};
};

struct axi4_extension : tlm::tlm_extension<axi4_extension>, common, request, response {
    tlm::tlm_extension_base* clone() const override { return new axi4_extension(*this); }
    void copy_from(const tlm::tlm_extension_base& o) override {
        *this = static_cast<const axi4_extension&>(o);
    }
};

struct axi_protocol_types {
    using tlm_payload_type = tlm::tlm_generic_payload;
    using tlm_phase_type = tlm::tlm_phase;
};
DECLARE_EXTENDED_PHASE(BEGIN_PARTIAL_REQ);
DECLARE_EXTENDED_PHASE(END_PARTIAL_REQ);
DECLARE_EXTENDED_PHASE(BEGIN_PARTIAL_RESP);
DECLARE_EXTENDED_PHASE(END_PARTIAL_RESP);

template <typename TYPES = axi_protocol_types>
using axi_fw_transport_if = tlm::tlm_fw_transport_if<TYPES>;
template <typename TYPES = axi_protocol_types>
using axi_bw_transport_if = tlm::tlm_bw_transport_if<TYPES>;
template <unsigned W = 32, typename TYPES = axi_protocol_types>
struct axi_initiator_socket
    : tlm::tlm_base_initiator_socket<W, axi_fw_transport_if<TYPES>, axi_bw_transport_if<TYPES>> {
    explicit axi_initiator_socket(const char* name)
        : tlm::tlm_base_initiator_socket<W, axi_fw_transport_if<TYPES>, axi_bw_transport_if<TYPES>>(name) {}
};
template <unsigned W = 32, typename TYPES = axi_protocol_types>
struct axi_target_socket
    : tlm::tlm_base_target_socket<W, axi_fw_transport_if<TYPES>, axi_bw_transport_if<TYPES>> {
    explicit axi_target_socket(const char* name)
        : tlm::tlm_base_target_socket<W, axi_fw_transport_if<TYPES>, axi_bw_transport_if<TYPES>>(name) {}
};

}  // namespace axi
