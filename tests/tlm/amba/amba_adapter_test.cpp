// SPDX-License-Identifier: Apache-2.0
#include "tb/examples/amba_tlm/axi_tlm_adapter.h"
#include "tb/examples/amba_tlm/chi_tlm_adapter.h"
#include "tests/tlm/amba/axi_support.h"

/// The adapters to the field's open interfaces, compiled against stand-ins of their declarations.
namespace sare::test::amba_adapter_test {
namespace {

using theirs_ext = ::axi::axi4_extension;

/// A manager of theirs: a read of four beats, and a write of two, by their phases; it ends beats at once.
struct their_manager : sc_core::sc_module, tlm::tlm_bw_transport_if<::axi::axi_protocol_types> {
    ::axi::axi_initiator_socket<64> socket{"socket"};
    std::vector<std::string> phases;

    explicit their_manager(const sc_core::sc_module_name& name) : sc_core::sc_module(name) {
        socket.bind(*this);
    }
    void note(const tlm::tlm_phase& p) { phases.push_back(p.get_name()); }
    tlm::tlm_sync_enum send(tlm::tlm_generic_payload& p, tlm::tlm_phase phase) {
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
        const auto answer = socket->nb_transport_fw(p, phase, delay);
        if (answer == tlm::TLM_UPDATED) {
            note(phase);
            sc_core::wait(delay);
        }
        return answer;
    }
    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload&, tlm::tlm_phase& phase,
                                       sc_core::sc_time&) override {
        note(phase);
        if (phase == tlm::END_REQ) return tlm::TLM_ACCEPTED;
        const bool last = phase == tlm::BEGIN_RESP;
        phase = ::axi::END_PARTIAL_RESP;
        if (last) phase = tlm::END_RESP;
        return last ? tlm::TLM_COMPLETED : tlm::TLM_UPDATED;
    }
    void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
};

/// A subordinate of theirs, loosely timed.
struct their_subordinate : sc_core::sc_module, tlm::tlm_fw_transport_if<::axi::axi_protocol_types> {
    ::axi::axi_target_socket<64> socket{"socket"};
    std::vector<unsigned char> bytes = std::vector<unsigned char>(0x1000);
    std::vector<unsigned> ids, beats;

    explicit their_subordinate(const sc_core::sc_module_name& name) : sc_core::sc_module(name) {
        socket.bind(*this);
    }
    void b_transport(tlm::tlm_generic_payload& p, sc_core::sc_time&) override {
        auto* e = p.get_extension<theirs_ext>();
        ASSERT_NE(e, nullptr);
        ids.push_back(e->get_id());
        beats.push_back(e->get_length() + 1U);
        EXPECT_EQ(e->get_user(::axi::common::id_type::CTRL), 77U);
        p.set_response_status(access_bytes(p, bytes) ? tlm::TLM_OK_RESPONSE
                                                     : tlm::TLM_ADDRESS_ERROR_RESPONSE);
        if (p.get_address() == 0x800) e->set_resp(::axi::resp_e::SLVERR);
    }
    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload&, tlm::tlm_phase&,
                                       sc_core::sc_time&) override {
        return tlm::TLM_ACCEPTED;
    }
    unsigned transport_dbg(tlm::tlm_generic_payload&) override { return 0; }
    bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }
};

