// SPDX-License-Identifier: Apache-2.0
#include "tlm/stats/log/record_file.h"

#include "tlm/base/temporary_folder.h"

#include <unistd.h>
#include <cstdlib>
#include <stdexcept>
#include <string>

namespace sare {
namespace {

[[noreturn]] void fail(const char* what) {
    throw std::runtime_error("the file of records in " + temporary_folder().string() + " cannot be " + what +
                             "; TMPDIR names another folder");
}

std::FILE* open_nameless() {
    std::string path = (temporary_folder() / "sare-records-XXXXXX").string();
    const int handle = mkstemp(path.data());
    if (handle < 0) fail("made");
    unlink(path.c_str());
    std::FILE* const opened = fdopen(handle, "w+b");
    if (opened == nullptr) fail("made");
    return opened;
}

}  // namespace

void nameless_file::append(const void* bytes, std::size_t size) {
    if (!m_file) m_file.reset(open_nameless());
    if (std::fwrite(bytes, size, 1, m_file.get()) != 1) fail("written");
}

void nameless_file::flush() const {
    if (m_file && std::fflush(m_file.get()) != 0) fail("written");
}

void nameless_file::rewind() const {
    flush();
    std::rewind(m_file.get());
}

void nameless_file::read(void* bytes, std::size_t size) const {
    if (std::fread(bytes, size, 1, m_file.get()) != 1) fail("read");
}

void nameless_file::to_end() const {
    std::fseek(m_file.get(), 0, SEEK_END);
}

void nameless_file::read_at(std::uint64_t offset, void* bytes, std::size_t size) const {
    flush();
    if (pread(fileno(m_file.get()), bytes, size, static_cast<off_t>(offset)) != static_cast<ssize_t>(size))
        fail("read");
}

}  // namespace sare
