// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <iosfwd>
#include <map>
#include <string>
#include <vector>

namespace sare {

/// Writer of FTR, the transaction files of LWTR (https://github.com/Minres/LWTR4SC), in uncompressed chunks
/// of CBOR (RFC 8949). A stream has generators, a generator makes transactions with attributes, and relations
/// join transactions. All is kept in memory until finish(). Numbers that are passed must exist (unchecked).
class ftr_writer {
  public:
    /// Number of a stream, generator or transaction: each of the three kinds is counted from 1, through the
    /// whole file.
    using number = std::uint64_t;

    /// Makes a file without streams. `exponent`: times are in units of 10^exponent seconds; -9 for ns.
    explicit ftr_writer(int exponent) : m_exponent(exponent) { key_of(""); }

    /// Adds a stream and returns its number. `kind`: any word, which viewers show ("memory"). Several streams
    /// may have the same name.
    number add_stream(const std::string& name, const std::string& kind);
    /// Adds a generator of stream `of` and returns its number.
    number add_generator(const std::string& name, number of);
    /// @name Transactions
    /// @{
    /// Adds a transaction of generator `by` and returns its number. `begin`, `end`: times in units of the
    /// file, `end` no earlier than `begin` (not checked).
    number add(number by, std::uint64_t begin, std::uint64_t end);
    /// Adds an attribute, a text or a number, to the transaction that was added last, which must exist.
    void attribute(const std::string& name, const std::string& value);
    void attribute(const std::string& name, std::uint64_t value);
    /// Adds an attribute that is a time, in units of the file, to the transaction that was added last.
    void time(const std::string& name, std::uint64_t value);
    /// @}
    /// Adds a relation with name `name` from transaction `from` to transaction `to`.
    void relate(const std::string& name, number from, number to);
    /// Writes the whole file to `out`, whose errors are not checked; may be called again. The date of
    /// creation in the file is always in 1970, so that the same run writes the same bytes.
    void finish(std::ostream& out) const;

  private:
    using key = std::uint64_t;  ///< number of a text in the dictionary, from 0, which is the empty text
    struct stream {
        key name, kind;
    };
    struct generator {
        key name;
        number stream;
    };
    struct transaction {
        number generator;
        std::uint64_t begin, end;  ///< times in units of the file
        std::string attributes;    ///< attributes in CBOR
        std::uint64_t count = 0;   ///< number of attributes
    };
    struct relation {
        key name;
        number from, to;
    };

    key key_of(const std::string& text);  ///< number of a text, which is added if it is new
    /// Adds an attribute; `type`: number of FTR for the type of `value`.
    void attribute(const std::string& name, std::uint64_t type, std::uint64_t value);
    std::string dictionary() const;              ///< all texts, in CBOR
    std::string directory() const;               ///< streams and generators, in CBOR
    std::string relations() const;               ///< relations, in CBOR
    void write_blocks(std::ostream& out) const;  ///< writes the transactions, stream by stream
    number stream_of(const transaction& t) const { return m_generators[t.generator - 1].stream; }

    const int m_exponent;                  ///< unit of times, see the constructor
    std::map<std::string, number> m_keys;  ///< number of each text
    std::vector<std::string> m_texts;      ///< texts by number
    // Number n is at index n - 1.
    std::vector<stream> m_streams;
    std::vector<generator> m_generators;
    std::vector<transaction> m_transactions;
    std::vector<relation> m_relations;
};

}  // namespace sare
