// SPDX-License-Identifier: Apache-2.0
#include "cosim/rtl/rtl_build.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <spawn.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>

extern char** environ;

namespace sare::cosim {
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    if (!in) throw rtl_error(file.string() + ": cannot be read: " + std::strerror(errno));
    return {std::istreambuf_iterator<char>(in), {}};
}

std::string from_environment(const char* name, const std::string& otherwise) {
    const char* value = std::getenv(name);
    return value == nullptr || *value == '\0' ? otherwise : value;
}

/// FNV-1a hash; the name of a library needs no stronger one.
class fingerprint {
  public:
    void add(const std::string& text) {
        for (const char c : text + '\n') m_hash = (m_hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
    }
    std::string text() const {
        char digits[17];
        std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(m_hash));
        return digits;
    }

  private:
    std::uint64_t m_hash = 0xcbf29ce484222325ULL;
};

/// Returns a folder of Sare's own: of the sources of this build, or, if they are gone, of the installation.
std::string of_sare(const char* folder) {
    const fs::path built_from = fs::path(SARE_SOURCE_DIR) / folder;
    return (fs::exists(built_from) ? built_from : fs::path(SARE_DATA_DIR) / folder).string();
}

fs::path source_folder(const std::string& sources) {
    return sources.empty() ? from_environment("SARE_RTL", of_sare("rtl")) : sources;
}

/// Folders within that of the sources with modules that others are made of; older sources lack some.
constexpr const char* folders_of_modules[] = {"allocation", "axi", "fork", "shared"};

/// Returns the files that a module is made of: all in its folder, in order of names.
std::vector<fs::path> sources_in(const fs::path& folder) {
    std::vector<fs::path> all, folders{folder};
    for (const char* further : folders_of_modules) folders.push_back(folder / further);
    for (const fs::path& where : folders) {
        std::error_code problem;
        for (const auto& entry : fs::directory_iterator(where, problem)) {
            const std::string kind = entry.path().extension();
            if (kind == ".sv" || kind == ".svh" || kind == ".v" || kind == ".vlt")
                all.push_back(entry.path());
        }
        if (problem && where == folder)
            throw rtl_error(folder.string() + ": cannot be read: " + problem.message());
    }
    std::sort(all.begin(), all.end());
    return all;
}

/// Returns the text of a file of this folder that is part of every library.
std::string own(const char* file) {
    return of_sare("cosim/rtl") + "/" + file;
}

std::string verilator_root() {
    return from_environment("VERILATOR_ROOT", "/usr/share/verilator");
}

