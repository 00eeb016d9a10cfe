// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <iosfwd>
#include <map>
#include <string>
#include <vector>

namespace sare {

/// Writer of FTR, the transaction files of LWTR (https://github.com/Minres/LWTR4SC), in uncompressed chunks
/// of CBOR (RFC 8949). Streams have generators, generators make transactions with attributes, relations join
/// transactions. Everything is kept in memory until finish().
class ftr_writer {
  public:
    using number = std::uint64_t;

    /// `exponent`: times are in units of 10^exponent seconds.
    explicit ftr_writer(int exponent) : m_exponent(exponent) { key_of(""); }

    number add_stream(const std::string& name, const std::string& kind);
    number add_generator(const std::string& name, number of);
    /// @name A transaction of a generator, and attributes of the last one
    /// @{
    number add(number by, std::uint64_t begin, std::uint64_t end);
    void attribute(const std::string& name, const std::string& value);
    void attribute(const std::string& name, std::uint64_t value);
    void time(const std::string& name, std::uint64_t value);
    /// @}
    void relate(const std::string& name, number from, number to);
    /// Writes the file, with a date of creation in 1970, so that the same run writes the same file.
    void finish(std::ostream& out) const;

  private:
    struct stream {
        number name, kind;
    };
    struct generator {
        number name, stream;
    };
    struct transaction {
        number generator;
        std::uint64_t begin, end;
        std::string attributes;  ///< attributes in CBOR
        std::uint64_t count = 0;
    };
    struct relation {
        number name, from, to;
    };

    number key_of(const std::string& text);
    void attribute(const std::string& name, std::uint64_t type, std::uint64_t value);
    std::string dictionary() const;
    std::string directory() const;
    std::string relations() const;
    void write_blocks(std::ostream& out) const;
    number stream_of(const transaction& t) const { return m_generators[t.generator - 1].stream; }

    const int m_exponent;
    std::map<std::string, number> m_keys;
    std::vector<std::string> m_texts;
    // Numbered from 1.
    std::vector<stream> m_streams;
    std::vector<generator> m_generators;
    std::vector<transaction> m_transactions;
    std::vector<relation> m_relations;
};

}  // namespace sare
