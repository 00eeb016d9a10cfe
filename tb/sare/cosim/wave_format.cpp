// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/cosim/wave_format.h"

#include "tb/sare/process/child.h"
#include "tb/sare/process/files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstdio>
#include <sstream>
#include <stdexcept>
#include <unordered_map>
#include <vector>

namespace sare::cli {
namespace {

namespace fs = std::filesystem;

/// Activity of a bit.
struct bit_activity {
    char is = 'x';
    std::uint64_t zero = 0, one = 0, unknown = 0;  ///< times in each state
    std::uint64_t changes = 0;                     ///< number of changes between 0 and 1

    void lasts(std::uint64_t time) { (is == '0' ? zero : is == '1' ? one : unknown) += time; }
    void become(char now) {
        changes += (is == '0' && now == '1') || (is == '1' && now == '0') ? 1 : 0;
        is = now;
    }
};

/// A variable's bits, the highest first, as VCD writes them; several names may share them.
struct signal {
    std::vector<bit_activity> bits;
    std::uint64_t since = 0;

    void lasts_to(std::uint64_t time) {
        for (bit_activity& b : bits) b.lasts(time - since);
        since = time;
    }
    /// Takes a value; a short one is extended by zeros, or by its first digit if that is x or z.
    void become(const std::string& value) {
        const char rest = value.front() == '1' ? '0' : value.front();
        const std::size_t short_by = bits.size() - std::min(bits.size(), value.size());
        for (std::size_t k = 0; k < bits.size(); ++k)
            bits[k].become(k < short_by ? rest : value[k - short_by]);
    }
};

/// Reads VCD, and writes the hierarchy in SAIF.
class vcd_reader {
  public:
    explicit vcd_reader(const std::string& text) : m_words(text) {}

    std::string saif() {
        std::string word;
        while (m_words >> word)
            if (word == "$var")
                add_variable();
            else if (word == "$dumpvars" || word == "$end")
                continue;  // values stand between
            else if (word[0] == '$')
                read_command(word);
            else
                read_change(word);
        for (auto& [id, s] : m_signals) s.lasts_to(m_now);
        std::string all = fmt::format(
            "(SAIFILE\n(SAIFVERSION \"2.0\")\n(DIRECTION \"backward\")\n(PROGRAM_NAME \"sare cosim\")\n"
            "(DIVIDER / )\n(TIMESCALE {})\n(DURATION {})\n",
            m_scale, m_now - m_first);
        for (const scope& s : m_top.scopes) write(s, 0, all);
        return all + ")\n";
    }

  private:
    struct variable {
        std::string name, id, range;  ///< range: "[7:0]", or "" for a bit
    };
    struct scope {
        std::string name;
        std::vector<variable> variables;
        std::vector<scope> scopes;
    };

    std::vector<std::string> to_end() {
        std::vector<std::string> words;
        for (std::string word; m_words >> word && word != "$end";) words.push_back(word);
        return words;
    }
    void read_command(const std::string& name) {
        const std::vector<std::string> words = to_end();
        if (name == "$scope" && words.size() == 2) {
            scope* in = innermost();
            in->scopes.push_back({words[1], {}, {}});
            m_path.push_back(in->scopes.size() - 1);
        } else if (name == "$upscope" && !m_path.empty()) {
            m_path.pop_back();
        } else if (name == "$timescale") {
            std::string all;
            for (const std::string& w : words) all += w;
            const std::size_t unit = all.find_first_not_of("0123456789");
            if (unit != std::string::npos) m_scale = all.substr(0, unit) + " " + all.substr(unit);
        }
    }
    /// Reads "wire 8 ! data [7:0]".
    void add_variable() {
        const std::vector<std::string> w = to_end();
        if (w.size() < 4) return;
        std::string name = w[3], range = w.size() > 4 ? w[4] : "";
        if (const auto bracket = name.find('[');
            range.empty() && bracket != std::string::npos && w[1] != "1") {
            range = name.substr(bracket);
            name.erase(bracket);
        }
        innermost()->variables.push_back({name, w[2], range});
        m_signals[w[2]].bits.resize(std::stoul(w[1]));
    }
    void read_change(const std::string& word) {
        if (word[0] == '#') {
            m_now = std::stoull(word.substr(1));
            if (m_has_begun) return;
            m_has_begun = true;
            m_first = m_now;
            for (auto& [id, s] : m_signals) s.since = m_now;
        } else if (word[0] == 'b' || word[0] == 'B') {
            std::string id;
            m_words >> id;
            change(id, word.substr(1));
        } else {
            change(word.substr(1), word.substr(0, 1));
        }
    }
    void change(const std::string& id, const std::string& value) {
        const auto found = m_signals.find(id);
        if (found == m_signals.end()) return;
        found->second.lasts_to(m_now);
        found->second.become(value);
    }
    scope* innermost() {
        scope* here = &m_top;
        for (const std::size_t k : m_path) here = &here->scopes[k];
        return here;
    }

