// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

/// Verilated modules as shared libraries: built when first asked for, kept, and loaded beside each other, so
/// that any number of variants run in one process. A library is made of SystemVerilog and
/// cosim/rtl/verilated_shim.cpp: changes in tlm/ do not make it anew.
namespace sare::cosim {

/// Error of one line: the RTL could not be built or loaded, or one of its assertions failed.
class rtl_error : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// Optimisation of a library; a router of 5 ports and 4 VCs takes 5, 17 or 25 seconds to build.
enum class rtl_speed {
    quick,    ///< not optimised: for short runs
    checked,  ///< optimised, with assertions
    fast      ///< fully optimised, without assertions
};

/// Parameters of a module by name, as SystemVerilog text.
using rtl_parameters = std::vector<std::pair<std::string, std::string>>;
/// Returns parameters in one line, for people.
std::string text(const rtl_parameters& parameters);

/// A module, and how it is built.
struct rtl_request {
    std::string top = {};  ///< name of the module and of its file
    rtl_parameters parameters = {};
    rtl_speed speed = rtl_speed::checked;
    bool waves = false;        ///< true: the library can write waves
    bool model_pins = false;   ///< only with waves: has an input model_NAME beside each output
    bool coverage = false;     ///< true: counts lines and toggles
    std::string sources = {};  ///< folder; empty: SARE_RTL from the environment, or Sare's own rtl/
};

/// The bits of a pin: a vector of any width.
class rtl_pin {
  public:
    rtl_pin() = default;
    rtl_pin(void* data, std::uint32_t bytes) : m_data(static_cast<std::uint8_t*>(data)), m_bytes(bytes) {}

    /// Sets the `width` bits from bit `lsb` on: at most 64, all of them within the pin, which is not checked.
    void set(std::uint32_t lsb, std::uint32_t width, std::uint64_t value) {
        const std::uint32_t shift = lsb % 8;
        if (!in_one_word(lsb, width)) return set_by_bytes(lsb, width, value);
        const std::uint64_t mask = (width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1)
                                   << shift;
        std::uint64_t word;
        std::memcpy(&word, m_data + lsb / 8, sizeof word);
        word = (word & ~mask) | ((value << shift) & mask);
        std::memcpy(m_data + lsb / 8, &word, sizeof word);
    }
    /// Returns the `width` bits from bit `lsb` on, under the same conditions as set().
    std::uint64_t get(std::uint32_t lsb, std::uint32_t width) const {
        if (!in_one_word(lsb, width)) return get_by_bytes(lsb, width);
        std::uint64_t word;
        std::memcpy(&word, m_data + lsb / 8, sizeof word);
        word >>= lsb % 8;
        return width == 64 ? word : word & ((std::uint64_t{1} << width) - 1);
    }
    void clear() { std::memset(m_data, 0, m_bytes); }  ///< sets all bits to 0

  private:
    /// True if eight bytes of the pin hold all bits.
    bool in_one_word(std::uint32_t lsb, std::uint32_t width) const {
        return lsb / 8 + 8 <= m_bytes && lsb % 8 + width <= 64;
    }
    void set_by_bytes(std::uint32_t lsb, std::uint32_t width, std::uint64_t value);
    std::uint64_t get_by_bytes(std::uint32_t lsb, std::uint32_t width) const;

    std::uint8_t* m_data = nullptr;  ///< little-endian, as Verilator stores every width on such machines
    std::uint32_t m_bytes = 0;
};

class rtl_library;

/// An instance of a Verilated module.
class rtl_instance {
  public:
    ~rtl_instance();
    rtl_instance(const rtl_instance&) = delete;
    rtl_instance& operator=(const rtl_instance&) = delete;

    /// Returns a port; throws rtl_error if there is none of this name.
    rtl_pin pin(const std::string& name) const;
    /// Evaluates the module. Throws rtl_error, with file, line, instance and label, if an assertion fails.
    void eval();
    /// Runs `final` blocks, after the last cycle, once. Throws as eval() does.
    void finish();
    /// Begins to write waves (FST). Returns false if the library was not built for it.
    bool open_waves(const std::string& file);
    /// Writes all signals at `time`, which must rise with each call. Call only after open_waves() has
    /// returned true.
    void dump_waves(std::uint64_t time);
    /// Ends the file of waves. Call only after open_waves() has returned true.
    void close_waves();
    /// Writes the counters of lines and toggles to a file in Verilator's format. Throws rtl_error if the
    /// library was built without coverage.
    void write_coverage(const std::string& file) const;

  private:
    friend class rtl_library;
    explicit rtl_instance(std::shared_ptr<const rtl_library> library);
    void throw_failure() const;

    std::shared_ptr<const rtl_library> m_library;
    void* m_model;
};

/// The library of a Verilated module with its parameters, loaded into this process.
class rtl_library : public std::enable_shared_from_this<rtl_library> {
  public:
    /// Returns the library of a request from the cache, and builds it first if it is not there (seconds).
    /// Throws rtl_error, which names the file with the compiler's output, if it cannot be built.
    static std::shared_ptr<rtl_library> get(const rtl_request& request);
    /// Returns the folder of libraries: SARE_RTL_CACHE from the environment, or sare-rtl in the user's cache
    /// folder.
    static std::string cache_folder();
    /// True if the library of a request is in the cache.
    static bool is_built(const rtl_request& request);

    ~rtl_library();
    /// Makes an instance of the module, which keeps the library loaded.
    std::unique_ptr<rtl_instance> make();
    const std::string& file() const { return m_file; }  ///< path of the library

  private:
    friend class rtl_instance;
    explicit rtl_library(const std::string& file);
    template <class F>
    F* symbol(const char* name) const;

    std::string m_file;
    void* m_handle = nullptr;
    void* (*m_new)() = nullptr;
    void (*m_delete)(void*) = nullptr;
    void (*m_eval)(void*) = nullptr;
    void (*m_final)(void*) = nullptr;
    void* (*m_pin)(void*, const char*, std::uint32_t*) = nullptr;
    const char* (*m_failure)() = nullptr;
    void (*m_open_waves)(void*, const char*) = nullptr;
    void (*m_dump_waves)(void*, std::uint64_t) = nullptr;
    void (*m_close_waves)(void*) = nullptr;
    void (*m_write_coverage)(void*, const char*) = nullptr;
};

}  // namespace sare::cosim
