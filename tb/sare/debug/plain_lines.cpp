// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/debug/edited_lines.h"

#include <cstdio>
#include <iostream>

/// Lines of a program that was built without libedit.
namespace sare::cli {

edited_lines::edited_lines(completer complete) : m_editor(nullptr), m_complete(std::move(complete)) {}
edited_lines::~edited_lines() = default;

bool edited_lines::read(const std::string& prompt, std::string& line) {
    std::fputs(prompt.c_str(), stdout);
    std::fflush(stdout);
    return static_cast<bool>(std::getline(std::cin, line));
}

}  // namespace sare::cli
