// SPDX-License-Identifier: Apache-2.0
#include "tlm/config/plugin_loader.h"

#include "tlm/config/plugin.h"
#include "tlm/config/registry.h"
#include "tlm/config/text_file.h"

#include <cxxabi.h>
#include <dlfcn.h>
#include <link.h>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <system_error>

namespace sare::config {
namespace {

/// Names of a plugin that are taken: constructors that run as a library is loaded must not throw.
thread_local std::vector<std::string>* names_taken = nullptr;

std::string read_whole(const std::string& file, const location& at) {
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> in(std::fopen(file.c_str(), "rb"), std::fclose);
    std::string text;
    char piece[65536];
    std::size_t got = 0;
    while (in && (got = std::fread(piece, 1, sizeof piece, in.get())) != 0) text.append(piece, got);
    const std::string problem = std::generic_category().message(errno);
    if (!in || std::ferror(in.get()) != 0)
        throw error(at, "cannot read plugin " + file + ": " + problem + hint_of_file(file));
    return text;
}

/// True if it is a complete shared library of this machine: mapping bytes that the file lacks would kill the
/// process.
bool is_library(const std::string& text) {
    ElfW(Ehdr) header;
    if (text.size() < sizeof header) return false;
    std::memcpy(&header, text.data(), sizeof header);
    constexpr unsigned char our_class = sizeof(void*) == 8 ? ELFCLASS64 : ELFCLASS32;
    if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != our_class ||
        header.e_type != ET_DYN || header.e_phentsize != sizeof(ElfW(Phdr)))
        return false;
    const auto inside = [&](std::uint64_t at, std::uint64_t bytes) {
        return at <= text.size() && bytes <= text.size() - at;
    };
    if (!inside(header.e_phoff, std::uint64_t{header.e_phnum} * sizeof(ElfW(Phdr)))) return false;
    for (std::size_t i = 0; i < header.e_phnum; ++i) {
        ElfW(Phdr) segment;
        std::memcpy(&segment, text.data() + header.e_phoff + i * sizeof segment, sizeof segment);
        if (!inside(segment.p_offset, segment.p_filesz)) return false;
    }
    return true;
}

void check_abi(const std::string& file, const location& at) {
    const std::string text = read_whole(file, at), mark = SARE_PLUGIN_MARK;
    if (!is_library(text)) throw error(at, "plugin " + file + " is no shared library, or not a whole one");
    const auto place = text.find(mark);
    if (place == std::string::npos)
        throw error(at, file + " is no plugin of sare: none of its files says SARE_PLUGIN()");
    const std::string abi = text.substr(place + mark.size(), 64), made_for = abi.substr(0, abi.find('\0'));
    if (made_for != SARE_PLUGIN_ABI)
        throw error(at, "plugin " + file + " was made for another sare (" + made_for + ", this one is " +
                            SARE_PLUGIN_ABI + "); build it anew with this one's headers");
}

/// Returns the complaint of dlopen(), with names as in the source.
std::string loader_complaint() {
    const char* complaint = dlerror();
    std::string text = complaint != nullptr ? complaint : "unknown error";
    if (const auto name = text.rfind("_Z"); name != std::string::npos) {
        int status = 0;
        char* clear = abi::__cxa_demangle(text.c_str() + name, nullptr, nullptr, &status);
        if (status == 0) text.replace(name, std::string::npos, clear);
        std::free(clear);
    }
    return text;
}

}  // namespace

void name_taken(const std::string& kind, const std::string& name) {
    const std::string text = "another " + kind + " is called '" + name + "'";
    if (names_taken == nullptr) throw std::logic_error(text);
    names_taken->push_back(text);
}

bool loads_plugin() {
    return names_taken != nullptr;
}

void load_plugin(const std::string& file, const location& at) {
    if (is_script(file)) return load_script(file, at);
    // A name without a slash would be looked for where the system's libraries are.
    const std::string path = file.find('/') == std::string::npos ? "./" + file : file;
    if (void* known = dlopen(path.c_str(), RTLD_NOW | RTLD_NOLOAD); known != nullptr) {
        dlclose(known);
        return;
    }
    check_abi(path, at);
    std::vector<std::string> problems;
    names_taken = &problems;
    void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    names_taken = nullptr;
    if (library == nullptr) throw error(at, "cannot load plugin: " + loader_complaint());
    if (!problems.empty()) throw error(at, "plugin " + file + ": " + problems.front());
}

}  // namespace sare::config
