// SPDX-License-Identifier: Apache-2.0
#include "traffic/trace/write.h"

#include "tlm/config/schema.h"

namespace sare::traffic {
namespace {

class trace_writer {
  public:
    trace_writer(program& what, const config::location& where, std::ostream& out)
        : m_program(what), m_where(where), m_out(out), m_nameless(what.tasks()), m_written(what.tasks()) {}

    void write() {
        m_out << "sare-trace 1\ntasks " << m_program.tasks() << "\n";
        std::vector<std::uint32_t> open(m_program.tasks());
        for (std::uint32_t t = 0; t < open.size(); ++t) open[t] = t;
        while (!open.empty()) {
            std::size_t kept = 0;
            for (const auto task : open) {
                operation o;
                if (!m_program.next(task, o)) continue;
                ++m_written[task];
                write(task, o);
                open[kept++] = task;
            }
            open.resize(kept);
        }
    }

  private:
    void write(std::uint32_t task, const operation& o) {
        refuse_unknown(task, o);
        if (o.what != op::compute && o.what != op::sleep) {
            m_out << task << ' ' << op_name(o.what);
            if (o.what < op::barrier)
                write_message(task, o);
            else
                write_collective(o);
            m_out << '\n';
        }
        if (o.seconds > 0) m_out << task << " compute " << config::number_text(o.seconds) << '\n';
        if (o.flops > 0) m_out << task << " flops " << config::number_text(o.flops) << '\n';
    }

    void write_message(std::uint32_t task, const operation& o) {
        if (o.what == op::mark) m_out << ' ' << o.tag;
        if (o.what == op::wait || o.what == op::test) m_out << ' ' << o.request;
        if (o.what < op::send || o.what > op::sendrecv) return;
        m_out << ' ' << o.peer << ' ' << o.bytes;
        if (o.what == op::sendrecv) m_out << ' ' << o.from << ' ' << o.from_bytes;
        m_out << ' ' << o.tag;
        if (o.what != op::isend && o.what != op::irecv) return;
        // What has no name gets one that no other has: negative.
        if (o.request != 0)
            m_out << ' ' << o.request;
        else
            m_out << " -" << ++m_nameless[task];
    }

    void write_collective(const operation& o) {
        const op what = o.what;
        if (what == op::bcast || what == op::reduce || what == op::gather || what == op::scatter ||
            what == op::gatherv || what == op::scatterv)
            m_out << ' ' << o.root;
        if (o.counts.empty() && what != op::barrier) m_out << ' ' << o.bytes;
        for (const auto n : o.counts) m_out << ' ' << n;
        for (const auto n : o.receive_counts) m_out << ' ' << n;
    }

    void refuse_unknown(std::uint32_t task, const operation& o) const {
        const bool receives = o.what == op::recv || o.what == op::irecv || o.what == op::sendrecv;
        const char* what = nullptr;
        if (!o.in_sequence || !o.needs.empty()) what = "operations out of sequence";
        if (o.communicator != 0) what = "communicators";
        if (is_collective(o.what) && o.request != 0) what = "collectives that a task does not wait for";
        if (receives && (o.peer == any_source || o.from == any_source || o.tag == any_tag))
            what = "wildcards";
        if (what != nullptr)
            throw config::error(
                m_where, m_program.place(task, m_written[task]) + ": the format of traces has no " + what);
    }

    program& m_program;
    const config::location& m_where;
    std::ostream& m_out;
    std::vector<std::uint64_t> m_nameless;  ///< requests without a name so far
    std::vector<std::uint64_t> m_written;   ///< operations
};

}  // namespace

void write_trace(program& what, const config::location& where, std::ostream& out) {
    trace_writer(what, where, out).write();
}

}  // namespace sare::traffic
