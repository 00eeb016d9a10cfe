// SPDX-License-Identifier: Apache-2.0
#include "traffic/length/length.h"

namespace sare::traffic::variants::fixed {
namespace {

struct parameters {
    std::uint32_t flits = 1;
};

class fixed : public length_law {
  public:
    explicit fixed(std::uint32_t flits) : length_law(flits, flits) {}
    double mean_of(const function_of_length& f) const override { return f(largest()); }

  private:
    std::uint32_t draw(rng&) override { return largest(); }
};

const config::registration<length_law, const length_context&> registered{
    "fixed", "Every message has the same length.",
    config::schema<parameters>().number("flits", &parameters::flits, 1, 1 << 20, "flits",
                                        "length of a message"),
    [](const parameters& p, const config::value&, const length_context&) { return new fixed(p.flits); }};

}  // namespace
}  // namespace sare::traffic::variants::fixed
