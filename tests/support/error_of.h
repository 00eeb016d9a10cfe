// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <systemc>

namespace sare::test {

/// Id and text of the report that `f` throws; "" if it throws none.
template <class F>
std::string error_of(F f) {
    try {
        f();
    } catch (const sc_core::sc_report& r) {
        return std::string(r.get_msg_type()) + ": " + r.get_msg();
    }
    return "";
}

}  // namespace sare::test
