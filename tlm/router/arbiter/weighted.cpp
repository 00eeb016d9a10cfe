// SPDX-License-Identifier: Apache-2.0
#include "tlm/router/arbiter/arbiter.h"

#include <algorithm>
#include <vector>

namespace sare {
namespace {

enum class weighed : std::uint8_t { input, message_class };

/// Parameters: the weight of each input or class, and which of the two has them. The last weight holds for
/// all that follow.
struct weights {
    std::vector<std::uint32_t> each{1};
    weighed by = weighed::input;
};

/// Policy weighted: weighted round robin (M. Katevenis et al., "Weighted round-robin cell multiplexing in a
/// general-purpose ATM switch chip", IEEE JSAC 9, 1991). In a round every input, or message class, is served
/// as often as its weight says, in turn with the others. words[g] is what input or class g has left in this
/// round. A round ends when all that ask have had their share.
struct weighted_policy : by_rank<weighted_policy> {
    explicit weighted_policy(weights its) : given(std::move(its)) {}

    std::uint32_t words(const arbiter_size& size) const {
        return given.by == weighed::input ? size.ports : size.classes;
    }
    std::uint64_t rank(const arbiter_state& a, std::uint32_t i, const arbiter_requests& of) const {
        const std::uint64_t had_its_share = a.words[group(i, of)] == 0 ? 1 : 0;
        return had_its_share << 32 | a.distance(i);
    }
    void served(const arbiter_state& a, std::uint32_t winner, const arbiter_requests& of) const {
        std::uint32_t& left = a.words[group(winner, of)];
        if (left == 0) begin_round(a);
        --left;
    }

  private:
    /// Returns the input or message class of requester i.
    std::uint32_t group(std::uint32_t i, const arbiter_requests& of) const {
        return given.by == weighed::input ? of.port(i) : of.message_class(i);
    }
    void begin_round(const arbiter_state& a) const {
        for (std::uint32_t g = 0; g < a.own_words; ++g)
            a.words[g] = given.each[std::min<std::size_t>(g, given.each.size() - 1)];
    }

    weights given;
};

const config::registration<arbiter> registered_weighted(
    "weighted", "In turn, the heavier the more often.",
    config::schema<weights>()
        .integers("weights", &weights::each, 1, 65535, "",
                  "Of input 0, 1, ... or class 0, 1, ...: how often it is served in a round. The last one "
                  "holds for all that follow.")
        .choice("by", &weights::by, {{"input", weighed::input}, {"class", weighed::message_class}},
                "What has a weight: an input, or a message class."),
    [](const weights& its, const config::value& section) {
        if (its.each.empty())
            throw config::error(section.where(), "'weights' is empty; it must have a number");
        return new arbiter_of<weighted_policy>(weighted_policy(its));
    });

}  // namespace
}  // namespace sare
