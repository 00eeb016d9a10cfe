// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <type_traits>

namespace sare {

/// A file without a name in the folder for temporary files (TMPDIR), which the system deletes when this
/// object closes it. The first append() makes the file. Functions throw std::runtime_error if it cannot be
/// made, written or read, as on a full disk.
class nameless_file {
  public:
    /// Appends `size` bytes, which must not be 0.
    void append(const void* bytes, std::size_t size);
    void rewind() const;  ///< goes to the beginning, for read(); a byte must have been appended (not checked)
    /// Reads the next `size` bytes into `bytes`; they must exist.
    void read(void* bytes, std::size_t size) const;
    void to_end() const;  ///< goes to the end, for append(); a byte must have been appended before
    /// Reads `size` bytes from byte `offset` on into `bytes`. Throws if they do not exist; a byte must have
    /// been appended (not checked). The place for read() and append() stays.
    void read_at(std::uint64_t offset, void* bytes, std::size_t size) const;

  private:
    void flush() const;  ///< writes what append() has buffered, so that read_at() sees it

    struct closer {
        void operator()(std::FILE* f) const { std::fclose(f); }
    };
    std::unique_ptr<std::FILE, closer> m_file;  ///< null: nothing has been written
};

/// List of records of one type, too many for memory, in a nameless_file, whose std::runtime_error its
/// functions throw.
template <class T>
class record_file {
    static_assert(std::is_trivially_copyable_v<T>);

  public:
    /// Number of records.
    std::uint64_t size() const { return m_size; }
    /// Appends a record and returns its number, from 0.
    std::uint64_t append(const T& record) {
        m_file.append(&record, sizeof record);
        return m_size++;
    }
    /// Calls f(record) for all records in order. `f` must not append records, nor call for_each() again.
    template <class F>
    void for_each(F f) const {
        if (m_size == 0) return;
        m_file.rewind();
        T record;
        for (std::uint64_t k = 0; k < m_size; ++k) {
            m_file.read(&record, sizeof record);
            f(record);
        }
        m_file.to_end();
    }
    /// Returns the record with `number`. Throws if it is not below size(), which must not be 0 (unchecked).
    T at(std::uint64_t number) const {
        T record;
        read(number, &record, 1);
        return record;
    }
    /// Reads `count` records from number `first` on into `to`; nothing if `count` is 0, else see at().
    void read(std::uint64_t first, T* to, std::size_t count) const {
        if (count != 0) m_file.read_at(first * sizeof(T), to, count * sizeof(T));
    }

  private:
    nameless_file m_file;
    std::uint64_t m_size = 0;  ///< number of records
};

}  // namespace sare
