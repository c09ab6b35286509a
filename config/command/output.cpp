// SPDX-License-Identifier: MIT
#include "config/command/output.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "config/table/suggest.hpp"

namespace mpigraft::command {

namespace {

/// Without the modules of the user's own and PYTHON* variables (-E -s), and without bytecode (-B), which root would
/// leave in the installation.
constexpr const char* interpreter = "python3 -E -s -B";

bool is_python_old() {
  const std::string asks = " -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null";  // the script tells
  const int status = std::system((interpreter + asks).c_str());
  return WIFEXITED(status) && WEXITSTATUS(status) == 1;
}

/// Returns "" after a message if there is no such script, or no Python for it.
std::string find_script(const char* name) {
  std::string path = find_beside({".", MPIGRAFT_DATA}, name);
  if (path.empty()) {
    fail(std::string(name) + " is neither beside this command nor in " MPIGRAFT_DATA "; build or install it");
  } else if (is_python_old()) {
    fail("python3 is older than 3.11; put a newer one into a folder that comes first on PATH");
    path.clear();
  }
  return path;
}

/// Python makes no stream of a descriptor that is closed, and gives its number to the next file. Returns false, after a
/// message, if nobody would see the output.
bool open_streams() {
  if (fcntl(STDOUT_FILENO, F_GETFD) < 0) {
    fail(std::string("cannot write to standard output: ") + std::strerror(errno));
    return false;
  }
  for (const int stream : {STDIN_FILENO, STDERR_FILENO})
    if (fcntl(stream, F_GETFD) < 0) open("/dev/null", O_RDWR);  // takes the lowest number that is free
  return true;
}

}  // namespace

int print(const std::string& text, int status) {
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  if (written || errno == EPIPE) return status;
  return fail(std::string("cannot write to standard output: ") + std::strerror(errno));
}

int print(const nlohmann::ordered_json& document, int status) {
  // what a user typed may not be UTF-8
  return print(document.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n', status);
}

int fail(const std::string& message) {
  std::fputs(("mpigraft: " + message + '\n').c_str(), stderr);
  return cannot_run;
}

int execute(std::vector<std::string> command, const std::string& hint) {
  std::vector<char*> arguments;
  for (std::string& word : command) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  std::signal(SIGPIPE, SIG_DFL);  // ours is ignored, and that would be inherited
  execvp(arguments[0], arguments.data());
  return fail("cannot run " + command[0] + ": " + std::strerror(errno) + hint);
}

int run_script(const char* script, const nlohmann::ordered_json& asked, const std::vector<std::string>& more,
               const std::string& subcommand) {
  std::string words;
  try {
    words = asked.dump(-1, ' ', true);
  } catch (const nlohmann::ordered_json::type_error&) {
    return fail("a name of a file or an option is not UTF-8; rename the file");
  }
  const std::string path = find_script(script);
  if (path.empty() || !open_streams()) return cannot_run;
  std::vector<std::string> command;
  for (const std::string_view word : table::parts_of(interpreter, ' ')) command.emplace_back(word);
  command.insert(command.end(), {path, words});
  command.insert(command.end(), more.begin(), more.end());
  return execute(command, "; mpigraft " + subcommand + " needs it");
}

std::string columns(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      text += row[i];
      if (i + 1 < row.size()) text.append(widths[i] - row[i].size() + 2, ' ');
    }
    text += '\n';
  }
  return text;
}

std::string own_path() {
  std::error_code error;
  return std::filesystem::read_symlink("/proc/self/exe", error).string();
}

std::string find_beside(std::initializer_list<const char*> folders, const char* name) {
  std::error_code error;
  const std::filesystem::path here = std::filesystem::path(own_path()).parent_path();
  for (const char* folder : folders)
    if (auto path = std::filesystem::canonical(here / folder / name, error); !error) return path;
  return {};
}

Preload find_preload(const std::string& name) {
  const std::string file = find_beside({"../shim", MPIGRAFT_LIBRARIES}, name.c_str());
  if (file.empty())
    return {file, name + " is neither in ../shim nor in " MPIGRAFT_LIBRARIES
                         " as seen from this command; build or install it"};
  if (file.find_first_of(" :") != file.npos)
    return {file, file + ": LD_PRELOAD cannot hold a path with a space or a colon; move the library"};
  return {file, ""};
}

std::string absolute(const std::string& path) {
  std::error_code error;
  const std::string from_root = path.empty() ? path : std::filesystem::absolute(path, error).string();
  return error ? path : from_root;
}

std::string unwritable(const std::string& what, const std::string& file, bool replaces) {
  if (file.empty() || file == "stderr") return {};
  const std::filesystem::path parent = std::filesystem::path(absolute(file)).parent_path();
  const std::filesystem::path folder = parent.empty() ? "." : parent;
  std::error_code error;
  if (!std::filesystem::is_directory(folder, error))
    return what + ": there is no folder " + folder.string() + "; make it, or name another file";
  if (std::filesystem::is_directory(file, error)) return what + ": " + file + " is a folder; name a file in it";
  const bool is_there = access(file.c_str(), F_OK) == 0;
  if (is_there && replaces && !std::filesystem::is_regular_file(file, error))
    return what + ": " + file + " is no regular file; name another one";
  if (is_there && !replaces && access(file.c_str(), W_OK) != 0)
    return what + ": " + file + " cannot be written: " + std::strerror(errno) + "; name another file";
  if ((!is_there || replaces) && access(folder.c_str(), W_OK) != 0)
    return what + ": no file can be written in " + folder.string() + ": " + std::strerror(errno) +
           "; name one in another folder";
  return {};
}

int make_page(const char* kind, const std::string& input, const std::string& file) {
  if (const std::string problem = unwritable("--html", file); !problem.empty()) return fail(problem);
  const std::string path = find_script("page.py");
  if (path.empty()) return cannot_run;
  const std::string words = shell_word(path) + ' ' + kind + ' ' + shell_word(file);
  std::FILE* python = popen((std::string(interpreter) + ' ' + words).c_str(), "w");
  if (!python) return fail("cannot start python3");
  std::fputs(input.c_str(), python);
  return pclose(python) == 0 ? ok : fail("cannot make " + table::in_quotes(file));
}

std::string shell_word(const std::string& word) {
  constexpr const char* safe = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=:,./@%";
  if (!word.empty() && word.find_first_not_of(safe) == word.npos) return word;
  std::string quoted = "'";
  for (const char c : word) {
    if (c == '\'')
      quoted += "'\\''";
    else
      quoted += c;
  }
  return quoted + '\'';
}

std::string wrapped(const std::string& start, std::string_view words) {
  const std::string next_line = '\n' + std::string(start.size(), ' ');
  std::string text = start;
  std::size_t width = start.size();
  for (const std::string_view word : table::parts_of(words, ' ')) {
    if (width > start.size() && width + 1 + word.size() > line_width) {
      text += next_line;
      width = start.size();
    }
    const std::string_view blank = width > start.size() ? " " : "";
    text.append(blank).append(word);
    width += blank.size() + word.size();
  }
  return text + '\n';
}

}  // namespace mpigraft::command
