// SPDX-License-Identifier: Apache-2.0
#include "traffic/trace/write/write.h"

#include "tlm/config/schema.h"

#include <numeric>
#include <set>

namespace sare::traffic {
namespace {

class writer final : public trace_sink {
  public:
    writer(trace_header header, std::ostream& out) : m_header(std::move(header)), m_out(out) {
        m_out << "sare-trace 3\ntasks " << m_header.tasks << "\n";
    }

    void put(std::uint32_t task, const operation& o) override {
        const bool computes = o.what == op::compute || o.what == op::sleep;
        if (o.communicator != 0) define(o.communicator);
        // What is computed in operations alone has an action of its own.
        const bool flops = o.what == op::compute && o.seconds == 0 && o.flops > 0;
        m_out << task << ' ' << (flops ? "flops" : op_name(o.what));
        if (computes)
            m_out << ' ' << config::number_text(flops ? o.flops : o.seconds);
        else if (o.what < op::barrier)
            write_message(o);
        else
            write_collective(o);
        if (o.seconds > 0 && !computes) m_out << " seconds=" << config::number_text(o.seconds);
        if (o.flops > 0 && !flops) m_out << " flops=" << config::number_text(o.flops);
        write_options(o);
        m_out << '\n';
    }

  private:
    /// Writes a communicator's tasks, before the first line that names it.
    void define(std::uint32_t number) {
        if (!m_defined.insert(number).second) return;
        const communicator& group = m_header.group(number);
        m_out << "communicator " << number;
        for (std::uint32_t r = 0; r < group.size(); ++r) m_out << ' ' << group.task(r);
        m_out << '\n';
    }

    /// Returns the name that the reader takes: a trace may have names below 0.
    static std::int64_t name(std::uint64_t request) { return static_cast<std::int64_t>(request); }

    void write_message(const operation& o) {
        if (o.what == op::mark) m_out << ' ' << o.tag;
        if (o.what == op::wait || o.what == op::test) m_out << ' ' << name(o.request);
        if (o.what == op::flush && o.peer != any_source) m_out << ' ' << o.peer;
        if (o.what < op::send || o.what > op::probe || o.what == op::flush) return;
        write_source(o.peer);
        if (o.what != op::probe) m_out << ' ' << o.bytes;
        if (o.what == op::put || o.what == op::get) return;
        if (o.what == op::sendrecv) {
            write_source(o.from);
            m_out << ' ' << o.from_bytes;
        }
        if (o.tag == any_tag)
            m_out << " any";
        else
            m_out << ' ' << o.tag;
        if (!named(o)) return;
        if (o.request != 0)
            m_out << ' ' << name(o.request);
        else
            m_out << " -";
    }

    void write_source(std::uint32_t rank) {
        if (rank == any_source)
            m_out << " any";
        else
            m_out << ' ' << rank;
    }

    /// True if the name is among the arguments.
    static bool named(const operation& o) {
        return o.what == op::isend || o.what == op::irecv || o.what == op::wait || o.what == op::test;
    }

    void write_collective(const operation& o) {
        const op what = o.what;
        if (what == op::bcast || what == op::reduce || what == op::gather || what == op::scatter ||
            what == op::gatherv || what == op::scatterv)
            m_out << ' ' << o.root;
        if (o.counts.empty() && what != op::barrier && what != op::fence) m_out << ' ' << o.bytes;
        for (const auto n : o.counts) m_out << ' ' << n;
        for (const auto n : o.receive_counts) m_out << ' ' << n;
    }

    void write_options(const operation& o) {
        if (o.communicator != 0) m_out << " on=" << o.communicator;
        if (!o.in_sequence) m_out << " beside";
        if (o.request != 0 && !named(o)) m_out << " name=" << name(o.request);
        for (const bool begun : {false, true}) {
            const char* before = begun ? " begun=" : " after=";
            for (const requirement& n : o.needs) {
                if (n.begun != begun) continue;
                m_out << before << name(n.request);
                before = ",";
            }
        }
    }

    trace_header m_header;
    std::ostream& m_out;
    std::set<std::uint32_t> m_defined;  ///< communicators written so far
};

}  // namespace

std::unique_ptr<trace_sink> text_sink(trace_header header, std::ostream& out) {
    return std::make_unique<writer>(std::move(header), out);
}

void write_trace(program& what, std::ostream& out) {
    const auto group = [&](std::uint32_t id) -> const communicator& { return what.group(id); };
    const auto sink = text_sink({what.tasks(), group}, out);
    std::vector<std::uint32_t> open(what.tasks());
    std::iota(open.begin(), open.end(), 0);
    operation o;
    while (!open.empty()) {
        std::size_t kept = 0;
        for (const auto task : open) {
            o.clear();
            if (!what.next(task, o)) continue;
            // A kernel without computation has such operations all the same.
            const bool plain = o.in_sequence && o.request == 0 && o.needs.empty();
            const bool nothing = o.what == op::compute && plain && o.seconds == 0 && o.flops == 0;
            if (!nothing) sink->put(task, o);
            open[kept++] = task;
        }
        open.resize(kept);
    }
    sink->finish();
}

}  // namespace sare::traffic
