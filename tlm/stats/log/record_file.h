// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/temporary_folder.h"

#include <unistd.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace sare {

/// Records of one kind in a file without a name, which is gone when it is closed: what would be too much for
/// memory. In the folder for temporary files (TMPDIR). Throws std::runtime_error where it cannot be written,
/// as on a full disk.
template <class T>
class record_file {
    static_assert(std::is_trivially_copyable_v<T>);

  public:
    std::uint64_t size() const { return m_size; }
    /// Gives its number, from 0.
    std::uint64_t append(const T& record) {
        if (!m_file) open();
        if (std::fwrite(&record, sizeof record, 1, m_file.get()) != 1) fail("written");
        return m_size++;
    }
    /// All of them, in order.
    template <class F>
    void for_each(F f) const {
        if (m_size == 0) return;
        flush();
        std::rewind(m_file.get());
        T record;
        for (std::uint64_t k = 0; k < m_size; ++k) {
            if (std::fread(&record, sizeof record, 1, m_file.get()) != 1) fail("read");
            f(record);
        }
        std::fseek(m_file.get(), 0, SEEK_END);
    }
    T at(std::uint64_t number) const {
        flush();
        T record;
        if (pread(fileno(m_file.get()), &record, sizeof record, static_cast<off_t>(number * sizeof record)) !=
            static_cast<ssize_t>(sizeof record))
            fail("read");
        return record;
    }

  private:
    struct closer {
        void operator()(std::FILE* f) const { std::fclose(f); }
    };
    void open() {
        std::string name = (temporary_folder() / "sare-records-XXXXXX").string();
        const int handle = mkstemp(name.data());
        if (handle < 0) fail("made");
        unlink(name.c_str());
        m_file.reset(fdopen(handle, "w+b"));
        if (!m_file) fail("made");
    }
    void flush() const {
        if (m_file && std::fflush(m_file.get()) != 0) fail("written");
    }
    [[noreturn]] static void fail(const char* what) {
        throw std::runtime_error("the file of records in " + temporary_folder().string() + " cannot be " +
                                 what + "; TMPDIR names another folder");
    }

    std::unique_ptr<std::FILE, closer> m_file;
    std::uint64_t m_size = 0;
};

}  // namespace sare
