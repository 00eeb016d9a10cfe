// SPDX-License-Identifier: Apache-2.0
#include "traffic/trace/formats/dumpi/dumpi_process.h"
#include "traffic/trace/reader.h"

#include <algorithm>
#include <filesystem>

/// DUMPI traces (sst-dumpi): a .meta file, and a binary one per process with its MPI calls.
namespace sare::traffic::variants::dumpi {
namespace {

class dumpi_reader final : public trace_reader {
  public:
    explicit dumpi_reader(const trace_source& source) {
        text_stream meta = std::move(*source.text);
        read_meta(meta);
        // Once through all files: who is in which communicator, which receives are from no process, and the
        // sizes of datatypes at their ends.
        std::vector<std::vector<dumpi_making>> makings;
        std::vector<dumpi_process::findings> found;
        for (std::uint64_t p = 0; p < m_claimed; ++p) {
            dumpi_stream stream(open(p));
            dumpi_makings own;
            dumpi_null_receives null_receives;
            dumpi_call call;
            while (stream.next(call)) {
                own.see(call);
                null_receives.see(call);
            }
            makings.push_back(own.take());
            found.push_back({stream.datatype_sizes(), null_receives.take()});
        }
        m_groups = std::make_unique<dumpi_groups>(makings);
        for (std::uint32_t p = 0; p < m_claimed; ++p)
            m_processes.emplace_back(open(p), p, std::move(found[p]), *m_groups,
                                     static_cast<std::uint32_t>(m_claimed), m_said);
    }

    std::uint32_t tasks() const override { return static_cast<std::uint32_t>(m_claimed); }
    config::location where(std::uint32_t task, const event&) const override {
        return {m_processes[task].path(), 0, 0};
    }
    bool next(std::uint32_t task, event& e) override {
        const std::size_t before = m_said.size();
        const bool more = m_processes[task].next(e);
        if (m_said.size() != before)
            for (const auto& what : m_said)
                if (std::find(warnings().begin(), warnings().end(), what) == warnings().end()) warn(what);
        return more;
    }
    const communicator& group(std::uint32_t id) const override { return m_groups->at(id).all; }

  private:
    void read_meta(text_stream& meta) {
        const auto slash = meta.path().rfind('/');
        const std::string folder = slash == std::string::npos ? "" : meta.path().substr(0, slash + 1);
        std::string line;
        while (meta.next(line)) {
            const auto equals = line.find('=');
            if (equals == std::string::npos) continue;
            const std::string key = line.substr(0, equals), text = line.substr(equals + 1);
            if (key == "numprocs") {
                const bool number = !text.empty() && text.size() < 9 &&
                                    text.find_first_not_of("0123456789") == std::string::npos;
                m_claimed = number ? std::stoull(text) : 0;
                if (m_claimed == 0)
                    throw config::error(meta.where(),
                                        "numprocs must be a number of processes, not '" + text + "'");
            } else if (key == "fileprefix") {
                m_prefix = text.empty() ? "" : folder + text.substr(text.rfind('/') + 1);
            }
        }
        m_named_at = {meta.path(), 0, 0};
        if (m_claimed == 0 || m_prefix.empty())
            throw config::error(m_named_at, "a .meta file of DUMPI needs numprocs= and fileprefix=");
    }

    text_stream open(std::uint64_t process) const {
        std::string number = std::to_string(process);
        number.insert(0, number.size() < 4 ? 4 - number.size() : 0, '0');
        const std::string path = m_prefix + "-" + number + ".bin";
        for (const char* packed : {"", ".gz", ".bz2", ".xz", ".zst"})
            if (std::filesystem::exists(path + packed)) return text_stream(path + packed, m_named_at);
        return text_stream(path, m_named_at);
    }

    std::uint64_t m_claimed = 0;
    std::string m_prefix;
    config::location m_named_at;
    std::unique_ptr<dumpi_groups> m_groups;
    std::set<std::string> m_said;
    std::deque<dumpi_process> m_processes;
};

bool is_dumpi(const std::string& head) {
    const auto has = [&head](const std::string& key) {
        return head.compare(0, key.size(), key) == 0 || head.find("\n" + key) != std::string::npos;
    };
    return has("numprocs=") && has("fileprefix=");
}

[[maybe_unused]] const bool known = add_signature("dumpi", is_dumpi);

const config::registration<trace_reader, const trace_source&> registered{
    "dumpi", "DUMPI traces of sst-dumpi: the .meta file, beside its binary one per process.",
    config::made<dumpi_reader>};

}  // namespace
}  // namespace sare::traffic::variants::dumpi
