// SPDX-License-Identifier: Apache-2.0
#include "tlm/network/results/loss_table.h"

#include "tlm/stats/table.h"

namespace sare {
namespace {

const table_form losses_form{loss_file, R"(
    cause: text. Why packets were dropped.
    router: count. Where.
    port: count. Output that they waited for, or whose link failed; empty: none.
    packets: count in packets. Since the start of the run.
    flits: count in flits. Of these packets.
)"};

}  // namespace

std::string loss_table(const packet_changes& changes) {
    if (changes.dropped_at.empty()) return "";
    table t(losses_form);
    for (const auto& [at, count] : changes.dropped_at) {
        t.cell(at.cause);
        t.cell(at.router);
        at.port == drop_location::no_port ? t.no_cell() : t.cell(at.port);
        t.row(count.packets, count.flits);
    }
    return t.text();
}

}  // namespace sare
