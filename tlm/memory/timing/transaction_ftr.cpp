// SPDX-License-Identifier: Apache-2.0
#include "tlm/memory/timing/transaction_trace.h"
#include "tlm/stats/log/ftr.h"

#include <fmt/format.h>

#include <map>

/// Accesses as FTR.
namespace sare {
namespace {

constexpr int picoseconds = -12;

/// The streams by their owner, with generators by name.
class ftr_streams {
  public:
    ftr_streams(ftr_writer& out, std::string kind) : m_out(out), m_kind(std::move(kind)) {}
    ftr_writer::number generator(const std::string& owner, const std::string& name) {
        const auto [stream, is_new] = m_streams.try_emplace(owner, 0);
        if (is_new) stream->second = m_out.add_stream(owner, m_kind);
        const auto [found, first] = m_generators.try_emplace({owner, name}, 0);
        if (first) found->second = m_out.add_generator(name, stream->second);
        return found->second;
    }

  private:
    ftr_writer& m_out;
    std::string m_kind;
    std::map<std::string, ftr_writer::number> m_streams;
    std::map<std::pair<std::string, std::string>, ftr_writer::number> m_generators;
};

}  // namespace

void transaction_trace::write_ftr(std::ostream& out) const {
    ftr_writer to(picoseconds);
    ftr_streams initiators(to, "initiator"), nodes(to, "packets"), memories(to, "memory");
    for (const transaction& t : m_all) {
        const std::string command = t.write ? "write" : "read";
        const auto access = to.add(initiators.generator(t.initiator, command), picoseconds_of(t.times.made),
                                   picoseconds_of(t.times.answered));
        to.attribute("address", t.address);
        to.attribute("bytes", t.bytes);
        to.attribute("id", t.id);
        to.attribute("status", t.status);
        to.time("queueing", picoseconds_of(t.times.queueing()));
        to.time("request", picoseconds_of(t.times.request()));
        to.time("memory", picoseconds_of(t.times.memory()));
        to.time("response", picoseconds_of(t.times.response()));
        to.attribute("request_hops", t.times.request_hops);
        to.attribute("response_hops", t.times.response_hops);
        to.attribute("stalls", t.times.request_stalls + t.times.response_stalls);
        for (const access_packet& p : t.packets) {
            const auto packet =
                to.add(nodes.generator(fmt::format("node {}", p.source), p.response ? "response" : "request"),
                       picoseconds_of(p.injected), picoseconds_of(t.end_of(p)));
            to.attribute("packet", p.number);
            to.attribute("destination", p.destination);
            to.attribute("flits", p.flits);
            to.relate("packet", access, packet);
        }
        if (!t.came_to_memory()) continue;
        const auto served = to.add(memories.generator(t.memory, command),
                                   picoseconds_of(t.times.memory_begun), picoseconds_of(t.times.memory_done));
        to.attribute("address", t.address);
        to.attribute("bytes", t.bytes);
        to.relate("memory", access, served);
    }
    to.finish(out);
}

}  // namespace sare
