// SPDX-License-Identifier: Apache-2.0
#include "traffic/trace/formats/sare/sare_binary.h"

#include "traffic/trace/bytes.h"
#include "traffic/trace/event_bytes.h"
#include "traffic/trace/reader.h"
#include "traffic/trace/sparse_tasks.h"
#include "traffic/trace/text_stream.h"

#include <fmt/format.h>

#include <zstd.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <fstream>
#include <queue>
#include <set>
#include <unordered_map>

/// Reads the binary form of Sare's own format: block by block of the task that is asked for, by the index at
/// the end; where the file as a whole is compressed, in its order, and the other tasks' blocks wait in memory
/// as they are.
namespace sare::traffic::variants::sare_binary_trace {
namespace {

using namespace sare_binary;

constexpr double most_bytes = 9e15;  ///< limit on the bytes of a message, as in the text

class sare_binary_reader final : public trace_reader {
  public:
    explicit sare_binary_reader(const trace_source& source)
        : m_path(source.path), m_text(std::move(*source.text)), m_seeks(!m_text.compressed()) {
        char head[magic_bytes];
        if (m_text.read(head, magic_bytes) < magic_bytes || std::string(head, magic_bytes) != magic)
            fail("the file must begin with the magic of Sare's binary traces");
        m_at = magic_bytes;
        const std::uint64_t v = varint();
        if (v != version)
            fail(fmt::format("version {} of the binary form is not known; this reader knows 1", v));
        const std::uint64_t tasks = varint();
        if (tasks < 1 || tasks > most_tasks)
            fail(fmt::format("the trace claims {} tasks; 1 to 16777216 are possible", tasks));
        read_kinds();

        m_tasks.resize(tasks);
        if (m_seeks) read_index();
    }

    std::uint32_t tasks() const override { return static_cast<std::uint32_t>(m_tasks.size()); }
    config::location where(std::uint32_t, const event&) const override { return {m_path, 0, 0}; }
    const communicator& group(std::uint32_t id) const override { return m_groups.at(id); }

    bool next(std::uint32_t task, event& e) override {
        task_state& t = m_tasks[task];
        if (t.left == 0 && !next_block(task)) return false;
        byte_source from(t.bytes.data() + t.at, t.bytes.size() - t.at);
        e.clear();
        e.line = 0;
        e.number = ++t.number;
        const std::uint64_t code = take_operation(from, e, t.context);
        if (from.bad()) fail(task, "the block is damaged");
        if (code >= m_kinds.size()) fail(task, fmt::format("there is no kind of operation {}", code));
        if (!m_kinds[code].known) fail(task, "the operation '" + m_kinds[code].name + "' is not known here");
        e.what = m_kinds[code].what;
        validate(task, e);
        t.at = t.bytes.size() - from.left();
        if (--t.left == 0 && from.left() != 0) fail(task, "behind the last event of the block is something");
        return true;
    }

    /// Reads the next event of the task least far in the file: a block lies where its last event was written.
    bool next_any(std::uint32_t& task, event& e) override {
        if (!m_seeks) return trace_reader::next_any(task, e);
        if (!m_merges) {
            m_merges = true;
            for (std::uint32_t t = 0; t < tasks(); ++t)
                if (m_tasks.at(t).block != m_tasks.at(t).end_block) m_order.emplace(0, t);
        }
        while (m_batch == 0) {
            if (m_order.empty()) return false;
            m_now = m_order.top().second;
            m_order.pop();
            m_batch = 32;
        }
        task = m_now;
        try {
            if (next(task, e)) {
                if (--m_batch == 0) m_order.emplace(place(m_tasks[task]), task);
                return true;
            }
        } catch (...) {
            m_batch = 0;
            throw;
        }
        m_batch = 0;
        return next_any(task, e);
    }

  private:
    struct operation_kind {
        std::string name;
        op what = op::compute;
        bool known = false;
    };
    struct block_extent {
        std::uint64_t at = 0, bytes = 0;
    };
    struct stored_block {
        std::uint64_t kind = 0, events = 0, raw = 0;
        std::string packed;
    };
    struct task_state {
        std::string bytes;  ///< bytes of the block that is read
        std::size_t at = 0;
        std::uint64_t events = 0, left = 0;  ///< numbers of events in that block
        std::uint64_t number = 0;
        byte_context context;
        std::size_t block = 0, end_block = 0;  ///< next block in m_blocks, and the end
    };