TEST(amba_adapter, ConnectsForeignManagersAndSubordinates) {
    hand_mesh net("net", 2, 2, {}, 2);
    memory_map map(net.engine, {{0x10000, 0x1000, 3}});
    axi::bridge<> near_bridge("near", net.nics[0], map), far_bridge("far", net.nics[3], map);
    their_manager cpu("cpu");
    their_subordinate ram("ram");
    adapters::axi_manager_adapter<> in("in");
    adapters::axi_subordinate_adapter<> out("out");
    axi_checkers checkers;
    cpu.socket.bind(in.from);
    checkers.between<64>(in.to, near_bridge.managers);
    checkers.between<64>(far_bridge.subordinates, out.from);
    out.to.bind(ram.socket);

    transaction_pool pool;
    const auto make = [&](bool write, std::uint64_t address, unsigned bytes) -> transaction& {
        transaction& t = pool.take(write, address, bytes, 5);
        auto* e = new theirs_ext;
        e->set_id(3);
        e->set_burst(::axi::burst_e::INCR);
        e->set_size(3);
        e->set_length(static_cast<std::uint8_t>(bytes / 8 - 1));
        e->set_user(::axi::common::id_type::CTRL, 77);
        t.set_auto_extension(e);
        return t;
    };
    transaction &write = make(true, 0x10020, 16), &read = make(false, 0x10020, 32),
                &bad = make(false, 0x10800, 8);
    sc_core::sc_spawn([&] {
        cpu.send(write, ::axi::BEGIN_PARTIAL_REQ);
        cpu.send(write, tlm::BEGIN_REQ);
        sc_core::wait(sc_core::sc_time(200, sc_core::SC_NS));
        cpu.send(read, tlm::BEGIN_REQ);
        sc_core::wait(sc_core::sc_time(200, sc_core::SC_NS));
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
        cpu.socket->b_transport(bad, delay);
    });
    sc_core::sc_start();
    EXPECT_EQ(cpu.phases, (std::vector<std::string>{"END_PARTIAL_REQ", "END_REQ", "BEGIN_RESP", "END_REQ",
                                                    "BEGIN_PARTIAL_RESP", "BEGIN_PARTIAL_RESP",
                                                    "BEGIN_PARTIAL_RESP", "BEGIN_RESP"}));
    EXPECT_EQ(read.data[15], 5);
    EXPECT_EQ(read.data[16], 0);
    EXPECT_EQ(ram.beats, (std::vector<unsigned>{2, 4, 1}));
    EXPECT_EQ(ram.ids, (std::vector<unsigned>{3, 3, 3}));
    EXPECT_EQ(read.get_extension<theirs_ext>()->get_resp(), ::axi::resp_e::OKAY);
    EXPECT_EQ(read.get_extension<theirs_ext>()->get_id(), 3U);
    EXPECT_EQ(bad.get_extension<theirs_ext>()->get_resp(), ::axi::resp_e::SLVERR);
    EXPECT_EQ(bad.get_response_status(), tlm::TLM_GENERIC_ERROR_RESPONSE);
    checkers.look();
}

/// There and back again each flit is the same.
TEST(amba_adapter, ReturnsEveryFlitUnchanged) {
    chi::flit f = chi::flit::make(chi::req::write_back_full, 9, 200);
    f.source = 4, f.qos = 3, f.pcrd_type = 1, f.allow_retry = false, f.exp_comp_ack = true;
    ::chi::chi_ctrl_extension ctrl;
    adapters::copy_fields(f, ctrl);
    EXPECT_EQ(ctrl.req.get_opcode(), ::chi::req_optype_e::WriteBackFull);
    chi::flit back;
    adapters::copy_fields(ctrl, chi::channel::req, back);
    EXPECT_TRUE(back.is(chi::req::write_back_full));
    EXPECT_EQ(std::make_tuple(back.target, back.txn, back.source, back.qos, back.pcrd_type, back.allow_retry,
                              back.exp_comp_ack),
              std::make_tuple(f.target, f.txn, f.source, f.qos, f.pcrd_type, f.allow_retry, f.exp_comp_ack));

    f = chi::flit::make(chi::dat::comp_data, 9, 201);
    f.db = 17, f.home = 6, f.resp = chi::resp_uc | chi::resp_pass_dirty, f.data_id = 2, f.error = true;
    ::chi::chi_data_extension data;
    adapters::copy_fields(f, data);
    EXPECT_EQ(data.dat.get_resp(), ::chi::dat_resptype_e::CompData_UD_PD);
    adapters::copy_fields(data, back = {});
    EXPECT_TRUE(back.is(chi::dat::comp_data));
    EXPECT_EQ(std::make_tuple(back.target, back.db, back.home, back.resp, back.data_id, back.error),
              std::make_tuple(f.target, f.db, f.home, f.resp, f.data_id, f.error));

    f = chi::flit::make(chi::rsp::comp_dbid_resp, 9, 202);
    f.db = 18, f.resp = chi::resp_sc;
    adapters::copy_fields(f, ctrl);
    adapters::copy_fields(ctrl, chi::channel::rsp, back = {});
    EXPECT_TRUE(back.is(chi::rsp::comp_dbid_resp));
    EXPECT_EQ(back.db, 18);
    EXPECT_EQ(back.resp, chi::resp_sc);

    f = chi::flit::make(chi::snp::snp_unique, 9, 203);
    ::chi::chi_snp_extension snp;
    adapters::copy_fields(f, snp);
    adapters::copy_fields(snp, back = {});
    EXPECT_TRUE(back.is(chi::snp::snp_unique));
    EXPECT_EQ(back.txn, 203);
    EXPECT_EQ(adapters::credit_of(chi::channel::dat), ::chi::credit_type_e::DATA);
}

}  // namespace
}  // namespace sare::test::amba_adapter_test
