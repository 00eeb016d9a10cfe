// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/trace/text_stream.h"

#include <cstdint>
#include <string>

namespace sare::traffic {

/// A record of a CLOG-2 file. The body is read by clog2_file::number() and text().
struct clog2_record {
    /// Kind of the record, by the number that the file has for it.
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
    /// Time of the record, in seconds from a zero of the log's own; negative or no number if the file says
    /// so. Records `time_shift` are not applied.
    double time = 0;
    std::int32_t communicator_id = 0;  ///< the log's number of the communicator in which `rank` counts
    std::int32_t rank = 0;             ///< rank, in this communicator, of the process that logged the record
    /// Kind of the record.
    kind is = end_log;
    std::string body;  ///< bytes behind the common header of all records
};

/// A log of MPE2, which came with MPICH, in the format CLOG-2: records in blocks, in order of time. Read once
/// from its start to its end.
class clog2_file {
  public:
    /// First bytes of a file, without the last digit of the version.
    static constexpr const char* magic = "CLOG-02.4";

    /// Reads the preamble. Throws config::error if it is cut short, or has no block size from 1 to 2^26 or no
    /// number of processes from 1 to 2^20. Also throws for a version other than 2.42, 2.43 and 2.44, and for
    /// a log that was not finished.
    explicit clog2_file(text_stream text);

    std::uint32_t processes() const { return m_processes; }    ///< number of processes that logged
    const std::string& path() const { return m_text.path(); }  ///< path of the file
    /// Reads the next record into `r`; records `end_block` are skipped, not returned. Returns false at the
    /// end of the log. Throws config::error if the log is damaged or cut short.
    bool next(clog2_record& r);
    /// Returns number `i`, from 0, of the record's body read as a row of 32-bit integers. Does not check that
    /// the body is so long.
    std::int32_t number(const clog2_record& r, std::size_t i) const;
    /// Returns the text in bytes `from` to `from` + `bytes` - 1 of a record's body, up to the first zero
    /// byte. Does not check that the body is so long.
    static std::string text(const clog2_record& r, std::size_t from, std::size_t bytes);
    /// Throws config::error with the file, the number of the record read last, and the text `what`.
    [[noreturn]] void fail(const std::string& what) const;

  private:
    std::uint64_t integer(const char* from, std::size_t bytes) const;
    void take(char* to, std::size_t bytes);

    text_stream m_text;
    bool m_big = false;
    std::uint32_t m_block = 0, m_processes = 0;
    std::uint32_t m_at = 0;  ///< number of bytes of the present block that have been read
    std::uint64_t m_records = 0;
};

}  // namespace sare::traffic
