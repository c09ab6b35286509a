#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes the completion of `mpigraft` for a shell, bash or zsh, from the command's own help."""

import argparse
import re
from pathlib import Path

import command_help

BASH = """\
# SPDX-License-Identifier: MIT
# Completion of mpigraft. A word that nothing here completes is the name of a file.
_mpigraft() {
  local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} verb=${COMP_WORDS[1]} words=
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    words="@VERBS@"
  else
    case $verb:$previous in
@VALUES@
      *)
        if [[ $word == -* ]]; then
          case $verb in
@OPTIONS@
          esac
        elif [[ $verb == list ]]; then
          words=$(mpigraft list | awk '$1 ~ "^[a-z_]+/[a-z0-9_]+$" { print $1 }')
        fi
        ;;
    esac
  fi
  [[ ${COMPREPLY[*]} ]] || mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
}
complete -o default -F _mpigraft mpigraft
"""

ZSH = """\
#compdef mpigraft
# SPDX-License-Identifier: MIT
local curcontext="$curcontext" state line
local -a verbs algorithms
verbs=(
@VERBS@
)
_arguments -C '(- *)'{-h,--help}'[print the help]' '(- *)--version[print the version]' '1:verb:->verb' '*::argument:->rest'
case $state in
  verb) _describe verb verbs ;;
  rest)
    algorithms=(${(f)"$(mpigraft list 2>/dev/null | awk '$1 ~ "^[a-z_]+/[a-z0-9_]+$" { print $1 }')"})
    case $words[1] in
@OPTIONS@
    esac
    ;;
esac
"""

WORDS_IN_ZSH = {"list": '        "*:algorithm:($algorithms)"'}  # else they are files


def longest(entry):
    return max(entry.names, key=len)


def offer_in_bash(option):
    """The completion of its value; nothing, not even a file, where that is a number or the like."""
    actions = {"DIR": "compopt -o filenames; mapfile -t COMPREPLY < <(compgen -d -- \"$word\")",
               "COMMAND": "mapfile -t COMPREPLY < <(compgen -c -- \"$word\")"}
    if option.choices:
        return f'words="{" ".join(option.choices)}"'
    return actions.get(option.value, "compopt +o default; return")


def bash(verbs):
    names = " ".join(entry.names[0] for entry, _ in verbs)
    values = [f"      {entry.names[0]}:{longest(option)}) {offer_in_bash(option)} ;;"
              for entry, own in verbs for option in own.options if option.value not in ("", "FILE")]
    options = [f'            {entry.names[0]}) words="{" ".join(longest(option) for option in own.options)}" ;;'
               for entry, own in verbs]
    return BASH.replace("@VERBS@", names).replace("@VALUES@", "\n".join(values)).replace("@OPTIONS@", "\n".join(options))


def in_zsh(text):
    return re.sub(r"([\[\]:\\])", r"\\\1", text).replace("'", "'\\''")


def zsh_option(option):
    spec = f"{longest(option)}[{in_zsh(option.text)}]"
    if option.value:
        actions = {"FILE": "_files", "DIR": "_files -/", "COMMAND": "_command_names -e"}
        action = "(" + " ".join(option.choices) + ")" if option.choices else actions.get(option.value, " ")
        spec += f":{'value' if option.choices else in_zsh(option.value)}:{action}"
    if option.optional_value:
        spec = f"{longest(option)}=-[{in_zsh(option.text)}]::{option.optional_value}: "
    quote = '"' if "$" in spec else "'"
    return f"        {quote}{spec}{quote}"


def zsh(verbs):
    names = [f"  '{entry.names[0]}:{in_zsh(own.description)}'" for entry, own in verbs]
    options = []
    for entry, own in verbs:
        specs = [*map(zsh_option, own.options), WORDS_IN_ZSH.get(entry.names[0], "        '*:file:_files'")]
        options.append(f"      {entry.names[0]}) _arguments \\\n" + " \\\n".join(specs) + " ;;")
    return ZSH.replace("@VERBS@", "\n".join(names)).replace("@OPTIONS@", "\n".join(options))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("shell", choices=("bash", "zsh"))
    parser.add_argument("file", type=Path)
    parser.add_argument("--command", required=True)
    options = parser.parse_args()
    verbs = [(entry, command_help.read(options.command, entry.names[0]))
             for entry in command_help.read(options.command).verbs]
    options.file.write_text({"bash": bash, "zsh": zsh}[options.shell](verbs))


if __name__ == "__main__":
    main()
