// SPDX-License-Identifier: Apache-2.0
#include "tlm/state/checkpoint.h"

#include <fmt/format.h>

#include <sare_abi.h>      // made by the build: a digest of all headers
#include <sare_sources.h>  // and of all other sources
#include <zstd.h>

#include <algorithm>
#include <istream>
#include <ostream>

namespace sare {

struct freed_context {
    void operator()(ZSTD_CCtx* c) const { ZSTD_freeCCtx(c); }
    void operator()(ZSTD_DCtx* c) const { ZSTD_freeDCtx(c); }
};

namespace {

constexpr char magic[] = "SARECKPT";
constexpr std::size_t magic_size = sizeof magic - 1;
constexpr std::uint32_t version = 2;
constexpr std::uint64_t end_mark = 0x2e646e6520656854;  // "The end."
constexpr int level = -5;  // twice as fast as 1, for half as much again on the disk

/// Follows the frame, instead of a checksum in it: so a check needs no unpacking.
struct trailer {
    std::uint64_t mark = end_mark, sum = 0;
};

/// Bytes of the pieces in which both sides see the frame.
constexpr std::size_t frame_piece = std::size_t{1} << 17;

/// Adds the next piece of a frame to its sum.
std::uint64_t add_to_sum(std::uint64_t sum, const char* at, std::size_t n) {
    for (std::size_t k = 0; k < n; k += 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, at + k, std::min<std::size_t>(8, n - k));
        sum = (sum ^ word) * 0x9e3779b97f4a7c15;
        sum ^= sum >> 32;
    }
    return sum;
}

class writer final : public archive {
  public:
    explicit writer(std::ostream& to) : archive(false), m_to(to), m_out(frame_piece) {
        ZSTD_CCtx_setParameter(m_zstd.get(), ZSTD_c_compressionLevel, level);
        m_to.write(magic, magic_size);
        m_to.write(reinterpret_cast<const char*>(&version), sizeof version);
        m_in.reserve(piece);
    }
    void bytes(void* at, std::size_t n) override {
        const auto* from = static_cast<const char*>(at);
        if (m_in.size() + n > piece) flush(ZSTD_e_continue);
        if (n < piece)
            m_in.insert(m_in.end(), from, from + n);
        else
            compress(from, n, ZSTD_e_continue);
    }
    void finish() {
        std::uint64_t mark = end_mark;
        (*this)(mark);
        flush(ZSTD_e_end);
        put();
        m_to.write(reinterpret_cast<const char*>(&m_end), sizeof m_end);
        m_to.flush();
        check();
    }

  private:
    static constexpr std::size_t piece = std::size_t{1} << 17;

    void flush(ZSTD_EndDirective how) {
        compress(m_in.data(), m_in.size(), how);
        m_in.clear();
    }
    void compress(const char* from, std::size_t n, ZSTD_EndDirective how) {
        ZSTD_inBuffer in{from, n, 0};
        for (std::size_t left = 1; in.pos < in.size || (how == ZSTD_e_end && left != 0);) {
            ZSTD_outBuffer out{m_out.data(), m_out.size(), m_used};
            left = ZSTD_compressStream2(m_zstd.get(), &out, &in, how);
            if (ZSTD_isError(left) != 0) throw state_error(ZSTD_getErrorName(left));
            m_used = out.pos;
            if (m_used == m_out.size()) put();
        }
    }
    void put() {
        m_end.sum = add_to_sum(m_end.sum, m_out.data(), m_used);
        m_to.write(m_out.data(), static_cast<std::streamsize>(m_used));
        check();
        m_used = 0;
    }
    void check() const {
        if (!m_to) throw state_error("the stream takes no more");
    }

    std::ostream& m_to;
    std::unique_ptr<ZSTD_CCtx, freed_context> m_zstd{ZSTD_createCCtx()};
    std::vector<char> m_in, m_out;
    std::size_t m_used = 0;  ///< bytes used of m_out
    trailer m_end;
};

}  // namespace

std::string checkpoint_layout() {
    return SARE_ABI " " SARE_SOURCES " " __VERSION__;
}

void write_checkpoint(std::ostream& to, checkpoint_info info, const state_function& state) {
    writer w(to);
    std::string layout = checkpoint_layout();
    w(layout, info);
    state(w);
    w.finish();
}

