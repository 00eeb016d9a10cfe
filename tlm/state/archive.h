// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <map>
#include <optional>
#include <queue>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

/// Archives write state to checkpoints and read it again (docs/checkpoint.md). An object with state has one
/// function for both directions, so that these cannot differ:
///
///     void serialize(archive& a) { a(m_now, m_queues, m_random); }
///
/// Pointers are never written. Reading fills an object that has been built in the same way as the one
/// written.
namespace sare {

/// Error, with a text of one line: state cannot be written, or a state that is read does not fit the object.
class state_error : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// Thrown by the default serialize() of an interface: the derived class cannot be written to checkpoints.
/// `what`: name of the class in the error text; callers that know a better name catch this error and use
/// that.
class unwritable : public state_error {
  public:
    explicit unwritable(const std::string& what = "this") : state_error(what + " cannot be written") {}
};

/// Writes state, or reads it into an object built like the one that was written.
class archive {
  public:
    virtual ~archive() = default;
    archive(const archive&) = delete;
    archive& operator=(const archive&) = delete;

    bool reads() const { return m_reads; }  ///< true: state is read; false: it is written
    /// Writes the `n` bytes at `at`, or reads as many to `at`. Throws state_error if that fails.
    virtual void bytes(void* at, std::size_t n) = 0;

    /// Writes or reads, in this order, each of `parts`: a number, a plain structure without pointers, an
    /// object with a function serialize(archive&), a std::string, vector, deque, pair, optional, map,
    /// unordered_map or priority_queue of such.
    template <class... T>
    void operator()(T&... parts) {
        (part(parts), ...);
    }
    /// Writes or reads vectors in place: their elements do not move in memory, since pointers to them exist.
    /// When reading, throws state_error if a vector has another length than the one that was written.
    template <class... Vector>
    void in_place(Vector&... parts) {
        (same_place(parts), ...);
    }
    /// Writes or reads a trivially copyable object except the members `kept`, pointers for instance, which
    /// are written as 0 and keep their values when reading.
    template <class T, class... Member>
    void plain(T& x, Member... kept) {
        static_assert(std::is_trivially_copyable_v<T>);
        alignas(T) unsigned char image[sizeof(T)];
        const auto place = [&](auto& member) {
            return image + (reinterpret_cast<const unsigned char*>(&member) -
                            reinterpret_cast<const unsigned char*>(&x));
        };
        if (m_reads) {
            bytes(image, sizeof image);
            (std::memcpy(place(x.*kept), &(x.*kept), sizeof(x.*kept)), ...);
            std::memcpy(static_cast<void*>(&x), image, sizeof image);
        } else {
            std::memcpy(image, static_cast<const void*>(&x), sizeof image);
            clear_padding(*reinterpret_cast<T*>(image));
            (std::memset(place(x.*kept), 0, sizeof(x.*kept)), ...);
            bytes(image, sizeof image);
        }
    }
    /// Writes or reads `n` bytes of memory of which many pages (4 KiB) may be zero and never used: a page
    /// that is zero is written as one byte, and is not touched on reading if it is zero here, too.
    void sparse(void* at, std::size_t n);
    /// Writes `value`; when reading, throws state_error if it differs from the one that was written. `what`
    /// names the value in the text of the error.
    void same(std::uint64_t value, const char* what);
    /// Writes text `value`; when reading, throws state_error if it differs from the text that was written.
    void same(const std::string& value, const char* what);

  protected:
    explicit archive(bool reads) : m_reads(reads) {}

  private:
    template <class T, class = void>
    struct has_state : std::false_type {};
    template <class T>
    struct has_state<T, std::void_t<decltype(std::declval<T&>().serialize(std::declval<archive&>()))>>
        : std::true_type {};
    template <class T>
    static constexpr bool is_plain = std::is_trivially_copyable_v<T> && !has_state<T>::value;

    template <class T>
    void part(T& x) {
        if constexpr (has_state<T>::value) {
            x.serialize(*this);
        } else {
            static_assert(is_plain<T> && !std::is_pointer_v<T>, "it needs a function serialize(archive&)");
            objects(&x, 1);
        }
    }
    /// Sets bytes between members, which have no value, to 0, so that equal states have equal bytes. Does
    /// nothing if the compiler cannot tell which bytes these are.
    template <class T>
    static void clear_padding(T& x) {
#if defined __has_builtin
#if __has_builtin(__builtin_clear_padding)
        if constexpr (!std::has_unique_object_representations_v<T>) __builtin_clear_padding(&x);
#endif
#endif
        (void)x;
    }
    /// Writes or reads `n` plain objects from `first` on.
    template <class T>
    void objects(T* first, std::size_t n) {
        if (!m_reads)
            for (std::size_t k = 0; k < n; ++k) clear_padding(first[k]);
        bytes(first, n * sizeof(T));
    }
    /// Writes `here`, the size of a container, and returns it; or reads and returns the size that was
    /// written.
    std::size_t size_of(std::size_t here) {
        std::uint64_t n = here;
        bytes(&n, sizeof n);
        return static_cast<std::size_t>(n);
    }
    template <class T, class Allocator>
    void elements(std::vector<T, Allocator>& v) {
        if constexpr (is_plain<T>)
            objects(v.data(), v.size());
        else
            for (T& x : v) part(x);
    }
    template <class T, class Allocator>
    void same_place(std::vector<T, Allocator>& v) {
        same(v.size(), "the length of a table");
        elements(v);
    }
    template <class T>
    void part(std::vector<T>& v) {
        v.resize(size_of(v.size()));
        elements(v);
    }
    template <class T>
    void part(std::deque<T>& v) {
        v.resize(size_of(v.size()));
        for (T& x : v) part(x);
    }
    void part(std::string& s) {
        s.resize(size_of(s.size()));
        bytes(s.data(), s.size());
    }
    template <class A, class B>
    void part(std::pair<A, B>& p) {
        part(p.first);
        part(p.second);
    }
    template <class T>
    void part(std::optional<T>& x) {
        bool is = x.has_value();
        part(is);
        if (m_reads) is ? void(x.emplace()) : x.reset();
        if (is) part(*x);
    }
    template <class T, class C, class Less>
    void part(std::priority_queue<T, C, Less>& q) {
        struct opened : std::priority_queue<T, C, Less> {
            static C& inside(std::priority_queue<T, C, Less>& of) { return of.*&opened::c; }
        };
        part(opened::inside(q));
    }
    template <class K, class V>
    void part(std::map<K, V>& m) {
        entries<K, V>(m);
    }
    /// Writes or reads the map; the order of its elements is not kept.
    template <class K, class V, class Hash>
    void part(std::unordered_map<K, V, Hash>& m) {
        entries<K, V>(m);
    }
    template <class K, class V, class Map>
    void entries(Map& m) {
        std::size_t n = size_of(m.size());
        if (!m_reads) {
            for (auto& [key, value] : m) {
                K copy = key;
                part(copy);
                part(value);
            }
            return;
        }
        m.clear();
        for (; n != 0; --n) {
            K key{};
            part(key);
            part(m[key]);
        }
    }

    bool m_reads;  ///< value of reads()
};

/// Archive that counts the bytes that a state would take, and writes nothing. An object that cannot be
/// written throws unwritable.
class state_size final : public archive {
  public:
    state_size() : archive(false) {}
    void bytes(void*, std::size_t n) override { m_bytes += n; }
    std::uint64_t count() const { return m_bytes; }  ///< number of bytes counted so far

  private:
    std::uint64_t m_bytes = 0;
};

}  // namespace sare
