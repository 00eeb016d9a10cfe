// SPDX-License-Identifier: Apache-2.0
#include "traffic/trace/formats/dumpi/dumpi_requests.h"

namespace sare::traffic {

using fn = dumpi_function;

std::vector<std::int64_t> completed_requests(const dumpi_call& call) {
    const auto& v = call.values;
    const auto& lists = call.arrays;
    const auto one = [&](std::int64_t index) -> std::vector<std::int64_t> {
        if (index < 0 || static_cast<std::size_t>(index) >= lists[0].size()) return {};
        return {lists[0][static_cast<std::size_t>(index)]};
    };
    using names = std::vector<std::int64_t>;
    switch (call.function) {
        case fn::wait:
            return {v[0]};
        case fn::test:
            return v[1] != 0 ? names{v[0]} : names{};
        case fn::waitany:
            return one(v[1]);
        case fn::testany:
            return v[2] != 0 ? one(v[1]) : names{};
        case fn::waitall:
            return lists[0];
        case fn::testall:
            return v[1] != 0 ? lists[0] : names{};
        case fn::waitsome:
        case fn::testsome: {
            names all;
            for (const auto index : lists[1])
                for (const auto name : one(index)) all.push_back(name);
            return all;
        }
        default:
            return {};
    }
}

void dumpi_null_receives::see(const dumpi_call& call) {
    if (call.function >= fn::isend && call.function <= fn::irecv) {
        if (call.function == fn::irecv && call.values[2] == -1)
            m_open[call.values[5]] = call.number;
        else
            m_open.erase(call.values[5]);
        return;
    }
    if (m_open.empty() || call.function < fn::wait || call.function > fn::testsome) return;
    const auto names = completed_requests(call);
    for (std::size_t k = 0; k < names.size(); ++k) {
        const auto found = m_open.find(names[k]);
        if (found == m_open.end()) continue;
        if (call.statuses.size() == names.size() && is_from_no_process(call.statuses[k]))
            m_found.insert(found->second);
        m_open.erase(found);
    }
}

}  // namespace sare::traffic
