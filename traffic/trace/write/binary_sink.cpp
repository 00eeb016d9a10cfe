// SPDX-License-Identifier: Apache-2.0
#include "tlm/config/value.h"
#include "traffic/trace/event_bytes.h"
#include "traffic/trace/formats/sare/sare_binary.h"
#include "traffic/trace/write/write.h"

#include <fmt/format.h>

#include <zstd.h>

#include <algorithm>
#include <set>

/// A sink that writes the binary form of Sare's own format.
namespace sare::traffic {
namespace {

using namespace sare_binary;

constexpr std::uint64_t all_buffers = 32 << 20;  ///< bytes that wait to be written, of all tasks
constexpr std::uint64_t least_in_block = 256;
constexpr int level = 3;

class binary_writer final : public trace_sink {
  public:
    binary_writer(trace_header header, std::ostream& out)
        : m_header(std::move(header)),
          m_out(out),
          m_tasks(m_header.tasks),
          m_limit(std::clamp(all_buffers / std::max(m_header.tasks, 1U), least_in_block, most_in_block)) {
        ZSTD_CCtx_setParameter(m_zstd.get(), ZSTD_c_compressionLevel, level);
        ZSTD_CCtx_setParameter(m_zstd.get(), ZSTD_c_checksumFlag, 1);
        std::string head(magic, magic_bytes);
        put_varint(head, version);
        put_varint(head, m_header.tasks);
        put_varint(head, op_count);
        for (std::size_t i = 0; i < op_count; ++i) {
            const std::string name = op_name(static_cast<op>(i));
            put_varint(head, name.size());
            head += name;
        }
        write(head);
    }

    void put(std::uint32_t task, const operation& o) override {
        if (o.communicator != 0) define(o.communicator);
        buffer& b = m_tasks[task];
        const std::size_t before = b.bytes.size();
        const byte_context context = b.context;
        put_operation(b.bytes, static_cast<std::uint64_t>(o.what), o, b.context);
        if (b.bytes.size() > m_limit && before != 0) {
            b.bytes.resize(before);
            b.context = context;
            flush(task);
            put_operation(b.bytes, static_cast<std::uint64_t>(o.what), o, b.context);
        }
        if (b.bytes.size() > most_in_event)
            throw config::error(fmt::format("task {}: an operation of more than 64 MiB", task));
        ++b.events;
    }

    void finish() override {
        for (std::uint32_t t = 0; t < m_tasks.size(); ++t)
            if (m_tasks[t].events != 0) flush(t);
        std::string tail;
        put_varint(tail, no_block);
        write(tail);
        const std::uint64_t index_at = m_written;
        tail.clear();
        add_block(tail, m_index);
        for (unsigned i = 0; i < 8; ++i) tail += static_cast<char>(index_at >> (8 * i));
        tail.append(end_magic, magic_bytes);
        write(tail);
    }

  private:
    struct buffer {
        std::string bytes;
        byte_context context;
        std::uint64_t events = 0;
    };

    void define(std::uint32_t number) {
        if (!m_defined.insert(number).second) return;
        const communicator& group = m_header.group(number);
        std::string bytes;
        put_varint(bytes, number);
        put_varint(bytes, group.size());
        for (std::uint32_t r = 0; r < group.size(); ++r) put_varint(bytes, group.task(r));
        write_block(group_block, 1, bytes);
    }

    void flush(std::uint32_t task) {
        buffer& b = m_tasks[task];
        write_block(first_task + task, b.events, b.bytes);
        b.bytes.clear();
        b.context = {};
        b.events = 0;
    }

    void write_block(std::uint64_t kind, std::uint64_t events, const std::string& bytes) {
        m_block.clear();
        put_varint(m_block, kind);
        put_varint(m_block, events);
        add_block(m_block, bytes);
        put_varint(m_index, kind);
        put_varint(m_index, m_block.size());
        write(m_block);
    }

    /// Adds both sizes, and the bytes compressed.
    void add_block(std::string& to, const std::string& bytes) {
        m_packed.resize(ZSTD_compressBound(bytes.size()));
        const std::size_t n =
            ZSTD_compress2(m_zstd.get(), m_packed.data(), m_packed.size(), bytes.data(), bytes.size());
        if (ZSTD_isError(n)) throw config::error(std::string("zstd: ") + ZSTD_getErrorName(n));
        put_varint(to, bytes.size());
        put_varint(to, n);
        to.append(m_packed, 0, n);
    }

    void write(const std::string& bytes) {
        m_out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
        m_written += bytes.size();
    }

    trace_header m_header;
    std::ostream& m_out;
    std::vector<buffer> m_tasks;
    std::uint64_t m_limit, m_written = 0;
    std::shared_ptr<ZSTD_CCtx> m_zstd{ZSTD_createCCtx(), ZSTD_freeCCtx};
    std::set<std::uint32_t> m_defined;  ///< communicators written so far
    std::string m_index;                ///< task of every block, and its bytes in the file
    std::string m_block, m_packed;
};

}  // namespace

std::unique_ptr<trace_sink> binary_sink(trace_header header, std::ostream& out) {
    return std::make_unique<binary_writer>(std::move(header), out);
}

}  // namespace sare::traffic