    /// Returns a name with escaped bits and other signs.
    static std::string escaped(const std::string& name) {
        std::string all;
        for (const char c : name) {
            if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_' && c != '$') all += '\\';
            all += c;
        }
        return all;
    }
    void write(const variable& v, const std::string& indent, std::string& all) const {
        const std::vector<bit_activity>& bits = m_signals.at(v.id).bits;
        int left = 0, right = 0;
        if (!v.range.empty() && std::sscanf(v.range.c_str(), "[%d:%d]", &left, &right) < 2) right = left;
        for (std::size_t k = 0; k < bits.size(); ++k) {
            const int number = left < right ? left + static_cast<int>(k) : left - static_cast<int>(k);
            const std::string bit = v.range.empty() ? "" : fmt::format("[{}]", number);
            all +=
                fmt::format("{}({} (T0 {}) (T1 {}) (TX {}) (TC {}) (IG 0))\n", indent, escaped(v.name + bit),
                            bits[k].zero, bits[k].one, bits[k].unknown, bits[k].changes);
        }
    }
    void write(const scope& s, std::size_t depth, std::string& all) const {
        const std::string indent(2 * depth, ' ');
        all += indent + "(INSTANCE " + escaped(s.name) + "\n";
        if (!s.variables.empty()) {
            all += indent + "  (NET\n";
            for (const variable& v : s.variables) write(v, indent + "    ", all);
            all += indent + "  )\n";
        }
        for (const scope& inner : s.scopes) write(inner, depth + 1, all);
        all += indent + ")\n";
    }

    std::istringstream m_words;
    scope m_top;
    std::vector<std::size_t> m_path;  ///< open scopes
    std::unordered_map<std::string, signal> m_signals;
    std::string m_scale = "1 ns";
    std::uint64_t m_first = 0, m_now = 0;
    bool m_has_begun = false;
};

}  // namespace

std::string saif_of(const std::string& vcd) {
    return vcd_reader(vcd).saif();
}

void check_wave_format(const std::string& format) {
    if (format != "fst" && run_child({"fst2vcd", "--help"}).not_started != 0)
        throw std::runtime_error("--wave-format " + format +
                                 " needs fst2vcd, of GTKWave: install the package gtkwave");
}

void change_wave_format(const fs::path& fst, const std::string& format) {
    if (format == "fst") return;
    fs::path fresh = fst;
    fresh.replace_extension("." + format);
    // By a pipe, as fst2vcd does not tell of a full disk.
    const child_result done = run_child({"fst2vcd", "-f", fst.string()});
    if (!done.good()) throw std::runtime_error(fst.string() + ": fst2vcd cannot read it: " + done.err);
    write_file(fresh, format == "vcd" ? done.out : saif_of(done.out));
    fs::remove(fst);
}

}  // namespace sare::cli
