// SPDX-License-Identifier: MIT
// How a report gets out; what goes wrong is told once and harms nobody.
#pragma once

#include <string>

namespace mpigraft {

/// To stderr where `name` is "stderr", else appended to that file: one write, so that reports of several processes and
/// jobs do not mix.
void append_text(const std::string& name, const std::string& text);

/// Makes `name` a file of this text: whoever opens it finds the old file or all of the new one.
void replace_file(const std::string& name, const std::string& text);

}  // namespace mpigraft
