// SPDX-License-Identifier: Apache-2.0
#include "tlm/stats/results.h"
#include "tlm/stats/table.h"
#include "traffic/protocol/protocol_workload.h"

namespace sare::traffic {
namespace {

const table_form transactions_form{"protocol.csv", R"(
    transaction: text. Its kind.
    begun: count in transactions. Since the start.
    ended: count in transactions. Since the start: all messages to the requester have been handled.
    mean_cycles: number in cycles. From begin to end, of those that ended in the measured window.
    p50_cycles: number in cycles. Half of these took no longer.
    p99_cycles: number in cycles. 99% of these took no longer.
    max_cycles: count in cycles. The longest of these took so long.
)"};
const table_form messages_form{"protocol_messages.csv", R"(
    message: text. Its kind.
    class: count. Message class.
    sent: count in messages. Given to the network since the start.
    arrived: count in messages. Delivered since the start.
    flits: count in flits. Of those sent.
    mean_cycles: number in cycles. From the cycle in which it was made to its delivery, in the measured
        window.
    max_cycles: count in cycles. The longest of these took so long.
)"};

}  // namespace

config::value protocol_workload::results() const {
    using config::number;
    std::uint64_t begun = 0, ended = 0;
    latency_histogram all;
    for (const counts& c : m_of_transaction) {
        begun += c.begun;
        ended += c.ended;
        all.add(c.latencies);
    }
    const latency_summary l = all.summary();
    config::value out = config::value::map({{"transactions_begun", number(begun)},
                                            {"transactions_ended", number(ended)},
                                            {"mean_transaction_cycles", number(l.mean)},
                                            {"p99_transaction_cycles", number(l.p99)},
                                            {"max_transaction_cycles", number(l.max)},
                                            {"most_messages_held", number(m_most_arrived)}});
    if (m_lost != 0) out.set("lost", number(m_lost));
    return out;
}

std::vector<std::pair<std::string, std::string>> protocol_workload::tables() const {
    table transactions(transactions_form), messages(messages_form);
    for (std::size_t k = 0; k < m_of_transaction.size(); ++k) {
        const counts& c = m_of_transaction[k];
        const latency_summary l = c.latencies.summary();
        transactions.row(m_machine.transactions[k].name, c.begun, c.ended, l.mean, l.p50, l.p99,
                         static_cast<double>(l.max));
    }
    for (std::size_t k = 0; k < m_of_message.size(); ++k) {
        const counts& c = m_of_message[k];
        const latency_summary l = c.latencies.summary();
        messages.row(m_machine.messages[k].name, m_machine.messages[k].message_class, c.begun, c.ended,
                     c.flits, l.mean, static_cast<double>(l.max));
    }
    return {{transactions_form.file(), transactions.text()}, {messages_form.file(), messages.text()}};
}

}  // namespace sare::traffic
