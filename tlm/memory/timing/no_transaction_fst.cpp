// SPDX-License-Identifier: Apache-2.0
#include "tlm/memory/timing/transaction_trace.h"

#include <stdexcept>

/// FST in a build for which there was no fstapi.
namespace sare {

void transaction_trace::write_fst(std::ostream&) const {
    throw std::runtime_error(
        "this build writes no FST: Verilator, with whose files FST comes, was not there");
}

}  // namespace sare
