// SPDX-License-Identifier: MIT
// Help with misspelt words.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mpigraft::table {

/// `did you mean "X"?` for the known word nearest to `word`, or `otherwise` where none is near.
std::string did_you_mean(std::string_view word, std::span<const std::string_view> known,
                         std::string_view otherwise = {});

/// The same, or "write one of a, b, c" where none is near.
std::string suggestion(std::string_view word, std::span<const std::string_view> known);

/// `text` in double quotes, shortened where it is long.
std::string in_quotes(std::string_view text);

/// "a, b, c".
std::string joined(std::span<const std::string_view> words);

/// The parts of `text` between separators: at least one, which may be empty.
std::vector<std::string_view> parts_of(std::string_view text, char separator);

/// `text` with control characters written as \xNN, so that a message is one line whatever it quotes.
std::string printable(std::string_view text);

}  // namespace mpigraft::table
