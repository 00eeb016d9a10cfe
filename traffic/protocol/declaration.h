// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/ids.h"
#include "tlm/config/schema.h"

/// A protocol of messages as it is declared: kinds of messages, and transactions made of steps. Each step is
/// a message that is sent when earlier messages have been handled.
namespace sare::traffic {

/// Role of a node in a transaction. A transaction has one node in each role, but any number of sharers.
enum class role : std::uint8_t { requester, home, owner, memory, sharers };
/// Returns the name of the enumerator, which is the word of the configuration.
const char* to_string(role r);

/// A kind of messages.
struct message_kind {
    std::string name;                                   ///< name in the configuration
    std::uint32_t message_class = 0;                    ///< message class of its messages
    config::value length = config::value::scalar("1");  ///< law of their lengths (make_length())
    cycle_t service = 0;  ///< cycles that a node takes to handle a message when its turn has come
};

/// A step of a transaction: one message, or one message to each sharer, or one message from each sharer.
struct protocol_step {
    std::uint32_t kind = 0;                        ///< index of its message_kind
    role from = role::requester, to = role::home;  ///< role that sends, and role that receives
    /// Indices of the earlier steps, all to the role `from`, that must be handled before this step is sent;
    /// empty: the first step of the transaction. A sharer sends its message when it has handled its own copy.
    std::vector<std::uint32_t> on;
};

/// A kind of transactions.
struct transaction_kind {
    std::string name;                  ///< name in the configuration
    double weight = 1;                 ///< relative frequency, 0 or more
    std::vector<protocol_step> steps;  ///< steps, each behind the steps on which it is sent

    bool has(role r) const;  ///< returns true if a step goes to the role
};

/// A whole protocol.
struct protocol_machine {
    std::vector<message_kind> messages;          ///< kinds of messages, by index
    std::vector<transaction_kind> transactions;  ///< kinds of transactions with a weight above 0
    std::uint32_t classes = 1;                   ///< number of message classes
};

/// Returns the number of messages of a step in a transaction with `sharers` sharers.
inline std::uint32_t messages_of(const protocol_step& s, std::size_t sharers) {
    return s.from == role::sharers || s.to == role::sharers ? static_cast<std::uint32_t>(sharers) : 1;
}

/// Protocols that are built in; none: a protocol without messages and transactions.
enum class preset : std::uint8_t { none, mesi_directory, chi_like };

/// Parameters of the workload `protocol`.
struct protocol_parameters {
    preset base = preset::none;  ///< built-in protocol that `messages` and `transactions` change
    /// Maps from names to sections, as the user wrote them; null: not given.
    config::value messages, transactions;
    std::uint32_t outstanding = 4;  ///< largest number of transactions of a requester at a time
    config::value think;      ///< cycles from the end of a transaction to the next one in its place: a law of
                              ///< gaps (make_gaps()); null: 0
    std::uint64_t count = 0;  ///< number of transactions of each requester; 0: no end
    /// `buffer`: largest number of messages of a class that have come to a node and, apart from these, that
    /// wait to leave it; 0: any number. `classes`: largest number of message classes, the last of which takes
    /// the messages of higher ones; 0: no limit.
    std::uint32_t buffer = 4, classes = 0;
    /// Number of sharers of a transaction: an integer or a law of lengths (make_length()).
    config::value sharers = config::value::scalar("2");
    /// Patterns (pattern_registry) that choose a home for a requester, an owner and each sharer for a
    /// requester, and a memory for a home.
    config::value home = config::value::scalar("uniform"), owner = home, memory = home;
    config::number_set requesters{true, {}, {}};  ///< nodes that begin transactions; all by default

    static config::schema<protocol_parameters> fields();
    /// Returns the protocol: the preset with the changes of `messages` and `transactions`. `section`: section
    /// of the workload, for errors. Throws config::error for a wrong message or transaction, or if no
    /// transaction has a weight above 0.
    protocol_machine machine(const config::value& section) const;
};

/// Returns the section, with the keys `messages` and `transactions`, that a preset stands for; a null value
/// for preset::none.
config::value section_of(preset p);

}  // namespace sare::traffic