class checkpoint::reader final : public archive {
  public:
    explicit reader(std::istream& from)
        : archive(true), m_from(from), m_in(frame_piece), m_out(ZSTD_DStreamOutSize()) {
        check_head();
        m_begin = m_from.tellg();
        if (!is_whole()) find_fault();
        start();
    }
    void bytes(void* at, std::size_t n) override {
        for (auto* to = static_cast<char*>(at); n != 0;) {
            if (m_at == m_end && !refill())
                throw state_error("there is less in the checkpoint than is wanted");
            const std::size_t some = std::min(n, m_end - m_at);
            std::memcpy(to, &m_out[m_at], some);
            m_at += some;
            to += some;
            n -= some;
        }
    }

  private:
    void check_head() {
        char head[magic_size] = {};
        std::uint32_t of = 0;
        m_from.read(head, magic_size);
        m_from.read(reinterpret_cast<char*>(&of), sizeof of);
        if (!m_from || std::memcmp(head, magic, magic_size) != 0)
            throw state_error("is no checkpoint of sare");
        if (of != version)
            throw state_error(
                fmt::format("is of version {} of the format; this program has version {}: go on with the one "
                            "that wrote it",
                            of, version));
    }
    void go_to(std::istream::pos_type place) {
        m_from.clear();
        m_from.seekg(place);
        if (!m_from) throw state_error("the stream cannot go back to its beginning");
    }
    /// True if the sum of the frame is right; as fast as it can be read.
    bool is_whole() {
        m_from.seekg(0, std::ios::end);
        std::streamoff left = m_from.tellg() - m_begin - static_cast<std::streamoff>(sizeof(trailer));
        go_to(m_begin);
        trailer end{0, 0}, wanted;
        for (; left > 0; left -= m_from.gcount()) {
            m_from.read(m_in.data(), std::min<std::streamoff>(left, frame_piece));
            if (!m_from) return false;
            wanted.sum = add_to_sum(wanted.sum, m_in.data(), static_cast<std::size_t>(m_from.gcount()));
        }
        m_from.read(reinterpret_cast<char*>(&end), sizeof end);
        return left == 0 && m_from && end.mark == wanted.mark && end.sum == wanted.sum;
    }
    void start() {
        go_to(m_begin);
        ZSTD_DCtx_reset(m_zstd.get(), ZSTD_reset_session_only);
        m_coming = {m_in.data(), 0, 0};
        m_at = m_end = 0;
        m_over = false;
    }
    /// Unpacks a damaged frame to find what is wrong.
    [[noreturn]] void find_fault() {
        start();
        while (refill()) continue;
        std::size_t rest = m_coming.size - m_coming.pos;
        for (; m_from.peek() != std::istream::traits_type::eof(); ++rest) m_from.get();
        if (rest < sizeof(trailer)) throw state_error("is cut short");
        throw state_error(rest > sizeof(trailer) ? "is damaged: there is more behind its end"
                                                 : "is damaged: its sum is another");
    }
    /// Reads the next piece; false behind the last one.
    bool refill() {
        m_at = m_end = 0;
        while (!m_over && m_end == 0) {
            if (m_coming.pos == m_coming.size) {
                m_from.read(m_in.data(), static_cast<std::streamsize>(m_in.size()));
                m_coming = {m_in.data(), static_cast<std::size_t>(m_from.gcount()), 0};
                if (m_coming.size == 0) throw state_error("is cut short");
            }
            ZSTD_outBuffer out{m_out.data(), m_out.size(), 0};
            const std::size_t left = ZSTD_decompressStream(m_zstd.get(), &out, &m_coming);
            if (ZSTD_isError(left) != 0)
                throw state_error(std::string("is damaged: ") + ZSTD_getErrorName(left));
            m_end = out.pos;
            m_over = left == 0;
        }
        return m_end != 0;
    }

    std::istream& m_from;
    std::istream::pos_type m_begin;  ///< begin of the frame
    std::unique_ptr<ZSTD_DCtx, freed_context> m_zstd{ZSTD_createDCtx()};
    std::vector<char> m_in, m_out;
    ZSTD_inBuffer m_coming{};
    std::size_t m_at = 0, m_end = 0;  ///< place and end of what has been taken out
    bool m_over = false;
};

checkpoint::checkpoint(std::istream& from) : m_reader(std::make_unique<reader>(from)) {
    std::string layout;
    (*m_reader)(layout);
    if (layout != checkpoint_layout())
        throw state_error("was written by another build of the program, whose state lies otherwise (" +
                          layout + "; here " + checkpoint_layout() + ")");
    (*m_reader)(m_info);
}

checkpoint::~checkpoint() = default;

void checkpoint::restore(const state_function& state) {
    state(*m_reader);
    std::uint64_t mark = 0;
    (*m_reader)(mark);
    if (mark != end_mark) throw state_error("there is more in the checkpoint than is wanted");
}

}  // namespace sare