    [[noreturn]] void fail(const std::string& what) const { throw config::error({m_path, 0, 0}, what); }
    [[noreturn]] void fail(std::uint32_t task, const std::string& what) const {
        fail(fmt::format("task {}, event {}: {}", task, m_tasks.at(task).number, what));
    }

    std::uint64_t varint() {
        std::uint64_t n = 0;
        for (unsigned shift = 0; shift < 64; shift += 7) {
            char byte = 0;
            if (m_text.read(&byte, 1) == 0) fail("the trace is cut short");
            ++m_at;
            n |= (static_cast<unsigned char>(byte) & std::uint64_t{0x7f}) << shift;
            if ((static_cast<unsigned char>(byte) & 0x80U) == 0) return n;
        }
        fail(fmt::format("a number of more than 64 bits at byte {}", m_at));
    }

    void read_kinds() {
        const std::uint64_t count = varint();
        if (count > 1000) fail(fmt::format("the trace claims {} kinds of operations", count));
        for (std::uint64_t i = 0; i < count; ++i) {
            operation_kind k;
            k.name.resize(std::min<std::uint64_t>(varint(), 64));
            if (m_text.read(k.name.data(), k.name.size()) < k.name.size()) fail("the trace is cut short");
            m_at += k.name.size();
            for (std::size_t o = 0; o < op_count && !k.known; ++o) {
                k.what = static_cast<op>(o);
                k.known = k.name == op_name(k.what);
            }
            m_kinds.push_back(k);
        }
    }

    /// Reads the index, which gives every block's place before any is read; communicators are read at once.
    void read_index() {
        m_file.open(m_path, std::ios::binary);
        m_file.seekg(0, std::ios::end);
        const auto size = static_cast<std::uint64_t>(m_file.tellg());
        constexpr std::uint64_t trailer = 8 + magic_bytes;
        if (size < m_at + trailer) fail("the trace is cut short");
        const std::string last = bytes_at(size - trailer, trailer);
        const std::uint64_t index_at = little_endian(last.data(), 8);
        if (last.compare(8, magic_bytes, end_magic) != 0) fail("the trace is cut short: its end is missing");
        if (index_at < m_at + 1 || index_at > size - trailer) fail("the index is not in the file");
        const std::string packed = bytes_at(index_at, size - trailer - index_at);
        const std::string index = unpacked_index(packed);
        byte_source from(index.data(), index.size());
        std::vector<std::pair<std::uint32_t, block_extent>> places;
        std::uint64_t at = m_at;
        while (from.left() != 0) {
            const std::uint64_t kind = from.varint(), bytes = from.varint();
            // Least of all are the four numbers before it and a frame of zstd.
            if (from.bad() || kind == no_block || kind >= first_task + m_tasks.size() || bytes < 8 ||
                bytes > index_at - 1 - at)
                fail("the index is damaged");
            if (kind == group_block)
                define(unpacked(parsed(bytes_at(at, bytes), kind)));
            else
                places.push_back({static_cast<std::uint32_t>(kind - first_task), {at, bytes}});
            at += bytes;
        }
        if (at != index_at - 1) fail("the index is damaged");
        std::stable_sort(places.begin(), places.end(),
                         [](const auto& a, const auto& b) { return a.first < b.first; });
        for (std::size_t i = 0; i < places.size(); ++i) {
            task_state& t = m_tasks[places[i].first];
            if (t.end_block == 0) t.block = i;
            t.end_block = i + 1;
            m_blocks.push_back(places[i].second);
        }
    }

    std::string unpacked_index(const std::string& packed) const {
        byte_source from(packed.data(), packed.size());
        stored_block b;
        b.events = 1;
        b.raw = from.varint();
        const std::uint64_t n = from.varint();
        if (from.bad() || n != from.left()) fail("the index is damaged");
        b.packed.assign(from.take(n), n);
        return unpacked(b);
    }

