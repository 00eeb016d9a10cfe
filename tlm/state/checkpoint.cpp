// SPDX-License-Identifier: Apache-2.0
#include "tlm/state/checkpoint.h"

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
constexpr std::uint32_t version = 1;
constexpr std::uint64_t end_mark = 0x2e646e6520656854;  // "The end."

class writer final : public archive {
  public:
    explicit writer(std::ostream& to) : archive(false), m_to(to), m_out(ZSTD_CStreamOutSize()) {
        ZSTD_CCtx_setParameter(m_zstd.get(), ZSTD_c_compressionLevel, 1);
        ZSTD_CCtx_setParameter(m_zstd.get(), ZSTD_c_checksumFlag, 1);
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
            ZSTD_outBuffer out{m_out.data(), m_out.size(), 0};
            left = ZSTD_compressStream2(m_zstd.get(), &out, &in, how);
            if (ZSTD_isError(left) != 0) throw state_error(ZSTD_getErrorName(left));
            m_to.write(m_out.data(), static_cast<std::streamsize>(out.pos));
            check();
        }
    }
    void check() const {
        if (!m_to) throw state_error("the stream takes no more");
    }

    std::ostream& m_to;
    std::unique_ptr<ZSTD_CCtx, freed_context> m_zstd{ZSTD_createCCtx()};
    std::vector<char> m_in, m_out;
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
        : archive(true), m_from(from), m_in(ZSTD_DStreamInSize()), m_out(ZSTD_DStreamOutSize()) {
        check_head();
        const auto begin = m_from.tellg();
        look_through();
        m_from.clear();
        m_from.seekg(begin);
        if (!m_from) throw state_error("the stream cannot go back to its beginning");
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
            throw state_error("is of version " + std::to_string(of) +
                              " of the format; this program has version " + std::to_string(version));
    }
    void start() {
        ZSTD_DCtx_reset(m_zstd.get(), ZSTD_reset_session_only);
        m_coming = {m_in.data(), 0, 0};
        m_at = m_end = 0;
        m_over = false;
    }
    /// To its end, for its sum and its length.
    void look_through() {
        start();
        while (refill()) continue;
        if (m_coming.pos != m_coming.size || m_from.peek() != std::istream::traits_type::eof())
            throw state_error("is damaged: there is more behind its end");
    }
    /// The next piece; false behind the last one.
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
    std::unique_ptr<ZSTD_DCtx, freed_context> m_zstd{ZSTD_createDCtx()};
    std::vector<char> m_in, m_out;
    ZSTD_inBuffer m_coming{};
    std::size_t m_at = 0, m_end = 0;  ///< of what has been taken out
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
