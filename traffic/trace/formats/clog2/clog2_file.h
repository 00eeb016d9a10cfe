// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/trace/text_stream.h"

#include <cstdint>
#include <string>

/// CLOG-2, the logs of MPE2 that came with MPICH: records in blocks, in order of time.
namespace sare::traffic {

/// A record of the file; clog2_file::number() reads its numbers.
struct clog2_record {
    enum kind : std::int32_t {
        end_log,
        end_block,
        state_definition,
        event_definition,
        constant,
        bare_event,
        cargo_event,
        message,
        collective,
        communicator,
        source_line,
        time_shift,
    };
    double time = 0;                   ///< seconds
    std::int32_t communicator_id = 0;  ///< communicator by which its process is named
    std::int32_t rank = 0;             ///< rank of its process in that communicator
    kind is = end_log;
    std::string body;  ///< bytes behind the header of the record
};

class clog2_file {
  public:
    static constexpr const char* magic = "CLOG-02.4";

    /// Reads the preamble. Throws config::error for another version than 2.42 to 2.44, and if the log was not
    /// finished.
    explicit clog2_file(text_stream text);

    std::uint32_t processes() const { return m_processes; }  ///< number of processes
    const std::string& path() const { return m_text.path(); }
    /// Reads the next record, skipping ends of blocks; returns false at the end of the log.
    bool next(clog2_record& r);
    /// Returns number `i`, from 0, of the numbers of 32 bits that a record's body consists of. Does not check
    /// that the body is so long.
    std::int32_t number(const clog2_record& r, std::size_t i) const;
    /// Returns the text, of at most `bytes` bytes, from byte `from` of a record's body on. Does not check
    /// that the body is so long.
    static std::string text(const clog2_record& r, std::size_t from, std::size_t bytes);
    /// Throws config::error with the file and the number of the record.
    [[noreturn]] void fail(const std::string& what) const;

  private:
    std::uint64_t integer(const char* from, std::size_t bytes) const;
    void take(char* to, std::size_t bytes);

    text_stream m_text;
    bool m_big = false;
    std::uint32_t m_block = 0, m_processes = 0;
    std::uint32_t m_at = 0;  ///< place in its block
    std::uint64_t m_records = 0;
};

}  // namespace sare::traffic
