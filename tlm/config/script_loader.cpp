// SPDX-License-Identifier: Apache-2.0
#include "tlm/config/plugin.h"
#include "tlm/config/plugin_loader.h"

#include <dlfcn.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <vector>

namespace sare::config {
namespace {

namespace fs = std::filesystem;

/// Folders beside the modules of the package, in a build tree or an installation.
std::vector<fs::path> places() {
    if (const char* named = std::getenv("SARE_PYTHON")) return {fs::path(named) / "libsare_script.so"};
    std::error_code ignored;
    const fs::path folder = fs::read_symlink("/proc/self/exe", ignored).parent_path();
    return {folder / "python/sare/libsare_script.so",
            folder / "../lib/python3/dist-packages/sare/libsare_script.so"};
}

/// Runs a file, and returns what is wrong; null: nothing.
using runner = const char* (*)(const char* file);

runner find_runner(const std::string& file, const location& at) {
    std::string missing;
    for (const fs::path& place : places()) {
        std::error_code ignored;
        if (!fs::exists(place, ignored)) {
            missing = place.lexically_normal().string();
            continue;
        }
        void* const library =
            dlopen(place.c_str(), RTLD_NOW | RTLD_GLOBAL);  // modules of Python want its symbols
        if (library == nullptr) throw error(at, "plugin " + file + " needs Python: " + dlerror());
        const void* const mark = dlsym(library, "sare_plugin_mark");
        if (mark == nullptr ||
            std::strcmp(static_cast<const char*>(mark), SARE_PLUGIN_MARK SARE_PLUGIN_ABI) != 0)
            throw error(at,
                        "plugin " + file + ": " + place.string() + " is of another sare; build both anew");
        return reinterpret_cast<runner>(dlsym(library, "sare_run_script"));
    }
    throw error(at, "plugin " + file + " needs the Python package, whose " + missing +
                        " is not there; build the part 'python', or install python3-sare");
}

}  // namespace

bool is_script(const std::string& file) {
    return fs::path(file).extension() == ".py";
}

void load_script(const std::string& file, const location& at) {
    if (const char* const wrong = find_runner(file, at)(file.c_str())) throw error(at, wrong);
}

}  // namespace sare::config
