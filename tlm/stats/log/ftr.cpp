// SPDX-License-Identifier: Apache-2.0
#include "tlm/stats/log/ftr.h"

#include <algorithm>
#include <ostream>

namespace sare {
namespace {

/// CBOR's items (RFC 8949, section 3): a major type and a number, in as few bytes as it needs.
enum class major : unsigned { positive, negative, bytes, text, array, map, tag };
constexpr char ftr_endless_array = '\x9f', ftr_end = '\xff';

std::string item(major type, std::uint64_t value) {
    const unsigned high = static_cast<unsigned>(type) << 5;
    if (value < 24) return {static_cast<char>(high | value)};
    unsigned log2_bytes = 0;
    while (log2_bytes < 3 && value >> (8U << log2_bytes) != 0) ++log2_bytes;
    std::string all{static_cast<char>(high | (24 + log2_bytes))};
    for (unsigned k = 1U << log2_bytes; k-- != 0;) all += static_cast<char>(value >> 8 * k);
    return all;
}
std::string numbers(std::initializer_list<std::uint64_t> values) {
    std::string all = item(major::array, values.size());
    for (const std::uint64_t v : values) all += item(major::positive, v);
    return all;
}
std::string embedded(const std::string& content) {
    return item(major::bytes, content.size()) + content;
}
std::string tagged(std::uint64_t tag, const std::string& what) {
    return item(major::tag, tag) + what;
}
std::string endless_array(const std::string& items) {
    return ftr_endless_array + items + ftr_end;
}

/// @name FTR's tags: of the file's chunks, of entries within them, and types of attributes
/// @{
constexpr std::uint64_t self_described = 55799, epoch = 1;
constexpr std::uint64_t info_chunk = 6, dictionary_chunk = 8, directory_chunk = 10, block_chunk = 12,
                        relations_chunk = 14;
constexpr std::uint64_t stream_entry = 16, generator_entry = 17, event_entry = 6, record_entry = 8;
constexpr std::uint64_t unsigned_type = 3, string_type = 10, time_type = 11;
/// @}

constexpr std::size_t most_in_block = 65536;  // bytes, about

}  // namespace

ftr_writer::key ftr_writer::key_of(const std::string& text) {
    const auto [found, is_new] = m_keys.try_emplace(text, m_texts.size());
    if (is_new) m_texts.push_back(text);
    return found->second;
}

ftr_writer::number ftr_writer::add_stream(const std::string& name, const std::string& kind) {
    m_streams.push_back({key_of(name), key_of(kind)});
    return m_streams.size();
}

ftr_writer::number ftr_writer::add_generator(const std::string& name, number of) {
    m_generators.push_back({key_of(name), of});
    return m_generators.size();
}

ftr_writer::number ftr_writer::add(number by, std::uint64_t begin, std::uint64_t end) {
    m_transactions.push_back({by, begin, end, "", 0});
    return m_transactions.size();
}

void ftr_writer::attribute(const std::string& name, std::uint64_t type, std::uint64_t value) {
    transaction& t = m_transactions.back();
    t.attributes += tagged(record_entry, numbers({key_of(name), type, value}));
    ++t.count;
}

void ftr_writer::attribute(const std::string& name, const std::string& value) {
    attribute(name, string_type, key_of(value));
}

void ftr_writer::attribute(const std::string& name, std::uint64_t value) {
    attribute(name, unsigned_type, value);
}

void ftr_writer::time(const std::string& name, std::uint64_t value) {
    attribute(name, time_type, value);
}

void ftr_writer::relate(const std::string& name, number from, number to) {
    m_relations.push_back({key_of(name), from, to});
}

std::string ftr_writer::dictionary() const {
    std::string all = item(major::map, m_texts.size());
    for (std::size_t k = 0; k < m_texts.size(); ++k)
        all += item(major::positive, k) + item(major::text, m_texts[k].size()) + m_texts[k];
    return all;
}

std::string ftr_writer::directory() const {
    std::string all;
    for (std::size_t k = 0; k < m_streams.size(); ++k)
        all += tagged(stream_entry, numbers({k + 1, m_streams[k].name, m_streams[k].kind}));
    for (std::size_t k = 0; k < m_generators.size(); ++k)
        all += tagged(generator_entry, numbers({k + 1, m_generators[k].name, m_generators[k].stream}));
    return endless_array(all);
}

std::string ftr_writer::relations() const {
    std::string all;
    for (const relation& r : m_relations)
        all += numbers({r.name, r.from, r.to, stream_of(m_transactions[r.from - 1]),
                        stream_of(m_transactions[r.to - 1])});
    return endless_array(all);
}

/// Of each stream in order of time, in blocks that say from when to when they are.
void ftr_writer::write_blocks(std::ostream& out) const {
    std::vector<std::vector<number>> of_streams(m_streams.size());
    for (std::size_t k = 0; k < m_transactions.size(); ++k)
        of_streams[stream_of(m_transactions[k]) - 1].push_back(k + 1);
    for (std::size_t s = 0; s < of_streams.size(); ++s) {
        std::vector<number>& all = of_streams[s];
        std::stable_sort(all.begin(), all.end(), [this](number a, number b) {
            return m_transactions[a - 1].begin < m_transactions[b - 1].begin;
        });
        for (std::size_t k = 0; k < all.size();) {
            std::string block;
            const std::uint64_t from = m_transactions[all[k] - 1].begin;
            std::uint64_t to = from;
            for (; k < all.size() && block.size() < most_in_block; ++k) {
                const transaction& t = m_transactions[all[k] - 1];
                block += item(major::array, t.count + 1) +
                         tagged(event_entry, numbers({all[k], t.generator, t.begin, t.end})) + t.attributes;
                to = std::max(to, t.end);
            }
            out << tagged(block_chunk, item(major::array, 4)) << item(major::positive, s + 1)
                << item(major::positive, from) << item(major::positive, to) << embedded(endless_array(block));
        }
    }
}

void ftr_writer::finish(std::ostream& out) const {
    const auto size = static_cast<std::uint64_t>(m_exponent < 0 ? -(m_exponent + 1) : m_exponent);
    out << tagged(self_described, std::string{ftr_endless_array})
        << tagged(info_chunk, embedded(item(major::array, 2) +
                                       item(m_exponent < 0 ? major::negative : major::positive, size) +
                                       tagged(epoch, item(major::positive, 0))))
        << tagged(dictionary_chunk, embedded(dictionary())) << tagged(directory_chunk, embedded(directory()));
    write_blocks(out);
    if (!m_relations.empty()) out << tagged(relations_chunk, embedded(relations()));
    out << ftr_end;
}

}  // namespace sare
