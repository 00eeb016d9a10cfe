// SPDX-License-Identifier: Apache-2.0
#include "tlm/inside/waves/fst_writer.h"

#include <gtkwave/fstapi.h>

#include <sstream>

namespace sare {

fst_writer::fst_writer() : m_to(fstWriterCreate(m_file.name().c_str(), 1)) {
    if (m_to == nullptr)
        throw std::runtime_error(m_file.name() + " cannot be written; TMPDIR names another folder");
    fstWriterSetTimescale(m_to, -12);
    fstWriterSetVersion(m_to, "sare");
    fstWriterSetDate(m_to, "");  // the same run writes the same file
    fstWriterSetPackType(m_to, FST_WR_PT_LZ4);
}

void fst_writer::enter(const std::string& path) {
    std::istringstream words(path);
    std::vector<std::string> names;
    for (std::string word; std::getline(words, word, '.');) names.push_back(word);
    std::size_t same = 0;
    while (same < m_scopes.size() && same < names.size() && m_scopes[same] == names[same]) ++same;
    for (; m_scopes.size() > same; m_scopes.pop_back()) fstWriterSetUpscope(m_to);
    for (; same < names.size(); ++same) {
        fstWriterSetScope(m_to, FST_ST_VCD_MODULE, names[same].c_str(), nullptr);
        m_scopes.push_back(names[same]);
    }
}

std::uint32_t fst_writer::declare(const std::string& name, std::uint32_t bits, std::uint32_t same_as) {
    const fstVarType type = bits == 0 ? FST_VT_GEN_STRING : FST_VT_VCD_REG;
    return fstWriterCreateVar(m_to, type, FST_VD_IMPLICIT, bits, name.c_str(), same_as);
}

void fst_writer::emit_time() {
    if (m_written != m_time) fstWriterEmitTimeChange(m_to, m_time);
    m_written = m_time;
}

void fst_writer::set(signal& s, const std::string& value) {
    if (s.last == value) return;
    emit_time();
    if (s.bits != 0)
        fstWriterEmitValueChange(m_to, s.handle, value.c_str());
    else
        fstWriterEmitVariableLengthValueChange(m_to, s.handle, value.data(),
                                               static_cast<std::uint32_t>(value.size()));
    s.last = value;
}

void fst_writer::close() {
    if (m_to == nullptr) return;
    if (m_written != ~std::uint64_t{0}) emit_time();
    fstWriterClose(m_to);
    m_to = nullptr;
}

std::string in_bits(std::uint64_t value, std::uint32_t bits) {
    std::string text(bits, '0');
    for (std::uint32_t b = 0; b < bits; ++b)
        if (b < 64 && (value >> b & 1) != 0) text[bits - 1 - b] = '1';
    return text;
}

}  // namespace sare
