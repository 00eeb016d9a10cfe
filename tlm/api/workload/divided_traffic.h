// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/workload/message.h"

namespace sare {

class world;

/// Functions of a workload that runs in several processes, each with an object of its own for the nodes of
/// traffic_port::is_here().
class divided_traffic {
  public:
    /// True if the workload can run in several processes, as its nodes learn of each other by messages only.
    /// Each process then counts the messages of its own nodes.
    virtual bool runs_by_nodes() const { return false; }
    /// Number of 64-bit words that the workload adds to each packet that goes to another process, beside the
    /// tag; the same for all messages. 0: none.
    virtual std::uint32_t words_with_messages() const { return 0; }
    /// Writes the words_with_messages() words that go with message `m`, which was sent in this process, to
    /// `words`.
    virtual void write_words(const message& m, std::uint64_t* words) const { (void)m, (void)words; }
    /// Called when all packets of message `m`, which this process has sent, have gone to other processes;
    /// only if words_with_messages() is not 0. The message may come back to a node of this process: it is
    /// then delivered like one of another process.
    virtual void has_left(const message& m) { (void)m; }
    /// Returns the tag that delivered() is to be given for a message from another process that has arrived
    /// here. `words`: words that write_words() of the sending process wrote. Called only if
    /// words_with_messages() is not 0.
    virtual std::uint64_t tag_of(const message& m, const std::uint64_t* words) {
        (void)words;
        return m.tag;
    }
    /// Adds up counts over all processes at the end of a run, so that results() and tables() of rank 0 are
    /// about all nodes. All processes call it together.
    virtual void add_up(world& all) { (void)all; }

  protected:
    ~divided_traffic() = default;
};

}  // namespace sare