/// Runs a command in `folder`, appending its output to `log`. Returns its exit status.
int run(const std::vector<std::string>& command, const fs::path& folder, const fs::path& log) {
    std::vector<char*> words;
    for (const auto& w : command) words.push_back(const_cast<char*>(w.c_str()));
    words.push_back(nullptr);
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addchdir_np(&files, folder.c_str());
    posix_spawn_file_actions_addopen(&files, 1, log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0666);
    posix_spawn_file_actions_adddup2(&files, 1, 2);
    pid_t child = 0;
    const int problem = posix_spawnp(&child, words[0], &files, nullptr, words.data(), environ);
    posix_spawn_file_actions_destroy(&files);
    if (problem != 0)
        throw rtl_error(command[0] + ": " + std::strerror(problem) + "; scripts/setup installs it");
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

void must_run(const std::vector<std::string>& command, const fs::path& folder, const fs::path& log) {
    const int status = run(command, folder, log);
    if (status != 0)
        throw rtl_error(fmt::format("{} failed with status {}; see {}", command[0], status, log.string()));
}

/// Returns the ports of the module as the list that the shim needs.
std::string pins_of(const std::string& header) {
    static const std::regex port(R"((VL_IN|VL_OUT|VL_INOUT)(?:8|16|64|W)?\(&(\w+),(\d+),(\d+))");
    std::string all;
    for (auto m = std::sregex_iterator(header.begin(), header.end(), port); m != std::sregex_iterator(); ++m)
        all += "X(" + (*m)[2].str() + ((*m)[1] == "VL_OUT" ? ", -(1 + " : ", (1 + ") + (*m)[3].str() + " - " +
               (*m)[4].str() + ")) ";
    return all;
}

/// Returns a module's source with an input `model_NAME` as wide, before its first output, for each output.
std::string with_model_pins(const std::string& source) {
    static const std::regex output(R"((^|\n)[ \t]*output([^,\n]*[\s\]])(\w+)[ \t]*,?[ \t]*(?=\n))");
    std::string inputs;
    std::size_t first = std::string::npos;
    for (auto m = std::sregex_iterator(source.begin(), source.end(), output); m != std::sregex_iterator();
         ++m) {
        first = std::min(first, static_cast<std::size_t>(m->position(2)) - std::strlen("output"));
        inputs += "input" + (*m)[2].str() + "model_" + (*m)[3].str() + ", ";
    }
    return first == std::string::npos ? source : std::string(source).insert(first, inputs + "\n  ");
}

/// Returns the source that Verilator reads as the top: one of the sources, or a copy in `out`.
fs::path top_source(const rtl_request& request, const fs::path& sources, const fs::path& out) {
    std::string name = request.top + ".sv";
    if (!fs::exists(sources / name) && fs::exists(sources / (request.top + ".v"))) name = request.top + ".v";
    return request.waves && request.model_pins ? out / name : sources / name;
}

std::vector<std::string> verilate(const rtl_request& request, const fs::path& sources, const fs::path& out) {
    std::vector<std::string> words{"verilator",      "--cc",        "-O3",
                                   "--x-assign",     "fast",        "--x-initial",
                                   "unique",         "--no-timing", "--Mdir",
                                   out.string(),     "--prefix",    "Vdut",
                                   "--output-split", "20000",       "-I" + sources.string(),
                                   "--top-module",   request.top};
    for (const char* further : folders_of_modules) words.push_back("-I" + (sources / further).string());
    words.push_back(request.speed == rtl_speed::fast ? "--noassert" : "--assert");
    if (request.waves) words.insert(words.end(), {"--trace-fst", "--trace-structs"});
    if (request.coverage) words.insert(words.end(), {"--coverage-line", "--coverage-toggle"});
    for (const auto& [name, value] : request.parameters) words.push_back("-G" + name + "=" + value);
    words.insert(words.end(), request.arguments.begin(), request.arguments.end());
    for (const char* first : {"lint.vlt", "sare_pkg.sv"})
        if (fs::exists(sources / first)) words.push_back((sources / first).string());
    words.push_back(top_source(request, sources, out).string());
    return words;
}

std::vector<std::string> compiler(const rtl_request& request, const fs::path& generated) {
    const std::string root = verilator_root() + "/include";
    static const char* levels[] = {"-O0", "-Og", "-O2"};
    return {from_environment("CXX", "c++"),
            "-std=c++17",
            levels[static_cast<int>(request.speed)],
            "-fPIC",
            "-fvisibility=hidden",
            "-fno-gnu-unique",
            "-w",
            "-include",
            own("verilated_print.h"),
            "-DVL_USER_STOP=1",
            "-DVL_USER_FATAL=1",
            "-DVL_USER_FINISH=1",
            std::string("-DVM_COVERAGE=") + (request.coverage ? "1" : "0"),
            std::string("-DVM_TRACE=") + (request.waves ? "1" : "0"),
            std::string("-DVM_TRACE_FST=") + (request.waves ? "1" : "0"),
            "-I" + generated.string(),
            "-I" + of_sare("cosim"),
            "-I" + root,
            "-I" + root + "/vltstd"};
}

/// Returns Verilator's own runtime, compiled once for all libraries of the same options.
std::vector<std::string> runtime_objects(const rtl_request& request, const fs::path& cache) {
    std::vector<std::string> files{"verilated", "verilated_threads"};
    if (request.coverage) files.push_back("verilated_cov");
    if (request.waves) files.push_back("verilated_fst_c");
    std::vector<std::string> objects;
    for (const auto& file : files) {
        rtl_request optimised = request;
        optimised.speed = rtl_speed::fast;
        auto words = compiler(optimised, cache);
        fingerprint print;
        for (const auto& word : words) print.add(word);
        const std::string name = "runtime-" + file + "-" + print.text();
        const fs::path object = cache / (name + ".o");
        objects.push_back(object);
        if (fs::exists(object)) continue;
        const fs::path fresh = cache / (fmt::format("{}.{}.o", name, getpid()));
        words.insert(words.end(),
                     {"-c", verilator_root() + "/include/" + file + ".cpp", "-o", fresh.string()});
        must_run(words, cache, cache / (name + ".log"));
        fs::rename(fresh, object);
    }
    return objects;
}

void compile(const rtl_request& request, const fs::path& work, const fs::path& cache, const fs::path& library,
             const fs::path& log) {
    std::ofstream all(work / "all.cc");
    all << "#define SARE_PINS " << pins_of(text_of(work / "Vdut.h")) << "\n#include \""
        << own("verilated_shim.cpp") << "\"\n";
    std::vector<std::string> parts;
    for (const auto& entry : fs::directory_iterator(work))
        if (entry.path().extension() == ".cpp") parts.push_back(entry.path().filename());
    std::sort(parts.begin(), parts.end());
    for (const auto& part : parts) all << "#include \"" << part << "\"\n";
    all.close();
    auto words = compiler(request, work);
    words.insert(words.end(), {"-shared", "-Wl,-Bsymbolic", "all.cc"});
    const auto runtime = runtime_objects(request, cache);
    words.insert(words.end(), runtime.begin(), runtime.end());
    // Waves of newer Verilators are packed by lz4 as well.
    if (request.waves && fs::exists(verilator_root() + "/include/fstcpp")) words.push_back("-llz4");
    words.insert(words.end(), {"-lz", "-lpthread", "-o", library.string()});
    must_run(words, work, log);
}

/// Lets one process at a time build a library; the others wait.
class build_lock {
  public:
    explicit build_lock(const std::string& file)
        : m_file(open(file.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0666)) {
        if (m_file < 0) throw rtl_error(file + ": cannot be written: " + std::strerror(errno));
        while (flock(m_file, LOCK_EX) != 0 && errno == EINTR) {
        }
    }
    ~build_lock() { close(m_file); }
    build_lock(const build_lock&) = delete;
    build_lock& operator=(const build_lock&) = delete;

  private:
    int m_file;
};

}  // namespace

