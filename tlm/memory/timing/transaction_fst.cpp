// SPDX-License-Identifier: Apache-2.0
#include "tlm/base/temporary_file.h"
#include "tlm/memory/timing/transaction_trace.h"

#include <gtkwave/fstapi.h>

#include <algorithm>
#include <cctype>
#include <map>

/// Accesses as signals of an FST file.
namespace sare {
namespace {

constexpr std::uint32_t count_bits = 16;

/// Begin or end of an access at an initiator or a memory.
struct fst_event {
    std::uint64_t at;  ///< ps
    std::string owner;
    int change;
    std::string what;
    /// Orders events by time; an end comes before a begin.
    bool operator<(const fst_event& o) const { return at != o.at ? at < o.at : change < o.change; }
};

/// A scope of an owner, with the number of open accesses and the one that has begun last.
struct fst_owner {
    fstHandle open, what;
    std::uint32_t count = 0;
};

class fst_writer {
  public:
    explicit fst_writer(const std::string& file) : m_to(fstWriterCreate(file.c_str(), 1)) {
        if (m_to == nullptr)
            throw std::runtime_error(file + " cannot be written; TMPDIR names another folder");
        fstWriterSetTimescale(m_to, -12);
        fstWriterSetVersion(m_to, "sare");
        fstWriterSetDate(m_to, "");  // the same run writes the same file
        fstWriterSetPackType(m_to, FST_WR_PT_LZ4);
    }
    ~fst_writer() { fstWriterClose(m_to); }
    fst_writer(const fst_writer&) = delete;
    fst_writer& operator=(const fst_writer&) = delete;

    void add(const std::string& owner) {
        std::string scope = owner;
        for (char& c : scope)
            if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
        fstWriterSetScope(m_to, FST_ST_VCD_MODULE, scope.c_str(), nullptr);
        m_owners[owner] = {fstWriterCreateVar(m_to, FST_VT_VCD_REG, FST_VD_IMPLICIT, count_bits, "open", 0),
                           fstWriterCreateVar(m_to, FST_VT_GEN_STRING, FST_VD_IMPLICIT, 0, "access", 0)};
        fstWriterSetUpscope(m_to);
    }
    void begin() {
        fstWriterEmitTimeChange(m_to, 0);
        for (auto& [name, owner] : m_owners) show(owner, "");
    }
    void emit(const fst_event& e) {
        if (e.at != m_now) fstWriterEmitTimeChange(m_to, e.at);
        m_now = e.at;
        fst_owner& owner = m_owners.at(e.owner);
        owner.count += static_cast<std::uint32_t>(e.change);
        show(owner, e.change > 0 ? e.what : "");
    }

  private:
    /// Shows the last access as long as others are open.
    void show(const fst_owner& owner, const std::string& what) {
        fstWriterEmitValueChange64(m_to, owner.open, count_bits, owner.count);
        if (what.empty() && owner.count != 0) return;
        fstWriterEmitVariableLengthValueChange(m_to, owner.what, what.data(),
                                               static_cast<std::uint32_t>(what.size()));
    }

    void* m_to;
    std::map<std::string, fst_owner> m_owners;
    std::uint64_t m_now = 0;
};

}  // namespace

void transaction_trace::write_fst(std::ostream& out) const {
    std::vector<fst_event> events;
    const auto add = [&](const std::string& owner, const sc_core::sc_time& from, const sc_core::sc_time& to,
                         const std::string& what) {
        const std::uint64_t begin = picoseconds_of(from), end = picoseconds_of(to);
        if (begin == end) return;  // of no time
        events.push_back({begin, owner, 1, what});
        events.push_back({end, owner, -1, what});
    };
    for (const transaction& t : m_all) {
        add(t.initiator, t.times.made, t.times.answered, t.name());
        if (t.came_to_memory()) add(t.memory, t.times.memory_begun, t.times.memory_done, t.name());
    }
    std::stable_sort(events.begin(), events.end());
    const temporary_file file("transactions.fst");
    {
        fst_writer to(file.name());
        std::vector<std::string> owners;
        for (const fst_event& e : events) owners.push_back(e.owner);
        std::sort(owners.begin(), owners.end());
        owners.erase(std::unique(owners.begin(), owners.end()), owners.end());
        for (const std::string& owner : owners) to.add(owner);
        to.begin();
        for (const fst_event& e : events) to.emit(e);
    }
    file.write(out);
}

}  // namespace sare
