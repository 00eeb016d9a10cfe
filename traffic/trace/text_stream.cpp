// SPDX-License-Identifier: Apache-2.0
#include "traffic/trace/text_stream.h"

#include "tlm/config/text_file.h"

#include <zstd.h>
#include <boost/iostreams/device/array.hpp>
#include <boost/iostreams/device/file.hpp>
#include <boost/iostreams/filter/bzip2.hpp>
#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filter/lzma.hpp>
#include <boost/iostreams/filtering_streambuf.hpp>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace sare::traffic {
namespace io = boost::iostreams;
namespace {

constexpr std::size_t longest_line = 64 << 20;  ///< bytes; a few kilobytes of compressed data hold gigabytes
constexpr std::uintmax_t small_file = 1 << 20;  ///< bytes; up to this a file is read at once

/// A filter of zstd data, as Boost's own one takes data that is cut short for its end.
class zstd_filter {
  public:
    using char_type = char;
    struct category : io::multichar_input_filter_tag {};

    template <class Source>
    std::streamsize read(Source& from, char* to, std::streamsize n) {
        ZSTD_outBuffer out{to, static_cast<std::size_t>(n), 0};
        while (out.pos == 0) {
            if (m_in.pos == m_in.size) {
                const std::streamsize got =
                    io::read(from, m_bytes.data(), static_cast<std::streamsize>(m_bytes.size()));
                if (got <= 0) {
                    if (m_left != 0) throw std::runtime_error("zstd data is cut short");
                    return -1;
                }
                m_in = {m_bytes.data(), static_cast<std::size_t>(got), 0};
            }
            m_left = ZSTD_decompressStream(m_state.get(), &out, &m_in);
            if (ZSTD_isError(m_left)) throw std::runtime_error(ZSTD_getErrorName(m_left));
        }
        return static_cast<std::streamsize>(out.pos);
    }

  private:
    std::shared_ptr<ZSTD_DStream> m_state{ZSTD_createDStream(), ZSTD_freeDStream};
    std::string m_bytes = std::string(1 << 16, '\0');
    ZSTD_inBuffer m_in{nullptr, 0, 0};
    std::size_t m_left = 0;  ///< 0: between two frames
};

bool begins(const std::string& text, const std::string& magic) {
    return text.compare(0, magic.size(), magic) == 0;
}

}  // namespace

struct text_stream::source {
    std::string whole;  ///< contents of a small file, as stored
    io::filtering_streambuf<io::input> chain;
    bool compressed = true;
};

text_stream::text_stream(const std::string& path, const config::location& at)
    : m_path(path), m_source(std::make_unique<source>()) {
    std::error_code failed;
    const auto size = std::filesystem::file_size(path, failed);
    errno = 0;
    std::ifstream file(path, std::ios::binary);
    if (!failed && !file) failed = {errno, std::generic_category()};
    if (failed)
        throw config::error(at,
                            "cannot read '" + path + "': " + failed.message() + config::hint_of_file(path));
    std::string& whole = m_source->whole;
    whole.resize(static_cast<std::size_t>(std::min(size, small_file)));
    file.read(whole.data(), static_cast<std::streamsize>(whole.size()));

    auto& chain = m_source->chain;
    if (begins(whole, "\x1f\x8b"))
        chain.push(io::gzip_decompressor());
    else if (begins(whole, "BZh"))
        chain.push(io::bzip2_decompressor());
    else if (begins(whole, std::string("\xfd"
                                       "7zXZ\0",
                                       6)))
        chain.push(io::lzma_decompressor());
    else if (begins(whole, "\x28\xb5\x2f\xfd"))
        chain.push(zstd_filter());
    else
        m_source->compressed = false;
    if (size <= small_file) {
        chain.push(io::array_source(whole.data(), whole.size()));
    } else {
        whole.clear();
        chain.push(io::file_source(path, std::ios::binary));
    }
}

text_stream::~text_stream() = default;
text_stream::text_stream(text_stream&&) noexcept = default;
text_stream& text_stream::operator=(text_stream&&) noexcept = default;

bool text_stream::compressed() const {
    return m_source->compressed;
}

bool text_stream::fill() {
    m_buffer.erase(0, m_at);
    m_before += m_at;
    m_at = 0;
    const std::size_t kept = m_buffer.size();
    constexpr std::size_t portion = 16384;
    m_buffer.resize(kept + portion);
    std::streamsize got = 0;
    try {
        got = m_source->chain.sgetn(&m_buffer[kept], portion);
    } catch (const std::exception&) {
        throw config::error({m_path, m_number + 1, 1}, "the compressed data is damaged or cut short");
    }
    m_buffer.resize(kept + static_cast<std::size_t>(std::max<std::streamsize>(got, 0)));
    return got > 0;
}

std::string text_stream::head(std::size_t bytes) {
    while (m_buffer.size() - m_at < bytes && fill()) continue;
    return m_buffer.substr(m_at, bytes);
}

std::size_t text_stream::read(char* to, std::size_t bytes) {
    std::size_t done = 0;
    while (done < bytes) {
        if (m_at == m_buffer.size() && !fill()) break;
        const std::size_t part = std::min(bytes - done, m_buffer.size() - m_at);
        m_buffer.copy(to + done, part, m_at);
        m_at += part;
        done += part;
    }
    return done;
}

bool text_stream::next(std::string& line) {
    std::size_t searched = m_at;
    std::size_t end = 0;
    while ((end = m_buffer.find('\n', searched)) == std::string::npos) {
        const std::size_t pending = m_buffer.size() - m_at;
        if (pending > longest_line)
            throw config::error({m_path, m_number + 1, 1}, "a line of more than 64 MiB; is this a trace?");
        if (!fill()) {
            if (pending == 0) return false;
            end = m_buffer.size();
            break;
        }
        searched = m_at + pending;
    }
    line.assign(m_buffer, m_at, end - m_at);
    if (!line.empty() && line.back() == '\r') line.pop_back();
    m_at = std::min(end + 1, m_buffer.size());
    ++m_number;
    return true;
}

}  // namespace sare::traffic