    std::string bytes_at(std::uint64_t at, std::uint64_t bytes) {
        std::string all(bytes, '\0');
        m_file.clear();
        m_file.seekg(static_cast<std::streamoff>(at));
        if (!m_file.read(all.data(), static_cast<std::streamsize>(bytes))) fail("the trace is cut short");
        return all;
    }

    stored_block parsed(const std::string& bytes, std::uint64_t kind) const {
        byte_source from(bytes.data(), bytes.size());
        stored_block b;
        b.kind = from.varint();
        b.events = from.varint();
        b.raw = from.varint();
        const std::uint64_t n = from.varint();
        if (from.bad() || n != from.left() || b.kind != kind) fail("a block is not as the index has it");
        b.packed.assign(from.take(n), n);
        return b;
    }

    /// Reads a block in the order of the file, if there is no other; returns false at its end.
    bool read_block(stored_block& b) {
        if (m_ended) return false;
        b.kind = varint();
        if (b.kind == no_block) {
            m_ended = true;
            return false;
        }
        if (b.kind >= first_task + m_tasks.size())
            fail(fmt::format("a block of task {}, which there is not", b.kind - first_task));
        b.events = varint();
        b.raw = varint();
        const std::uint64_t n = varint();
        if (n > ZSTD_compressBound(most_in_event)) fail(fmt::format("a block claims {} bytes", n));
        // Piece by piece: what a number claims is not taken from the machine before it is there.
        for (b.packed.clear(); b.packed.size() < n;) {
            const std::size_t before = b.packed.size(), piece = std::min<std::size_t>(n - before, 65536);
            b.packed.resize(before + piece);
            if (m_text.read(&b.packed[before], piece) < piece) fail("the trace is cut short");
        }
        m_at += n;
        return true;
    }

    std::string unpacked(const stored_block& b) const {
        if (b.raw > most_in_event || (b.raw > most_in_block && b.events != 1))
            fail(fmt::format("a block claims {} bytes for {} events", b.raw, b.events));
        if (ZSTD_getFrameContentSize(b.packed.data(), b.packed.size()) != b.raw) fail("a block is damaged");
        std::string bytes(b.raw, '\0');
        const std::size_t n =
            ZSTD_decompressDCtx(m_zstd.get(), bytes.data(), bytes.size(), b.packed.data(), b.packed.size());
        if (ZSTD_isError(n) || n != b.raw) fail("a block is damaged");
        return bytes;
    }

    bool next_block(std::uint32_t task) {
        task_state& t = m_tasks[task];
        stored_block b;
        if (m_seeks) {
            if (t.block == t.end_block) return false;
            const block_extent& place = m_blocks[t.block++];
            b = parsed(bytes_at(place.at, place.bytes), first_task + task);
        } else if (!stored(task, b)) {
            return false;
        }
        t.bytes = unpacked(b);
        t.at = 0;
        t.events = t.left = b.events;
        t.context = {};
        if (b.events == 0 || b.events > b.raw) fail(task, "the block is damaged");
        return true;
    }

    /// Returns the next block of a task, from those that were read on the way to others, or from the file.
    bool stored(std::uint32_t task, stored_block& b) {
        const auto waiting = m_waiting.find(task);
        if (waiting != m_waiting.end()) {
            b = std::move(waiting->second.front());
            waiting->second.pop_front();
            if (waiting->second.empty()) m_waiting.erase(waiting);
            return true;
        }
        while (read_block(b)) {
            if (b.kind == first_task + task) return true;
            if (b.kind == group_block)
                define(unpacked(b));
            else
                m_waiting[static_cast<std::uint32_t>(b.kind - first_task)].push_back(std::move(b));
        }
        return false;
    }

