// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

/// Verilated modules as shared libraries, each built when it is first asked for, stored in a cache, and
/// loaded beside others, so that any number of variants run in one process. A library is made of
/// SystemVerilog and cosim/rtl/verilated_shim.cpp only: changes in tlm/ do not make it be built again.
namespace sare::cosim {

/// Error with a one-line message: RTL could not be built or loaded, one of its assertions failed, or its pins
/// are wrong.
class rtl_error : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// Way in which a library is compiled. For a router of 5 ports and 4 VCs the three take 5, 17 and 25 seconds
/// to build.
enum class rtl_speed {
    quick,    ///< not optimised, with assertions; for short runs
    checked,  ///< optimised, with assertions
    fast      ///< fully optimised, without assertions
};

/// Parameters of a module: names, and values as SystemVerilog text.
using rtl_parameters = std::vector<std::pair<std::string, std::string>>;
/// Returns parameters in one line for messages: "Name=value Name=value"; empty if there are none.
std::string text(const rtl_parameters& parameters);

/// A request for a library: the module, its parameters, and the way in which it is built.
struct rtl_request {
    std::string top = {};  ///< name of the module, and of its file without .sv
    /// Parameters that do not have their default.
    rtl_parameters parameters = {};
    std::vector<std::string> arguments = {};  ///< further arguments for Verilator
    /// Way of compiling.
    rtl_speed speed = rtl_speed::checked;
    bool waves = false;        ///< true: the library can write waves
    bool model_pins = false;   ///< true, only with waves: the module has an additional input model_NAME for
                               ///< each output NAME, to be shown in waves
    bool coverage = false;     ///< true: the library counts covered lines and toggles
    std::string sources = {};  ///< folder of the sources; empty: the environment variable SARE_RTL, or if it
                               ///< is not set, Sare's own rtl/
};

/// Access to the bits of a pin of a Verilated module, whatever its width. Valid as long as its rtl_instance.
class rtl_pin {
  public:
    rtl_pin() = default;
    /// `data`, `bytes`: memory of the pin in the module, and its size in bytes, a null pointer for no pin;
    /// `width`: number of bits, negative for an output.
    rtl_pin(void* data, std::uint32_t bytes, std::int32_t width)
        : m_data(static_cast<std::uint8_t*>(data)), m_bytes(bytes), m_width(width) {}
    /// Returns true if there is a pin; else set() does nothing, and get() returns 0.
    bool exists() const { return m_data != nullptr; }
    bool is_output() const { return m_width < 0; }  ///< true: output of the module; false: input
    std::uint32_t width() const { return static_cast<std::uint32_t>(std::abs(m_width)); }  ///< number of bits

    /// Sets the bits `lsb` to lsb + width - 1 to the lowest bits of `value`. `width` is 1 to 64, and all bits
    /// must be within the pin; this is not checked.
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
    /// Returns the bits `lsb` to lsb + width - 1 as a number; conditions as for set().
    std::uint64_t get(std::uint32_t lsb, std::uint32_t width) const {
        if (!in_one_word(lsb, width)) return get_by_bytes(lsb, width);
        std::uint64_t word;
        std::memcpy(&word, m_data + lsb / 8, sizeof word);
        word >>= lsb % 8;
        return width == 64 ? word : word & ((std::uint64_t{1} << width) - 1);
    }
    void clear() { std::memset(m_data, 0, m_bytes); }  ///< sets all bits to 0

  private:
    /// Returns true if bits `lsb` to lsb + width - 1 are within the 8 bytes from byte lsb / 8 on, and these
    /// are in the pin.
    bool in_one_word(std::uint32_t lsb, std::uint32_t width) const {
        return lsb / 8 + 8 <= m_bytes && lsb % 8 + width <= 64;
    }
    void set_by_bytes(std::uint32_t lsb, std::uint32_t width, std::uint64_t value);
    std::uint64_t get_by_bytes(std::uint32_t lsb, std::uint32_t width) const;

    std::uint8_t* m_data = nullptr;  ///< address of the pin; Verilator stores all widths as little-endian
                                     ///< words
    std::uint32_t m_bytes = 0;
    std::int32_t m_width = 0;
};

class rtl_library;

/// An instance of a Verilated module, made by rtl_library::make(); it keeps its library loaded.
class rtl_instance {
  public:
    ~rtl_instance();
    rtl_instance(const rtl_instance&) = delete;
    rtl_instance& operator=(const rtl_instance&) = delete;

    /// Returns the port `name` of the module. Throws rtl_error if it has no such port.
    rtl_pin pin(const std::string& name) const;
    /// Returns the port `name`; if the module has none, a pin for which exists() is false.
    rtl_pin find(const std::string& name) const;
    /// Evaluates the module with the present values of its input pins. Throws rtl_error, with file, line,
    /// instance and label, if an assertion fails or the RTL stops ($fatal, $stop, $finish).
    void eval();
    /// Runs the `final` blocks; call once, after the last cycle. Throws rtl_error if an assertion fails.
    void finish();
    /// Begins to write waves to `file` (format FST). Returns false if the library was built without waves.
    bool open_waves(const std::string& file);
    /// Writes the values of all signals at `time`, which must be larger with each call. Call only after
    /// open_waves() has returned true.
    void dump_waves(std::uint64_t time);
    /// Ends the file of waves. Call only after open_waves() has returned true.
    void close_waves();
    /// Writes the counters of lines and toggles to `file` in Verilator's format. Throws rtl_error if the
    /// library was built without coverage.
    void write_coverage(const std::string& file) const;

  private:
    friend class rtl_library;
    explicit rtl_instance(std::shared_ptr<const rtl_library> library);
    void throw_failure() const;

    std::shared_ptr<const rtl_library> m_library;
    void* m_model;
};

/// The library of a Verilated module with certain parameters, loaded into this process.
class rtl_library : public std::enable_shared_from_this<rtl_library> {
  public:
    /// Returns the library for `request`, loaded, as a new object with each call. If it is not in the cache,
    /// builds it first, which takes seconds. Throws rtl_error if it cannot be built (with the path of the
    /// compiler's output) or loaded.
    static std::shared_ptr<rtl_library> get(const rtl_request& request);
    /// Returns the folder of the cache: the environment variable SARE_RTL_CACHE, or sare-rtl in
    /// XDG_CACHE_HOME, ~/.cache or the temporary folder.
    static std::string cache_folder();
    /// Returns true if the library for `request` is in the cache, so that get() builds nothing.
    static bool is_built(const rtl_request& request);

    ~rtl_library();
    /// Makes an instance of the module; it is not reset yet, and its registers have random values.
    std::unique_ptr<rtl_instance> make();
    const std::string& file() const { return m_file; }  ///< path of the library's file

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
    void* (*m_pin)(void*, const char*, std::uint32_t*, std::int32_t*) = nullptr;
    const char* (*m_failure)() = nullptr;
    void (*m_open_waves)(void*, const char*) = nullptr;
    void (*m_dump_waves)(void*, std::uint64_t) = nullptr;
    void (*m_close_waves)(void*) = nullptr;
    void (*m_write_coverage)(void*, const char*) = nullptr;
};

}  // namespace sare::cosim
