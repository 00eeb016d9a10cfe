// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/ids.h"
#include "tlm/config/schema.h"

/// A protocol of messages as it is declared: kinds of messages, and transactions made of steps, each of which
/// is a message that is sent when earlier ones have been handled.
namespace sare::traffic {

/// Roles of nodes in a transaction. A transaction has a node in each role, and any number of sharers.
enum class role : std::uint8_t { requester, home, owner, memory, sharers };
/// Returns the name of the enumerator, which is the word of the configuration.
const char* to_string(role r);

/// A kind of messages.
struct message_kind {
    std::string name;
    std::uint32_t message_class = 0;                    ///< message class of its messages
    config::value length = config::value::scalar("1");  ///< law of their lengths (make_length())
    cycle_t service = 0;  ///< cycles from the time at which its turn comes until it has been handled
};

/// A step of a transaction: a message to a role, or one to each sharer, or one from each sharer.
struct protocol_step {
    std::uint32_t kind = 0;  ///< index of its message_kind
    role from = role::requester, to = role::home;
    /// Indices of the earlier steps, all to the role `from`, that must be handled before; empty: the first
    /// step of the transaction. A sharer sends its message when it has handled its own copy.
    std::vector<std::uint32_t> on;
};

/// A kind of transactions.
struct transaction_kind {
    std::string name;
    double weight = 1;  ///< relative frequency, 0 or more
    std::vector<protocol_step> steps;

    bool has(role r) const;  ///< true: a step goes to the role
};

/// A whole protocol.
struct protocol_machine {
    std::vector<message_kind> messages;
    std::vector<transaction_kind> transactions;
    std::uint32_t classes = 1;  ///< number of message classes
};

/// Returns the number of messages of a step in a transaction with `sharers` sharers.
inline std::uint32_t messages_of(const protocol_step& s, std::size_t sharers) {
    return s.from == role::sharers || s.to == role::sharers ? static_cast<std::uint32_t>(sharers) : 1;
}

/// Protocols that are built in.
enum class preset : std::uint8_t { none, mesi_directory, chi_like };

/// Parameters of the workload `protocol`.
struct protocol_parameters {
    preset base = preset::none;
    config::value messages, transactions;  ///< maps of sections, as written; null: none
    std::uint32_t outstanding = 4;
    config::value think;  ///< number or law of gaps; null: 0 cycles
    std::uint64_t count = 0;
    std::uint32_t buffer = 4, classes = 0;
    config::value sharers = config::value::scalar("2");
    config::value home = config::value::scalar("uniform"), owner = home, memory = home;
    config::number_set requesters{true, {}, {}};

    static config::schema<protocol_parameters> fields();
    /// Returns the protocol: the preset with the changes of `messages` and `transactions`. Throws
    /// config::error for a protocol that cannot be. `section`: section of the workload.
    protocol_machine machine(const config::value& section) const;
};

/// Returns the section, with the keys `messages` and `transactions`, that a preset stands for; null for
/// preset::none.
config::value section_of(preset p);

}  // namespace sare::traffic
