// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

namespace sare::test {

/// Stands between two sockets and holds both sides to TLM-2.0's base protocol (IEEE 1666-2011, 15): the order
/// of phases, the exclusion rules for requests and responses, times that do not run back, attributes that
/// nobody may change, response statuses, memory management.
template <unsigned Width = 32>
class protocol_checker : public sc_core::sc_module {
  public:
    tlm_utils::simple_target_socket<protocol_checker, Width> from;
    tlm_utils::simple_initiator_socket<protocol_checker, Width> to;

    explicit protocol_checker(const sc_core::sc_module_name& name)
        : sc_core::sc_module(name), from("from"), to("to") {
        from.register_b_transport(this, &protocol_checker::b_transport);
        from.register_nb_transport_fw(this, &protocol_checker::nb_transport_fw);
        from.register_transport_dbg(this, &protocol_checker::transport_dbg);
        from.register_get_direct_mem_ptr(this, &protocol_checker::get_direct_mem_ptr);
        to.register_nb_transport_bw(this, &protocol_checker::nb_transport_bw);
        to.register_invalidate_direct_mem_ptr(this, &protocol_checker::invalidate_direct_mem_ptr);
    }

    /// initiator -> checker -> target
    template <class Initiator, class Target>
    void between(Initiator& initiator, Target& target) {
        initiator.bind(from);
        to.bind(target);
    }

    unsigned calls = 0;
    std::vector<std::string> violations;

  private:
    struct attributes {
        tlm::tlm_command command;
        unsigned char *data, *enables;
        unsigned length, width, enable_length;

        explicit attributes(const tlm::tlm_generic_payload& p)
            : command(p.get_command()),
              data(p.get_data_ptr()),
              enables(p.get_byte_enable_ptr()),
              length(p.get_data_length()),
              width(p.get_streaming_width()),
              enable_length(p.get_byte_enable_length()) {}
        bool operator==(const attributes& o) const {
            return command == o.command && data == o.data && enables == o.enables && length == o.length &&
                   width == o.width && enable_length == o.enable_length;
        }
    };
    struct open_transaction {
        attributes at_start;
        tlm::tlm_phase phase;
        sc_core::sc_time time;  ///< of that phase, as annotated
    };

    void expect(bool right, const char* rule) {
        if (!right && violations.size() < 10)
            violations.push_back(sc_core::sc_time_stamp().to_string() + ": " + rule);
    }

    void check_request(const tlm::tlm_generic_payload& p) {
        ++calls;
        expect(p.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE, "request: status is not INCOMPLETE");
        expect(!p.is_dmi_allowed(), "request: DMI hint set");
        expect(p.get_data_length() != 0 && p.get_streaming_width() != 0, "request: length or width 0");
        expect(p.get_data_ptr() != nullptr, "request: no data");
        expect(p.get_byte_enable_ptr() == nullptr || p.get_byte_enable_length() != 0, "request: no enables");
    }
    void check_response(const tlm::tlm_generic_payload& p, const attributes& at_start) {
        expect(p.get_response_status() != tlm::TLM_INCOMPLETE_RESPONSE, "response: status is INCOMPLETE");
        expect(attributes(p) == at_start, "response: attributes changed");
    }

    void b_transport(tlm::tlm_generic_payload& p, sc_core::sc_time& delay) {
        check_request(p);
        const attributes at_start(p);
        const sc_core::sc_time before = sc_core::sc_time_stamp() + delay;
        to->b_transport(p, delay);
        expect(sc_core::sc_time_stamp() + delay >= before, "b_transport: time runs back");
        check_response(p, at_start);
    }

