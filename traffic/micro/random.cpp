// SPDX-License-Identifier: Apache-2.0
#include "tlm/base/rng.h"
#include "tlm/state/archive.h"
#include "traffic/micro/relay.h"

namespace sare::traffic::variants::random {
namespace {

struct parameters {
    std::uint64_t bytes = 4, messages = 0;
    std::uint32_t outstanding = 1;
};

class random_pairs final : public relay {
  public:
    explicit random_pairs(const parameters& p) : relay(p.bytes, p.outstanding), m_messages(p.messages) {}

  protected:
    std::uint64_t count(std::uint64_t nodes) const override {
        return m_messages != 0 ? m_messages : nodes * nodes;
    }
    void begin() override { m_random = rng(port().seed(), stream::workload, 0); }
    /// Returns two nodes that are not the same, if there are two.
    std::pair<std::uint32_t, std::uint32_t> ends(std::uint64_t) override {
        const std::uint32_t nodes = port().nodes(), source = m_random.below(nodes);
        if (nodes == 1) return {source, source};
        const std::uint32_t other = m_random.below(nodes - 1);
        return {source, other < source ? other : other + 1};
    }

  private:
    void serialize(archive& a) override {
        relay::serialize(a);
        a(m_random);
    }

    std::uint64_t m_messages;
    rng m_random;
};

const config::registration<workload, const workload_context&> registered{
    "random", "Micro-benchmark: n^2 messages, for n nodes, each from a random node to another one.",
    config::schema<parameters>()
        .number("bytes", &parameters::bytes, 0, 4e9, "bytes", "of a message: one integer")
        .number("messages", &parameters::messages, 0, 1e18, "messages", "in all; 0: n^2")
        .number("outstanding", &parameters::outstanding, 1, 1e9, "messages",
                "on their way at a time: when one arrives the next is sent"),
    config::made<random_pairs>};

}  // namespace
}  // namespace sare::traffic::variants::random
