// SPDX-License-Identifier: MIT
#include "config/table/files.hpp"

#include <dirent.h>

#include <filesystem>
#include <memory>

namespace mpigraft::table {

std::string folder_of(const std::string& path) {
  const std::filesystem::path parent = std::filesystem::path(path).parent_path();
  return parent.empty() ? "." : parent.string();
}

std::vector<std::string> names_in(const std::string& folder, std::string_view beginning) {
  std::vector<std::string> names;
  const std::unique_ptr<DIR, int (*)(DIR*)> opened(opendir(folder.c_str()), closedir);
  while (const dirent* const entry = opened ? readdir(opened.get()) : nullptr)
    if (std::string_view(entry->d_name).starts_with(beginning)) names.emplace_back(entry->d_name);
  return names;
}

}  // namespace mpigraft::table
