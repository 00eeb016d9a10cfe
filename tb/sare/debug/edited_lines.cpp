// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/debug/edited_lines.h"

#include <histedit.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

namespace sare::cli {

struct edited_lines::editor {
    EditLine* line = nullptr;
    History* history = nullptr;
    HistEvent event{};
    std::string prompt, file;  ///< file of the history; "": there is none
    completer* complete = nullptr;

    static editor& of(EditLine* line) {
        void* its = nullptr;
        el_get(line, EL_CLIENTDATA, &its);
        return *static_cast<editor*>(its);
    }
    static const char* show_prompt(EditLine* line) { return of(line).prompt.c_str(); }
    static unsigned char on_tab(EditLine* line, int) { return of(line).complete_word(); }
    unsigned char complete_word();
};

namespace {

std::string history_file() {
    const char* const state = std::getenv("XDG_STATE_HOME");
    const char* const home = std::getenv("HOME");
    if (state == nullptr && home == nullptr) return "";
    std::filesystem::path folder(state != nullptr ? state : home);
    if (state == nullptr) folder = folder / ".local" / "state";
    std::error_code problem;
    std::filesystem::create_directories(folder / "sare", problem);
    return problem ? "" : (folder / "sare" / "debug_history").string();
}

/// Returns the longest beginning that all words share.
std::string common_start(const std::vector<std::string>& words) {
    std::string start = words.front();
    for (const std::string& w : words)
        start.resize(static_cast<std::size_t>(
            std::mismatch(start.begin(),
                          start.begin() + static_cast<std::ptrdiff_t>(std::min(start.size(), w.size())),
                          w.begin())
                .first -
            start.begin()));
    return start;
}

}  // namespace

/// Adds what is certain of the word before the cursor, or lists the words that it may become.
unsigned char edited_lines::editor::complete_word() {
    const LineInfo* const now = el_line(line);
    const std::string before(now->buffer, now->cursor);
    std::vector<std::string> words;
    try {
        words = (*complete)(before);
    } catch (const std::exception&) {
        return CC_ERROR;
    }
    if (words.empty()) return CC_ERROR;
    const std::size_t typed = before.size() - (before.find_last_of(' ') + 1);
    std::string rest = common_start(words).substr(typed);
    // A figure's place is typed between its brackets.
    if (const auto open = rest.find("[]"); open != std::string::npos) rest.resize(open + 1);
    if (words.size() == 1 && rest.find('[') == std::string::npos) rest += ' ';
    if (!rest.empty()) return el_insertstr(line, rest.c_str()) == 0 ? CC_REFRESH : CC_ERROR;
    constexpr std::size_t most = 60;
    std::fputc('\n', stdout);
    for (std::size_t n = 0; n < std::min(most, words.size()); ++n) std::printf("%s  ", words[n].c_str());
    std::printf("%s\n", words.size() > most ? "..." : "");
    std::fflush(stdout);
    return CC_REDISPLAY;
}

edited_lines::edited_lines(completer complete) : m_editor(new editor), m_complete(std::move(complete)) {
    m_editor->complete = &m_complete;
    m_editor->line = el_init("sare", stdin, stdout, stderr);
    m_editor->history = history_init();
    m_editor->file = history_file();
    EditLine* const line = m_editor->line;
    constexpr int most_lines = 1000;
    history(m_editor->history, &m_editor->event, H_SETSIZE, most_lines);
    history(m_editor->history, &m_editor->event, H_SETUNIQUE, 1);
    if (!m_editor->file.empty()) history(m_editor->history, &m_editor->event, H_LOAD, m_editor->file.c_str());
    el_set(line, EL_CLIENTDATA, m_editor);
    el_set(line, EL_PROMPT, &editor::show_prompt);
    el_set(line, EL_EDITOR, "emacs");
    el_set(line, EL_HIST, history, m_editor->history);
    el_set(line, EL_ADDFN, "sare-complete", "Complete the word", &editor::on_tab);
    el_set(line, EL_BIND, "^I", "sare-complete", nullptr);
    el_set(line, EL_BIND, "^R", "em-inc-search-prev", nullptr);
    el_source(line, nullptr);  // ~/.editrc
}

edited_lines::~edited_lines() {
    if (!m_editor->file.empty()) history(m_editor->history, &m_editor->event, H_SAVE, m_editor->file.c_str());
    history_end(m_editor->history);
    el_end(m_editor->line);
    delete m_editor;
}

bool edited_lines::read(const std::string& prompt, std::string& text) {
    m_editor->prompt = prompt;
    int count = 0;
    const char* const got = el_gets(m_editor->line, &count);
    if (got == nullptr || count <= 0) return false;
    text.assign(got, static_cast<std::size_t>(count));
    if (text.find_first_not_of(" \t\n") != std::string::npos)
        history(m_editor->history, &m_editor->event, H_ENTER, text.c_str());
    return true;
}

}  // namespace sare::cli
