// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <tlm_utils/simple_target_socket.h>

#include <algorithm>
#include <systemc>
#include <vector>

/// A memory that knows only TLM-2.0, and nothing of Sare: 64 KiB with addresses from 0 on, which are not
/// checked. Each access adds the same time to the delay. Streaming widths and byte enables are ignored.
template <unsigned WIDTH = 32, class PROTOCOL = tlm::tlm_base_protocol_types>
struct ram : sc_core::sc_module {
    tlm_utils::simple_target_socket<ram, WIDTH, PROTOCOL> socket{"socket"};
    std::vector<unsigned char> bytes = std::vector<unsigned char>(0x10000);
    sc_core::sc_time each;  ///< time that an access takes

    explicit ram(const sc_core::sc_module_name& name,
                 const sc_core::sc_time& takes = sc_core::sc_time(10, sc_core::SC_NS))
        : sc_module(name), each(takes) {
        socket.register_b_transport(this, &ram::serve);
    }
    void serve(tlm::tlm_generic_payload& t, sc_core::sc_time& delay) {
        unsigned char* const here = bytes.data() + t.get_address();
        if (t.is_write())
            std::copy_n(t.get_data_ptr(), t.get_data_length(), here);
        else
            std::copy_n(here, t.get_data_length(), t.get_data_ptr());
        delay += each;
        t.set_response_status(tlm::TLM_OK_RESPONSE);
    }
};
