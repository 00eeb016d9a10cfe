// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/process/markup.h"

namespace sare::cli {

std::string escaped_markup(const std::string& text) {
    std::string out;
    for (const char c : text) switch (c) {
            case '<':
                out += "&lt;";
                break;
            case '>':
                out += "&gt;";
                break;
            case '&':
                out += "&amp;";
                break;
            case '"':
                out += "&quot;";
                break;
            default:
                out += static_cast<unsigned char>(c) < ' ' && c != '\n' ? ' ' : c;
        }
    return out;
}

}  // namespace sare::cli
