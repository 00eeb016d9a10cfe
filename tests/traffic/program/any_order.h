// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/rng.h"
#include "traffic/trace/reader.h"

#include <gtest/gtest.h>

namespace sare::testing_support {

/// All that a trace says, task by task, with the members of communicators: asked for task by task, or in an
/// order that is drawn.
inline std::vector<std::string> told(traffic::trace_reader& reader, std::uint64_t draw) {
    std::vector<std::string> all(reader.tasks());
    std::vector<std::uint32_t> open;
    for (std::uint32_t t = 0; t < reader.tasks(); ++t) open.push_back(t);
    for (rng random(draw, stream::test, 0); !open.empty();) {
        const std::size_t at = draw == 0 ? 0 : random.below(static_cast<std::uint32_t>(open.size()));
        const std::uint32_t task = open[at];
        traffic::event e;
        if (!reader.next(task, e)) {
            open.erase(open.begin() + static_cast<std::ptrdiff_t>(at));
            continue;
        }
        std::string& text = all[task];
        text += std::to_string(e.number) + " " + operation_text(e) + " " + std::to_string(e.seconds * 1e9) +
                " ns, request " + std::to_string(e.request) + ", communicator " +
                std::to_string(e.communicator);
        for (std::uint32_t r = 0; e.communicator != 0 && r < reader.group(e.communicator).size(); ++r)
            text += " " + std::to_string(reader.group(e.communicator).task(r));
        for (const auto& need : e.needs) text += " needs " + std::to_string(need.request);
        text += "\n";
    }
    return all;
}

/// What a task does, and by which numbers, does not depend on what others were asked for before.
inline void expect_the_same_in_any_order(const std::string& path) {
    const std::vector<std::string> expected = told(*traffic::open_trace(path), 0);
    for (std::uint64_t draw = 1; draw <= 5; ++draw)
        EXPECT_TRUE(told(*traffic::open_trace(path), draw) == expected) << "order " << draw;
}

}  // namespace sare::testing_support