    unsigned transport_dbg(tlm::tlm_generic_payload& p) { return to->transport_dbg(p); }
    bool get_direct_mem_ptr(tlm::tlm_generic_payload& p, tlm::tlm_dmi& dmi) {
        return to->get_direct_mem_ptr(p, dmi);
    }
    void invalidate_direct_mem_ptr(sc_dt::uint64 first, sc_dt::uint64 last) {
        from->invalidate_direct_mem_ptr(first, last);
    }

    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& p, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) {
        expect(phase == tlm::BEGIN_REQ || phase == tlm::END_RESP, "forward: phase is none of an initiator's");
        const tlm::tlm_phase sent = phase;
        if (phase == tlm::BEGIN_REQ) begin(p, delay);
        if (phase == tlm::END_RESP) advance(p, phase, delay);
        const tlm::tlm_sync_enum answer = to->nb_transport_fw(p, phase, delay);
        if (answer == tlm::TLM_ACCEPTED) return answer;
        if (sent == tlm::END_RESP) {
            expect(answer == tlm::TLM_COMPLETED, "forward: END_RESP is updated");
        } else if (answer == tlm::TLM_COMPLETED) {
            complete(p, delay);
        } else {
            expect(phase == tlm::END_REQ || phase == tlm::BEGIN_RESP,
                   "forward: BEGIN_REQ is updated wrongly");
            advance(p, phase, delay);
        }
        return answer;
    }

    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& p, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) {
        expect(phase == tlm::END_REQ || phase == tlm::BEGIN_RESP, "backward: phase is none of a target's");
        const tlm::tlm_phase sent = phase;
        advance(p, phase, delay);
        const tlm::tlm_sync_enum answer = from->nb_transport_bw(p, phase, delay);
        if (sent == tlm::END_REQ) {
            expect(answer == tlm::TLM_ACCEPTED, "backward: END_REQ is updated");
        } else if (answer == tlm::TLM_UPDATED) {
            expect(phase == tlm::END_RESP, "backward: BEGIN_RESP is updated wrongly");
            advance(p, tlm::END_RESP, delay);
        } else if (answer == tlm::TLM_COMPLETED) {
            advance(p, tlm::END_RESP, delay);
        }
        return answer;
    }

    void begin(tlm::tlm_generic_payload& p, const sc_core::sc_time& delay) {
        check_request(p);
        expect(p.has_mm() && p.get_ref_count() > 0, "BEGIN_REQ: no memory manager, or not acquired");
        expect(m_open.count(&p) == 0, "BEGIN_REQ: the transaction is in use");
        expect(m_requesting == nullptr, "BEGIN_REQ before END_REQ of the request before");
        const sc_core::sc_time at = sc_core::sc_time_stamp() + delay;
        expect(at >= m_request_end, "BEGIN_REQ: time before END_REQ of the request before");
        m_requesting = &p;
        m_open.insert_or_assign(&p, open_transaction{attributes(p), tlm::BEGIN_REQ, at});
    }

    void advance(tlm::tlm_generic_payload& p, const tlm::tlm_phase& phase, const sc_core::sc_time& delay) {
        const auto found = m_open.find(&p);
        if (found == m_open.end()) return expect(false, "a phase of a transaction that has not begun");
        open_transaction& t = found->second;
        const sc_core::sc_time at = sc_core::sc_time_stamp() + delay;
        expect(at >= t.time, "a phase: time before that of the phase before");
        expect(p.get_ref_count() > 0, "a phase: the transaction is not held");
        const bool early = t.phase == tlm::BEGIN_REQ;
        if (phase == tlm::END_REQ) {
            expect(early, "END_REQ out of place");
            end_request(p, at);
        } else if (phase == tlm::BEGIN_RESP) {
            expect(early || t.phase == tlm::END_REQ, "BEGIN_RESP out of place");
            if (early) end_request(p, at);
            expect(m_responding == nullptr, "BEGIN_RESP before END_RESP of the response before");
            expect(at >= m_response_end, "BEGIN_RESP: time before END_RESP of the response before");
            m_responding = &p;
            check_response(p, t.at_start);
        } else {
            expect(phase == tlm::END_RESP && t.phase == tlm::BEGIN_RESP, "END_RESP out of place");
            m_responding = nullptr;
            m_response_end = at;
            m_open.erase(found);
            return;
        }
        t.phase = phase;
        t.time = at;
    }

    void complete(tlm::tlm_generic_payload& p, const sc_core::sc_time& delay) {
        end_request(p, sc_core::sc_time_stamp() + delay);
        check_response(p, m_open.at(&p).at_start);
        m_open.erase(&p);
    }

    void end_request(tlm::tlm_generic_payload& p, const sc_core::sc_time& at) {
        if (m_requesting != &p) return;
        m_requesting = nullptr;
        m_request_end = at;
    }

    std::map<const tlm::tlm_generic_payload*, open_transaction> m_open;
    const tlm::tlm_generic_payload *m_requesting = nullptr, *m_responding = nullptr;
    sc_core::sc_time m_request_end, m_response_end;

  public:
    /// Transactions that have begun and not ended.
    std::size_t open() const { return m_open.size(); }
};

/// A checker on every socket of a test; at its end none has seen a violation, or an open transaction.
class protocol_checkers {
  public:
    template <unsigned Width, class Initiator, class Target>
    void between(Initiator& initiator, Target& target) {
        const std::string name = "checker" + std::to_string(m_all.size());
        auto made = std::make_shared<protocol_checker<Width>>(name.c_str());
        made->between(initiator, target);
        m_all.push_back([made] {
            EXPECT_EQ(made->violations, std::vector<std::string>()) << made->name();
            EXPECT_EQ(made->open(), 0U) << made->name();
            EXPECT_GT(made->calls, 0U) << made->name();
        });
    }
    void look() const {
        for (const auto& look : m_all) look();
    }

  private:
    std::vector<std::function<void()>> m_all;
};

}  // namespace sare::test
