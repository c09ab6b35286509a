// SPDX-License-Identifier: MIT
// The form of help texts, from which man pages are made and which completions read. The parser's own form differs
// between its releases. For a value it gives the type and what is checked, where man pages need a name.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace mpigraft::command {

class HelpFormat : public CLI::FormatterBase {
 public:
  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode) const override {
    using Options = std::vector<const CLI::Option*>;
    const Options positionals = app->get_options([](auto* option) { return option->get_positional(); });
    const Options options = app->get_options([](auto* option) { return option->nonpositional(); });
    const auto verbs = app->get_subcommands([](auto* verb) { return !verb->get_group().empty(); });

    std::string text = app->get_description() + "\nUsage: " + name + " [OPTIONS]";
    for (const CLI::Option* positional : positionals) text += ' ' + in_usage(positional);
    text += verbs.empty() ? "\n" : " SUBCOMMAND\n";
    if (!positionals.empty()) text += "\nPositionals:\n";
    for (const CLI::Option* option : positionals)
      text += entry(option->get_name(true) + many(option) + required(option), option->get_description());
    text += "\nOptions:\n";
    for (const CLI::Option* option : options)
      text += entry(option->get_name(false, true) + value(option) + many(option) + required(option),
                    option->get_description());
    if (!verbs.empty()) text += "\nSubcommands:\n";
    for (const CLI::App* verb : verbs) text += entry(verb->get_name(), verb->get_description());
    return text + '\n' + app->get_footer() + '\n';
  }

 private:
  static constexpr std::size_t width = 30;  // of the left column

  static bool takes_many(const CLI::Option* option) {
    return option->get_type_size() != 0 && option->get_expected_max() == CLI::detail::expected_max_vector_size;
  }
  static std::string many(const CLI::Option* option) { return takes_many(option) ? " ..." : ""; }
  static std::string required(const CLI::Option* option) { return option->get_required() ? " REQUIRED" : ""; }
  static std::string in_usage(const CLI::Option* positional) {
    const std::string name = positional->get_name(true) + (takes_many(positional) ? "..." : "");
    return positional->get_required() ? name : '[' + name + ']';
  }
  /// The name of the value, or the values that it may have, which the parser has as `TYPE:{...}`. A flag may have a
  /// value only behind a sign.
  static std::string value(const CLI::Option* option) {
    if (option->get_type_size() == 0) return {};
    const std::string name = option->get_type_name();
    if (option->get_expected_max() == 0) return name.empty() ? "" : "[=" + name + "]";
    const std::size_t choices = name.find(":{");
    return ' ' + (choices == name.npos ? name : name.substr(choices + 1));
  }
  static std::string entry(const std::string& words, const std::string& text) {
    std::string line = "  " + words;
    if (line.size() + 2 > width)  // two blanks set the text apart
      line += '\n' + std::string(width, ' ');
    else
      line.resize(width, ' ');
    return line + text + '\n';
  }
};

}  // namespace mpigraft::command
