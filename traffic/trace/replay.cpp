// SPDX-License-Identifier: Apache-2.0
#include "tlm/base/world.h"
#include "tlm/state/text_archive.h"
#include "traffic/program/executor/executor.h"
#include "traffic/spatial/pattern.h"
#include "traffic/trace/reader.h"
#include "traffic/trace/recorded.h"
#include "traffic/trace/tools/check.h"

#include <fmt/format.h>

#include <filesystem>
#include <set>

namespace sare::traffic {
namespace {

struct parameters : executor_parameters {
    std::string file;
    std::string format = "auto";
};

/// A recorded program: its operations are the events of a trace.
class recorded final : public program {
  public:
    recorded(std::string path, const std::string& format, const config::location& at)
        : m_path(std::move(path)),
          m_format(format),
          m_reader(open_trace(m_path, format, at)),
          m_last(m_reader->tasks()),
          m_asked(m_reader->tasks()) {}

    std::uint32_t tasks() const override { return m_reader->tasks(); }
    bool next(std::uint32_t task, operation& o) override {
        event& last = m_last[task];
        ++m_asked[task];
        if (!m_reader->next(task, last)) return false;
        o = std::move(static_cast<operation&>(last));
        last.counts.clear();
        last.receive_counts.clear();
        return true;
    }
    const communicator& group(std::uint32_t id) const override { return m_reader->group(id); }
    std::string title() const override { return "the trace '" + m_path + "'"; }
    std::string place(std::uint32_t task, std::uint64_t number) const override {
        const event& e = m_last[task];
        if (e.number != number) return program::place(task, number);
        return fmt::format("{}: task {}, event {} ({})", m_reader->where(task, e).text(), task, number,
                           operation_text(e));
    }
    /// Returns the warnings sorted, as the order of reading is another one after a checkpoint.
    std::vector<std::string> warnings() const override {
        std::set<std::string> all = m_warnings;
        all.insert(m_reader->warnings().begin(), m_reader->warnings().end());
        return {all.begin(), all.end()};
    }
    std::string first_error() const override {
        if (!std::filesystem::is_regular_file(m_path)) return "";  // a pipe is not read twice
        const std::vector<std::string> errors = check_trace(*open_trace(m_path, m_format, {}), 1);
        return errors.empty() ? "" : errors[0];
    }
    bool runs_by_tasks() const override { return true; }
    void add_up(world& all) override {
        text_writer mine;
        std::vector<std::string> here = m_reader->warnings();
        mine(here);
        for (const std::string& text : all.gather(mine.text())) {
            std::vector<std::string> theirs;
            text_reader{text}(theirs);
            m_warnings.insert(theirs.begin(), theirs.end());
        }
    }

    /// Writes or reads how far it is. The trace is read again up to there, by all tasks side by side: what is
    /// read of a file of all on the way to a task's event is kept until its own task asks for it.
    void serialize(archive& a) override {
        std::vector<std::uint64_t> asked = m_asked;
        a(asked);
        operation passed_over;
        constexpr std::uint64_t parts = 1000;
        for (std::uint64_t part = 1; a.reads() && part <= parts; ++part)
            for (std::uint32_t task = 0; task < tasks(); ++task)
                while (m_asked[task] * parts < asked[task] * part) next(task, passed_over);
    }

  private:
    std::string m_path, m_format;
    std::unique_ptr<trace_reader> m_reader;
    std::vector<event> m_last;           ///< last event of every task, for messages
    std::vector<std::uint64_t> m_asked;  ///< number of calls of next() for each task
    std::set<std::string> m_warnings;    ///< warnings of other processes
};

}  // namespace

std::unique_ptr<program> recorded_program(const std::string& path, const std::string& format,
                                          const config::location& at) {
    return std::make_unique<recorded>(path, format, at);
}

namespace {

const config::registration<workload, const workload_context&> registered{
    "trace", "Replays a recorded trace of messages, computation and collectives.",
    config::schema<parameters>()
        .text("file", &parameters::file, "the trace (SimGrid: its index file), plain or compressed")
        .text("format", &parameters::format,
              "auto: by what the file begins with; or a trace format, which: sare describe 'trace formats'")
        .include(executor_fields()),
    [](const parameters& p, const config::value& section, const workload_context& c) {
        if (p.file.empty())
            throw config::error(section.where(), "workload 'trace' needs 'file: ' with the trace");
        return new executor(recorded_program(file_path(c.folder, p.file), p.format, section.where()), p,
                            section.where(), c.folder);
    }};

}  // namespace
}  // namespace sare::traffic