    void define(const std::string& bytes) {
        byte_source from(bytes.data(), bytes.size());
        const std::uint64_t number = from.varint(), size = from.varint();
        if (number == 0 || number > INT32_MAX || size == 0 || size > from.left())
            fail("a communicator is damaged");
        std::vector<std::uint32_t> members;
        std::set<std::uint32_t> seen;
        for (std::uint64_t i = 0; i < size; ++i) {
            const std::uint64_t member = from.varint();
            if (member >= m_tasks.size() || !seen.insert(static_cast<std::uint32_t>(member)).second)
                fail(fmt::format("communicator {} has task {} twice, or there is no such task", number,
                                 member));
            members.push_back(static_cast<std::uint32_t>(member));
        }
        if (from.bad() || from.left() != 0) fail("a communicator is damaged");
        if (!m_groups.emplace(static_cast<std::uint32_t>(number), listed_tasks(std::move(members))).second)
            fail(fmt::format("communicator {} is there already", number));
    }

    /// Validates an event, as the text's parser does.
    void validate(std::uint32_t task, const event& e) const {
        std::uint32_t members = tasks();
        if (e.communicator != 0) {
            const auto found = m_groups.find(e.communicator);
            if (found == m_groups.end() || !found->second.has(task))
                fail(task,
                     fmt::format("there is no communicator {}, or the task is not in it", e.communicator));
            members = found->second.size();
        }
        const bool receives = e.what == op::recv || e.what == op::irecv || e.what == op::probe;
        const auto rank = [&](std::uint32_t r, bool any) {
            if (r >= members && !(any && r == any_source))
                fail(task, fmt::format("rank {} is out of range; ranks are 0 to {}", r, members - 1));
        };
        rank(e.peer, receives || e.what == op::flush);
        rank(e.from, e.what == op::sendrecv);
        rank(e.root, false);
        if (e.tag == any_tag && !receives) fail(task, "only a receive and a probe may be of any tag");
        for (const double x : {e.seconds, e.flops})
            if (!std::isfinite(x) || x < 0) fail(task, "a time must be a number >= 0");
        const auto size = [&](std::uint64_t n) {
            if (static_cast<double>(n) > most_bytes)
                fail(task, fmt::format("a size of {} bytes is too large", n));
        };
        size(e.bytes);
        size(e.from_bytes);
        for (const auto* list : {&e.counts, &e.receive_counts}) {
            if (!list->empty() && list->size() != members)
                fail(task, fmt::format("{} sizes for {} tasks", list->size(), members));
            for (const auto n : *list) size(n);
        }
    }

    /// Returns the place of a task in the file, as far as its blocks tell.
    double place(const task_state& t) const {
        const std::size_t now = t.block - 1;  // at least one has been read
        const double at = static_cast<double>(m_blocks[now].at);
        const bool first = now == 0 || m_blocks[now - 1].at > m_blocks[now].at;
        const double before = first ? 0 : static_cast<double>(m_blocks[now - 1].at);
        const double done = 1 - static_cast<double>(t.left) / static_cast<double>(t.events);
        return before + (at - before) * done;
    }

    std::string m_path;
    text_stream m_text;
    bool m_seeks;
    std::uint64_t m_at = 0;  ///< bytes taken from m_text
    std::vector<operation_kind> m_kinds;
    std::unordered_map<std::uint32_t, listed_tasks> m_groups;
    sparse_tasks<task_state> m_tasks;
    std::shared_ptr<ZSTD_DCtx> m_zstd{ZSTD_createDCtx(), ZSTD_freeDCtx};
    // by the index
    std::ifstream m_file;
    std::vector<block_extent> m_blocks;  ///< blocks by task, each task's in order
    bool m_merges = false;
    using turn = std::pair<double, std::uint32_t>;
    std::priority_queue<turn, std::vector<turn>, std::greater<>> m_order;  ///< order of next_any()
    std::uint32_t m_now = 0, m_batch = 0;
    // in order of the file
    std::unordered_map<std::uint32_t, std::deque<stored_block>> m_waiting;
    bool m_ended = false;
};

[[maybe_unused]] const bool known = add_signature(
    "sare_binary", [](const std::string& head) { return head.compare(0, magic_bytes, magic) == 0; });

const config::registration<trace_reader, const trace_source&> registered{
    "sare_binary", "Sare's own format in its binary form: blocks of a task's events, and an index.",
    config::made<sare_binary_reader>};

}  // namespace
}  // namespace sare::traffic::variants::sare_binary_trace
