// SPDX-License-Identifier: Apache-2.0
#include "traffic/micro/relay.h"

namespace sare::traffic::variants::ring {
namespace {

struct parameters {
    std::uint64_t bytes = 4, rounds = 1;
};

class ring final : public relay {
  public:
    explicit ring(const parameters& p) : relay(p.bytes, 1), m_rounds(p.rounds) {}

  protected:
    std::uint64_t count(std::uint64_t nodes) const override { return nodes * m_rounds; }
    std::pair<std::uint32_t, std::uint32_t> ends(std::uint64_t k) override {
        const std::uint32_t nodes = port().nodes();
        return {static_cast<std::uint32_t>(k % nodes), static_cast<std::uint32_t>((k + 1) % nodes)};
    }

  private:
    std::uint64_t m_rounds;
};

const config::registration<workload, const workload_context&> registered{
    "ring", "Micro-benchmark: a message goes from node 0 to 1, 2, ... and back to 0, from hand to hand.",
    config::schema<parameters>()
        .number("bytes", &parameters::bytes, 0, 4e9, "bytes", "of the message: one integer")
        .number("rounds", &parameters::rounds, 1, 1e9, "", "times that it goes round"),
    config::made<ring>};

}  // namespace
}  // namespace sare::traffic::variants::ring
