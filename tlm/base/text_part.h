// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>

namespace sare {

/// A part of a text: words, which must outlive the part, or a whole number, which is written in decimal.
class text_part {
  public:
    text_part(const char* words) : m_words(words) {}
    text_part(const std::string& words) : m_words(words) {}
    text_part(std::string_view words) : m_words(words) {}
    template <class Whole, class = std::enable_if_t<std::is_integral_v<Whole>>>
    text_part(Whole number) : m_number(std::to_string(number)) {
        static_assert(!std::is_same_v<Whole, char> && !std::is_same_v<Whole, bool>, "no number");
    }

    std::string_view text() const { return m_number.empty() ? m_words : std::string_view(m_number); }

  private:
    std::string_view m_words;
    std::string m_number;
};

/// Returns the texts of the parts one after another: `joined({"port ", 3, " of router ", name})`.
inline std::string joined(std::initializer_list<text_part> parts) {
    std::string all;
    for (const text_part& part : parts) all.append(part.text());
    return all;
}

}  // namespace sare
