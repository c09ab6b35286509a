// SPDX-License-Identifier: MIT
#include "config/command/programs.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string_view>

#include "config/command/output.hpp"

namespace mpigraft::command {

std::string output_of(const std::string& command) {
  std::string text;
  std::FILE* pipe = popen(("unset LD_PRELOAD; exec timeout 10 " + command + " 2>&1 </dev/null").c_str(), "r");
  if (!pipe) return text;
  std::array<char, 4096> piece;
  for (std::size_t n; (n = fread(piece.data(), 1, piece.size(), pipe)) > 0;) text.append(piece.data(), n);
  pclose(pipe);
  return text;
}

std::string told_by_child(const std::function<std::string()>& tell) {
  int ends[2];
  if (pipe(ends) != 0) return {};
  const pid_t child = fork();
  if (child == 0) {
    alarm(10);
    const int nowhere = open("/dev/null", O_RDWR);
    for (const int stream : {0, 1, 2}) dup2(nowhere, stream);
    const std::string text = tell();
    _exit(write(ends[1], text.data(), text.size()) < 0 ? 1 : 0);
  }
  close(ends[1]);
  std::string text;
  std::array<char, 4096> piece;
  for (ssize_t n; child > 0 && (n = read(ends[0], piece.data(), piece.size())) > 0;)
    text.append(piece.data(), static_cast<std::size_t>(n));
  close(ends[0]);
  if (child > 0) waitpid(child, nullptr, 0);
  return text;
}

std::string library_version_of(const std::string& file) {
  return told_by_child([&]() -> std::string {
    std::array<char, 8192> text{};  // as long as any is
    int length = 0;
    void* const library = dlopen(file.c_str(), RTLD_LAZY | RTLD_LOCAL);
    auto* const get =
        library ? reinterpret_cast<int (*)(char*, int*)>(dlsym(library, "PMPI_Get_library_version")) : nullptr;
    return get && get(text.data(), &length) == 0 ? text.data() : "";
  });
}

namespace {

/// Why ranks could not keep traces in the folder that MPIGRAFT_TRACE names, which the first of them makes.
std::string unusable_folder(const std::string& folder) {
  std::error_code error;
  const std::filesystem::path parent = std::filesystem::path(folder).parent_path();
  const bool is_there = std::filesystem::exists(folder, error);
  if (is_there && !std::filesystem::is_directory(folder, error))
    return "MPIGRAFT_TRACE: " + folder + " is no folder; name one that you can write to";
  const bool can_write = access((is_there ? folder : parent.empty() ? "." : parent.string()).c_str(), W_OK) == 0;
  if (folder.empty() || can_write) return {};
  return "MPIGRAFT_TRACE: cannot write into " + folder + "; name a folder that you can write to";
}

}  // namespace

void add_unwritable(std::vector<std::string>& problems, const table::Settings& settings) {
  for (const std::string& problem :
       {unwritable("MPIGRAFT_REPORT", settings.report, settings.report.ends_with(".json")),
        unwritable("MPIGRAFT_LEARN", settings.learn, true), unusable_folder(settings.trace)})
    if (!problem.empty()) problems.push_back(problem);
}

bool contains(const std::string& text, const char* word) { return text.find(word) != std::string::npos; }

std::string behind(const std::string& text, const char* word) {
  std::size_t at = text.find(word);
  if (at == text.npos) return {};
  at += std::string_view(word).size();
  const std::string line = text.substr(at, text.find('\n', at) - at);
  std::istringstream words(line);
  std::string first;
  words >> first;
  return first;
}

std::vector<std::string> path_folders() {
  const char* path = std::getenv("PATH");
  std::istringstream text(path ? path : "");
  std::vector<std::string> folders;
  for (std::string folder; std::getline(text, folder, ':');)
    if (!folder.empty()) folders.push_back(folder);
  return folders;
}

std::string which(const std::string& name) {
  if (name.find('/') != name.npos) return access(name.c_str(), X_OK) == 0 ? name : "";
  for (const std::string& folder : path_folders())
    if (const std::string file = folder + '/' + name; access(file.c_str(), X_OK) == 0) return file;
  return {};
}

std::string address_sanitizer_of(const std::string& libraries) {
  const std::size_t at = libraries.find("libasan.so.");
  return at == libraries.npos ? "" : behind(libraries.substr(at, libraries.find('\n', at) - at), "=>");
}

}  // namespace mpigraft::command
