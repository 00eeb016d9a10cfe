// SPDX-License-Identifier: Apache-2.0
#include "traffic/trace/formats/otf2/otf2_archive.h"
#include "traffic/trace/reader.h"
#include "traffic/trace/text_stream.h"

#include <fmt/format.h>

/// OTF2 archives (Score-P and others), by their own library.
namespace sare::traffic::variants::otf2 {
namespace {

class otf2_reader final : public trace_reader {
  public:
    explicit otf2_reader(const trace_source& source) : m_archive(source.path) {
        if (m_archive.others() > 0)
            warn(fmt::format("{} locations are no process of MPI (threads, accelerators): they are left out",
                             m_archive.others()));
        for (std::uint32_t t = 0; t < m_archive.tasks(); ++t) m_processes.emplace_back(m_archive, t);
    }

    std::uint32_t tasks() const override { return m_archive.tasks(); }
    config::location where(std::uint32_t, const event&) const override { return {m_archive.path(), 0, 0}; }
    bool next(std::uint32_t task, event& e) override {
        const bool more = m_processes[task].next(e);
        for (; m_told < m_archive.left_out().size(); ++m_told) warn(m_archive.left_out()[m_told]);
        return more;
    }
    const communicator& group(std::uint32_t id) const override { return m_archive.group(id); }

  private:
    otf2_archive m_archive;
    std::deque<otf2_process> m_processes;
    std::size_t m_told = 0;
};

/// The anchor file, which the user names, begins with a byte for its order of bytes and a name.
[[maybe_unused]] const bool known = add_signature(
    "otf2", [](const std::string& head) { return head.size() > 6 && head.compare(1, 5, "BOTF2") == 0; });

const config::registration<trace_reader, const trace_source&> registered{
    "otf2", "OTF2 archives, as Score-P writes them: the anchor file, *.otf2.", config::made<otf2_reader>};

}  // namespace
}  // namespace sare::traffic::variants::otf2
