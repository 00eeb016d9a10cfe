// SPDX-License-Identifier: Apache-2.0
#include "traffic/trace/bytes.h"
#include "traffic/trace/formats/goal/goal_schedule.h"
#include "traffic/trace/text_stream.h"

#include <fmt/format.h>

/// GOAL schedules as LogGOPSim's txt2bin writes them: a table of ranks, then rank after rank.
namespace sare::traffic::variants::goal_binary {
namespace {

constexpr std::uint64_t cookie = 4223;
constexpr std::size_t operation_bytes = 39;

class binary_goal_reader final : public goal_schedule {
  public:
    explicit binary_goal_reader(const trace_source& source)
        : goal_schedule(source.path), m_text(std::move(*source.text)) {
        if (take(8) != cookie) fail("a binary schedule of GOAL begins with the number 4223, in 8 bytes");
        m_at = 0;  // from here on the table counts
        const std::uint64_t ranks = take(4);
        if (ranks == 0 || ranks > most_goal_ranks)
            fail(fmt::format("the schedule claims {} ranks; 1 to 16777216 are possible", ranks));
        m_count = static_cast<std::uint32_t>(ranks);
        take(2);  // the highest cpu and nic
        std::vector<std::uint64_t> starts;
        for (std::uint64_t r = 0; r < ranks; ++r) {
            starts.push_back(take(8));
            take(8);  // its end, which follows from what it has
        }
        for (std::uint32_t r = 0; r < m_count; ++r) read_rank(r, starts[r]);
        say(m_cpus, m_nics);
    }

  private:
    /// The operations that depend on one: so many numbers from a place in the rank's list on.
    struct list {
        std::uint32_t earlier = 0;
        std::uint64_t count = 0, from = 0;
        bool begun = false;
    };

    [[noreturn]] void fail(const std::string& what) const { throw config::error({m_path, 0, 0}, what); }
    [[noreturn]] void fail(std::uint32_t rank, const std::string& what) const {
        fail(fmt::format("rank {}: {}", rank, what));
    }

    std::uint64_t take(std::size_t bytes) {
        char buffer[8];
        if (m_text.read(buffer, bytes) < bytes) fail("the schedule is cut short");
        m_at += bytes;
        return little_endian(buffer, bytes);
    }

    void read_rank(std::uint32_t number, std::uint64_t start) {
        if (start != m_at)
            fail(number,
                 fmt::format("its place in the table is {}; behind the rank before it is {}", start, m_at));
        goal_rank rank;
        const std::uint64_t operations = take(4), roots = take(4);
        for (std::uint64_t i = 0; i < roots; ++i) take(4);
        std::vector<list> lists;
        std::uint64_t edges = 0;
        for (std::uint64_t i = 0; i < operations; ++i) edges += read_operation(number, rank, lists);
        std::vector<std::uint32_t> dependents;
        for (std::uint64_t i = 0; i < edges; ++i) dependents.push_back(static_cast<std::uint32_t>(take(4)));
        for (const list& l : lists) connect(number, rank, l, dependents);
        m_ranks[number] = in_order(std::move(rank), number, m_path);
    }

    /// Reads an operation; returns the number of operations that depend on it.
    std::uint64_t read_operation(std::uint32_t number, goal_rank& rank, std::vector<list>& lists) {
        char record[operation_bytes];
        if (m_text.read(record, sizeof record) < sizeof record) fail("the schedule is cut short");
        m_at += sizeof record;
        const auto field = [&](std::size_t at, std::size_t bytes) {
            return little_endian(record + at, bytes);
        };
        goal_operation o;
        const std::uint64_t type = field(4, 1);
        if (type < 1 || type > 3)
            fail(number,
                 fmt::format("there is no operation of type {}; 1, 2 and 3 are send, receive and calculate",
                             type));
        o.what = type == 1 ? op::send : type == 2 ? op::recv : op::compute;
        o.peer = static_cast<std::uint32_t>(field(5, 4));
        o.size = field(9, 8);
        o.tag = static_cast<std::uint32_t>(field(17, 4));
        if (type != 3 && o.peer >= m_count && (type == 1 || o.peer != goal_wild))
            fail(number, fmt::format("the peer {} is out of range; at most {}", o.peer, m_count - 1));
        m_cpus = std::max(m_cpus, field(21, 1) + 1);
        m_nics = m_nics || field(22, 1) != 0;
        const auto self = static_cast<std::uint32_t>(rank.operations.size());
        rank.operations.push_back(o);
        const list ended{self, field(23, 4), field(27, 4), false},
            begun{self, field(31, 4), field(35, 4), true};
        for (const list& l : {ended, begun})
            if (l.count > 0) lists.push_back(l);
        return ended.count + begun.count;
    }

    void connect(std::uint32_t number, goal_rank& rank, const list& l,
                 const std::vector<std::uint32_t>& dependents) const {
        if (l.from + l.count > dependents.size())
            fail(number,
                 fmt::format("the list of what depends on operation {} is not in the file", l.earlier));
        rank.operations[l.earlier].needed = true;
        for (std::uint64_t i = l.from; i < l.from + l.count; ++i) {
            if (dependents[i] >= rank.operations.size())
                fail(number, fmt::format("operation {} depends on one, but is not there", dependents[i]));
            rank.edges.push_back({dependents[i], l.earlier, 0, l.begun});
        }
    }

    text_stream m_text;
    std::uint64_t m_at = 0;  ///< bytes since the cookie
    std::uint64_t m_cpus = 1;
    bool m_nics = false;
};

[[maybe_unused]] const bool known = add_signature("goal_binary", [](const std::string& head) {
    return head.size() >= 8 && little_endian(head.data(), 8) == cookie;
});

const config::registration<trace_reader, const trace_source&> registered{
    "goal_binary", "GOAL schedules as LogGOPSim's txt2bin writes them.", config::made<binary_goal_reader>};

}  // namespace
}  // namespace sare::traffic::variants::goal_binary
