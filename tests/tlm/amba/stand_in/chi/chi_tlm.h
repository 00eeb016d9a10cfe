// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <systemc>
#include <tlm>

/// A stand-in, for tests: the declarations of the field's open interfaces that tb/examples/amba_tlm uses,
/// written anew, as no package has theirs.
namespace chi {

enum class req_optype_e : std::uint8_t { ReadShared = 0x01, ReadNoSnp = 0x04, WriteBackFull = 0x1B };
enum class snp_optype_e : std::uint8_t { SnpShared = 0x01, SnpUnique = 0x07 };
enum class dat_optype_e : std::uint8_t {
    SnpRespData = 0x1,
    CopyBackWrData = 0x2,
    NonCopyBackWrData = 0x3,
    CompData = 0x4
};
enum class rsp_optype_e : std::uint8_t {
    SnpResp = 0x1,
    CompAck = 0x2,
    RetryAck = 0x3,
    Comp = 0x4,
    CompDBIDResp = 0x5
};
enum class dat_resptype_e : std::uint8_t {
    CompData_I = 0b000,
    CompData_SC = 0b001,
    CompData_UC = 0b010,
    CompData_UD_PD = 0b110
};
enum class rsp_resptype_e : std::uint8_t { SnpResp_I = 0b000, SnpResp_SC = 0b001 };
enum class credit_type_e : std::uint8_t { LINK, REQ, RESP, DATA };

struct common {
    void set_txn_id(unsigned v) { m_txn_id = v; }
    unsigned get_txn_id() const { return m_txn_id; }
    void set_src_id(unsigned v) { m_src_id = v; }
    unsigned get_src_id() const { return m_src_id; }
    void set_qos(unsigned v) { m_qos = v; }
    unsigned get_qos() const { return m_qos; }

  private:
    unsigned m_txn_id{};
    unsigned m_src_id{};
    unsigned m_qos{};
};
struct request {
    void set_tgt_id(std::uint8_t v) { m_tgt_id = v; }
    std::uint8_t get_tgt_id() const { return m_tgt_id; }
    void set_size(std::uint8_t v) { m_size = v; }
    std::uint8_t get_size() const { return m_size; }
    void set_pcrd_type(std::uint8_t v) { m_pcrd_type = v; }
    std::uint8_t get_pcrd_type() const { return m_pcrd_type; }
    void set_opcode(req_optype_e v) { m_opcode = v; }
    req_optype_e get_opcode() const { return m_opcode; }
    void set_allow_retry(bool v) { m_allow_retry = v; }
    bool is_allow_retry() const { return m_allow_retry; }
    void set_exp_comp_ack(bool v) { m_exp_comp_ack = v; }
    bool is_exp_comp_ack() const { return m_exp_comp_ack; }

  private:
    std::uint8_t m_tgt_id{};
    std::uint8_t m_size{};
    std::uint8_t m_pcrd_type{};
    req_optype_e m_opcode{};
    bool m_allow_retry{};
    bool m_exp_comp_ack{};
};
struct snp_request {
    void set_opcode(snp_optype_e v) { m_opcode = v; }
    snp_optype_e get_opcode() const { return m_opcode; }

  private:
    snp_optype_e m_opcode{};
};
struct data {
    void set_db_id(std::uint8_t v) { m_db_id = v; }
    std::uint8_t get_db_id() const { return m_db_id; }
    void set_opcode(dat_optype_e v) { m_opcode = v; }
    dat_optype_e get_opcode() const { return m_opcode; }
    void set_resp_err(std::uint8_t v) { m_resp_err = v; }
    std::uint8_t get_resp_err() const { return m_resp_err; }
    void set_resp(dat_resptype_e v) { m_resp = v; }
    dat_resptype_e get_resp() const { return m_resp; }
    void set_data_id(std::uint8_t v) { m_data_id = v; }
    std::uint8_t get_data_id() const { return m_data_id; }
    void set_tgt_id(std::uint16_t v) { m_tgt_id = v; }
    std::uint16_t get_tgt_id() const { return m_tgt_id; }
    void set_home_n_id(std::uint16_t v) { m_home_n_id = v; }
    std::uint16_t get_home_n_id() const { return m_home_n_id; }

  private:
    std::uint8_t m_db_id{};
    dat_optype_e m_opcode{};
    std::uint8_t m_resp_err{};
    dat_resptype_e m_resp{};
    std::uint8_t m_data_id{};
    std::uint16_t m_tgt_id{};
    std::uint16_t m_home_n_id{};
};
struct response {
    void set_db_id(std::uint8_t v) { m_db_id = v; }
    std::uint8_t get_db_id() const { return m_db_id; }
    void set_pcrd_type(std::uint8_t v) { m_pcrd_type = v; }
    std::uint8_t get_pcrd_type() const { return m_pcrd_type; }
    void set_opcode(rsp_optype_e v) { m_opcode = v; }
    rsp_optype_e get_opcode() const { return m_opcode; }
    void set_resp_err(std::uint8_t v) { m_resp_err = v; }
    std::uint8_t get_resp_err() const { return m_resp_err; }
    void set_resp(rsp_resptype_e v) { m_resp = v; }
    rsp_resptype_e get_resp() const { return m_resp; }
    void set_tgt_id(std::uint16_t v) { m_tgt_id = v; }
    std::uint16_t get_tgt_id() const { return m_tgt_id; }

  private:
    std::uint8_t m_db_id{};
    std::uint8_t m_pcrd_type{};
    rsp_optype_e m_opcode{};
    std::uint8_t m_resp_err{};
    rsp_resptype_e m_resp{};
    std::uint16_t m_tgt_id{};
};

template <class Own>
struct with_common : tlm::tlm_extension<Own> {
    tlm::tlm_extension_base* clone() const override { return new Own(static_cast<const Own&>(*this)); }
    void copy_from(const tlm::tlm_extension_base& o) override {
        static_cast<Own&>(*this) = static_cast<const Own&>(o);
    }
    void set_txn_id(unsigned v) { cmn.set_txn_id(v); }
    unsigned get_txn_id() const { return cmn.get_txn_id(); }
    void set_src_id(unsigned v) { cmn.set_src_id(v); }
    unsigned get_src_id() const { return cmn.get_src_id(); }
    void set_qos(std::uint8_t v) { cmn.set_qos(v); }
    unsigned get_qos() const { return cmn.get_qos(); }
    common cmn;
};
struct chi_ctrl_extension : with_common<chi_ctrl_extension> {
    request req;
    response resp;
};
struct chi_snp_extension : with_common<chi_snp_extension> {
    snp_request req;
    response resp;
};
struct chi_data_extension : with_common<chi_data_extension> {
    data dat;
};

}  // namespace chi
