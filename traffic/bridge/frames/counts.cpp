// SPDX-License-Identifier: Apache-2.0
#include "traffic/bridge/frames/counts.h"

#include "tlm/stats/results.h"
#include "tlm/stats/table.h"

#include <openssl/evp.h>

#include <algorithm>

namespace sare::traffic {
namespace {

using config::number;
using config::value;

const table_form pairs_form{"frames.csv", R"(
    source: count. Node that sent the frames.
    destination: count. Node that they went to.
    frames: count in frames. That arrived.
    bytes: count in bytes. Of these.
    lost: count in frames. That the network lost.
    mean_us: number in us. Mean latency.
    min_us: number in us. Least latency.
    max_us: number in us. Largest latency.
)"};
const table_form timeline_form{"frames_timeline.csv", R"(
    node: count. Node that sent the frames.
    from_us: number in us. From here
    to_us: number in us. to before here.
    frames: count in frames. That it sent then.
    bytes: count in bytes. Of these.
)"};

double us(double picoseconds_) {
    return picoseconds_ / 1e6;
}

double ratio(double a, std::uint64_t b) {
    return b == 0 ? 0 : a / static_cast<double>(b);
}

}  // namespace

struct frame_counts::digest {
    digest() : context(EVP_MD_CTX_new()) { EVP_DigestInit_ex(context, EVP_sha256(), nullptr); }
    ~digest() { EVP_MD_CTX_free(context); }
    digest(const digest&) = delete;
    digest& operator=(const digest&) = delete;
    EVP_MD_CTX* context;
};

frame_counts::frame_counts(picoseconds period)
    : m_period(period), m_bin_width(1000 * period), m_digest(std::make_unique<digest>()) {}

frame_counts::~frame_counts() = default;

void frame_counts::sent(const frame& f) {
    ++m_all.sent;
    m_all.bytes_sent += f.length;
    if (f.bytes != nullptr) m_all.retransmissions += m_tcp.is_retransmission(*f.bytes) ? 1 : 0;
    note_time(f);
    hash('s', f);
}

void frame_counts::arrived(const frame& f, picoseconds sent, picoseconds right) {
    const picoseconds latency = f.time - sent, false_delay = f.time - right;
    ++m_all.arrived;
    m_all.bytes_arrived += f.length;
    m_all.latency += latency;
    m_late += false_delay != 0 ? 1 : 0;
    m_false_sum += false_delay;
    m_false_max = std::max(m_false_max, false_delay);
    m_latency.record(latency / m_period);
    pair_counts& p = m_pairs[{f.source, f.node}];
    ++p.frames;
    p.bytes += f.length;
    p.latency += static_cast<double>(latency);
    p.min = std::min(p.min, latency);
    p.max = std::max(p.max, latency);
    hash('a', f);
}

void frame_counts::dropped(const std::string& cause) {
    ++m_drops[cause];
}

void frame_counts::lost(std::uint32_t source, std::uint32_t destination) {
    ++m_lost;
    ++m_pairs[{source, destination}].lost;
}

void frame_counts::region_begins(picoseconds at) {
    if (!m_region_begin) m_region_begin.emplace(at, m_all);
}

void frame_counts::region_ends(picoseconds at) {
    if (m_region_begin) m_region_end.emplace(at, m_all);
}

/// Counts a frame along time; neighbouring bins are joined as time goes on, so that their number is limited.
void frame_counts::note_time(const frame& f) {
    while (f.time / m_bin_width >= most_bins) {
        m_bin_width *= 2;
        for (auto& [node, bins] : m_timeline) {
            for (std::size_t i = 0; i < bins.size(); ++i) {
                const bin b = bins[i];
                if (i % 2 == 0)
                    bins[i / 2] = b;
                else
                    bins[i / 2] = {bins[i / 2].frames + b.frames, bins[i / 2].bytes + b.bytes};
            }
            bins.resize((bins.size() + 1) / 2);
        }
    }
    std::vector<bin>& bins = m_timeline[f.node];
    const auto at = static_cast<std::size_t>(f.time / m_bin_width);
    if (bins.size() <= at) bins.resize(at + 1);
    ++bins[at].frames;
    bins[at].bytes += f.length;
}

void frame_counts::hash(char what, const frame& f) {
    const std::array<std::uint64_t, 6> facts{
        static_cast<std::uint64_t>(what), f.time, f.node, f.source, f.length, f.id};
    EVP_DigestUpdate(m_digest->context, facts.data(), sizeof facts);
    if (f.bytes != nullptr) EVP_DigestUpdate(m_digest->context, f.bytes->data(), f.bytes->size());
}

std::string frame_counts::hash_text() const {
    const digest copy;
    EVP_MD_CTX_copy_ex(copy.context, m_digest->context);
    std::array<unsigned char, EVP_MAX_MD_SIZE> bytes{};
    unsigned length = 0;
    EVP_DigestFinal_ex(copy.context, bytes.data(), &length);
    std::string text;
    for (unsigned i = 0; i < length; ++i)
        for (const int half : {bytes[i] >> 4, bytes[i] & 15}) text += "0123456789abcdef"[half];
    return text;
}

config::value frame_counts::results() const {
    value out = value::map({});
    value frames = value::map({{"sent", number(m_all.sent)}, {"arrived", number(m_all.arrived)}});
    frames.set("lost_in_network", number(m_lost));
    frames.set("retransmissions", number(m_all.retransmissions));
    for (const auto& [cause, n] : m_drops) frames.set("dropped_" + cause, number(n));
    out.set("frames", frames);
    out.set("bytes",
            value::map({{"sent", number(m_all.bytes_sent)}, {"arrived", number(m_all.bytes_arrived)}}));
    const latency_summary l = m_latency.summary();
    out.set("frame_latency_us",
            value::map({{"mean", number(us(ratio(static_cast<double>(m_all.latency), m_all.arrived)))},
                        {"min", number(us(l.min * static_cast<double>(m_period)))},
                        {"p50", number(us(l.p50 * static_cast<double>(m_period)))},
                        {"p99", number(us(l.p99 * static_cast<double>(m_period)))},
                        {"max", number(us(l.max * static_cast<double>(m_period)))}}));
    out.set("false_delay_us",
            value::map({{"mean", number(us(ratio(static_cast<double>(m_false_sum), m_all.arrived)))},
                        {"max", number(us(static_cast<double>(m_false_max)))},
                        {"frames", number(m_late)}}));
    if (m_region_begin && m_region_end) {
        const auto& [begin, before] = *m_region_begin;
        const auto& [end, after] = *m_region_end;
        const std::uint64_t arrived = after.arrived - before.arrived;
        out.set(
            "region",
            value::map({{"begin_us", number(us(static_cast<double>(begin)))},
                        {"end_us", number(us(static_cast<double>(end)))},
                        {"frames", number(after.sent - before.sent)},
                        {"bytes", number(after.bytes_sent - before.bytes_sent)},
                        {"arrived", number(arrived)},
                        {"retransmissions", number(after.retransmissions - before.retransmissions)},
                        {"mean_latency_us",
                         number(us(ratio(static_cast<double>(after.latency - before.latency), arrived)))}}));
    }
    out.set("frames_sha256", value::scalar(hash_text()));
    return out;
}

std::string frame_counts::pairs_csv() const {
    table rows(pairs_form);
    for (const auto& [ends, p] : m_pairs) {
        rows.counts({ends.first, ends.second});
        rows.counts({p.frames, p.bytes, p.lost});
        for (const double t : {ratio(p.latency, p.frames), p.frames == 0 ? 0 : static_cast<double>(p.min),
                               static_cast<double>(p.max)})
            rows.cell(config::number_text(us(t)));
        rows.end_row();
    }
    return rows.text();
}

std::string frame_counts::timeline_csv() const {
    table rows(timeline_form);
    for (const auto& [node, bins] : m_timeline)
        for (std::size_t i = 0; i < bins.size(); ++i) {
            if (bins[i].frames == 0) continue;
            rows.row(node, config::number_text(us(static_cast<double>(i * m_bin_width))),
                     config::number_text(us(static_cast<double>((i + 1) * m_bin_width))), bins[i].frames,
                     bins[i].bytes);
        }
    return rows.text();
}

std::string frame_counts::figures() const {
    const auto field = [](const char* name, const std::string& v) {
        return "\"" + std::string(name) + "\": " + v;
    };
    const double mean = us(ratio(static_cast<double>(m_all.latency), m_all.arrived));
    const double late = us(ratio(static_cast<double>(m_false_sum), m_all.arrived));
    return "{" + field("frames_sent", std::to_string(m_all.sent)) + ", " +
           field("frames_arrived", std::to_string(m_all.arrived)) + ", " +
           field("bytes_sent", std::to_string(m_all.bytes_sent)) + ", " +
           field("lost_in_network", std::to_string(m_lost)) + ", " +
           field("retransmissions", std::to_string(m_all.retransmissions)) + ", " +
           field("mean_latency_us", config::number_text(mean)) + ", " +
           field("mean_false_delay_us", config::number_text(late)) + "}";
}

}  // namespace sare::traffic