std::string own_folder(const std::string& name) {
    return of_sare(name.c_str());
}

std::string source_text(const std::string& sources, const std::string& file) {
    return text_of(source_folder(sources) / file);
}

std::string library_file(const rtl_request& request) {
    fingerprint print;
    for (const auto& file : sources_in(source_folder(request.sources))) {
        print.add(file.filename());
        print.add(text_of(file));
    }
    for (const char* file : {"verilated_shim.cpp", "verilated_failure.h", "verilated_print.h"})
        print.add(text_of(own(file)));
    print.add(text_of(verilator_root() + "/include/verilated_config.h"));
    for (const auto& word : verilate(request, "", "")) print.add(word);
    print.add(std::to_string(static_cast<int>(request.speed)));
    if (request.waves && request.model_pins) print.add("model pins");
    return rtl_library::cache_folder() + "/" + request.top + "-" + print.text() + ".so";
}

void build_library(const rtl_request& request, const std::string& file) {
    const fs::path cache = fs::path(file).parent_path(), work = file + ".build";
    std::error_code problem;
    fs::create_directories(cache, problem);
    if (problem) throw rtl_error(cache.string() + ": cannot be made: " + problem.message());
    const build_lock lock(file + ".lock");
    if (fs::exists(file)) return;
    const fs::path log = file + ".log", fresh = file + ".new";
    fs::remove_all(work);
    fs::create_directories(work);
    fs::remove(log);
    const fs::path sources = fs::absolute(source_folder(request.sources));
    if (const fs::path top = top_source(request, sources, work); top.parent_path() == work)
        std::ofstream(top) << with_model_pins(text_of(sources / (request.top + ".sv")));
    must_run(verilate(request, sources, work), work, log);
    compile(request, work, cache, fresh, log);
    fs::rename(fresh, file);
    fs::remove_all(work);
    fs::remove(log);
    fs::remove(file + ".lock");
}

}  // namespace sare::cosim
