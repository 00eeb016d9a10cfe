// SPDX-License-Identifier: Apache-2.0
#include "cosim/rtl/rtl_library.h"

#include "cosim/rtl/rtl_build.h"
#include "tlm/base/joined.h"
#include "tlm/base/temporary_folder.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>

namespace sare::cosim {

void rtl_pin::set_by_bytes(std::uint32_t lsb, std::uint32_t width, std::uint64_t value) {
    while (width != 0 && exists()) {
        const std::uint32_t at = lsb % 8, n = std::min(8 - at, width);
        const auto mask = static_cast<std::uint8_t>(((1u << n) - 1) << at);
        std::uint8_t& byte = m_data[lsb / 8];
        byte = static_cast<std::uint8_t>((byte & ~mask) | ((value << at) & mask));
        value >>= n;
        lsb += n;
        width -= n;
    }
}

std::uint64_t rtl_pin::get_by_bytes(std::uint32_t lsb, std::uint32_t width) const {
    std::uint64_t value = 0;
    for (std::uint32_t done = 0; done < width && exists();) {
        const std::uint32_t at = (lsb + done) % 8, n = std::min(8 - at, width - done);
        value |= std::uint64_t{(m_data[(lsb + done) / 8] >> at) & ((1u << n) - 1)} << done;
        done += n;
    }
    return value;
}

std::string text(const rtl_parameters& parameters) {
    return joined(parameters, " ", [](const auto& p) { return p.first + "=" + p.second; });
}

// ---- library ---------------------------------------------------------------------------------------------

std::string rtl_library::cache_folder() {
    const auto set = [](const char* name) -> std::string {
        const char* value = std::getenv(name);
        return value == nullptr ? "" : value;
    };
    if (const std::string own = set("SARE_RTL_CACHE"); !own.empty()) return std::filesystem::absolute(own);
    if (const std::string users = set("XDG_CACHE_HOME"); !users.empty()) return users + "/sare-rtl";
    if (const std::string home = set("HOME"); !home.empty()) return home + "/.cache/sare-rtl";
    return temporary_folder() / "sare-rtl";
}

bool rtl_library::is_built(const rtl_request& request) {
    return std::filesystem::exists(library_file(request));
}

std::shared_ptr<rtl_library> rtl_library::get(const rtl_request& request) {
    const std::string file = library_file(request);
    if (!std::filesystem::exists(file)) build_library(request, file);
    return std::shared_ptr<rtl_library>(new rtl_library(file));
}

template <class F>
F* rtl_library::symbol(const char* name) const {
    void* found = dlsym(m_handle, name);
    return reinterpret_cast<F*>(found);
}

rtl_library::rtl_library(const std::string& file)
    : m_file(file), m_handle(dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL)) {
    if (m_handle == nullptr) throw rtl_error(file + ": cannot be loaded: " + dlerror());
    m_new = symbol<void*()>("sare_rtl_new");
    m_delete = symbol<void(void*)>("sare_rtl_delete");
    m_eval = symbol<void(void*)>("sare_rtl_eval");
    m_final = symbol<void(void*)>("sare_rtl_final");
    m_pin = symbol<void*(void*, const char*, std::uint32_t*, std::int32_t*)>("sare_rtl_pin");
    m_failure = symbol<const char*()>("sare_rtl_failure");
    m_open_waves = symbol<void(void*, const char*)>("sare_rtl_open_waves");
    m_dump_waves = symbol<void(void*, std::uint64_t)>("sare_rtl_dump_waves");
    m_close_waves = symbol<void(void*)>("sare_rtl_close_waves");
    m_write_coverage = symbol<void(void*, const char*)>("sare_rtl_write_coverage");
    if (m_new == nullptr || m_delete == nullptr || m_eval == nullptr || m_final == nullptr ||
        m_pin == nullptr || m_failure == nullptr)
        throw rtl_error(file + ": is no Verilated module of Sare's");
}

// The library stays loaded: Verilator's runtime does not expect to be taken away.
rtl_library::~rtl_library() = default;

std::unique_ptr<rtl_instance> rtl_library::make() {
    return std::unique_ptr<rtl_instance>(new rtl_instance(shared_from_this()));
}

// ---- instance --------------------------------------------------------------------------------------------

rtl_instance::rtl_instance(std::shared_ptr<const rtl_library> library)
    : m_library(std::move(library)), m_model(m_library->m_new()) {}

rtl_instance::~rtl_instance() {
    m_library->m_delete(m_model);
}

rtl_pin rtl_instance::pin(const std::string& name) const {
    const rtl_pin found = find(name);
    if (!found.exists()) throw rtl_error(m_library->m_file + ": the module has no port " + name);
    return found;
}

rtl_pin rtl_instance::find(const std::string& name) const {
    std::uint32_t bytes = 0;
    std::int32_t width = 0;
    void* data = m_library->m_pin(m_model, name.c_str(), &bytes, &width);
    return {data, bytes, width};
}

void rtl_instance::eval() {
    m_library->m_eval(m_model);
    throw_failure();
}

void rtl_instance::finish() {
    m_library->m_final(m_model);
    throw_failure();
}

void rtl_instance::throw_failure() const {
    if (const char* failed = m_library->m_failure()) throw rtl_error(failed);
}

bool rtl_instance::open_waves(const std::string& file) {
    if (m_library->m_open_waves == nullptr) return false;
    m_library->m_open_waves(m_model, file.c_str());
    return true;
}
void rtl_instance::dump_waves(std::uint64_t time) {
    m_library->m_dump_waves(m_model, time);
}
void rtl_instance::close_waves() {
    m_library->m_close_waves(m_model);
}

void rtl_instance::write_coverage(const std::string& file) const {
    if (m_library->m_write_coverage == nullptr)
        throw rtl_error(m_library->m_file + ": built without coverage");
    m_library->m_write_coverage(m_model, file.c_str());
}

}  // namespace sare::cosim
