# SPDX-License-Identifier: MIT
# Completion of mpigraft for bash, from the command's help. A word that nothing here completes is the name of a file.
_mpigraft() {
  local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} verb=${COMP_WORDS[1]} words='' help value=''
  local command=${COMP_WORDS[0]/#\~/$HOME}
  COMPREPLY=()
  type -P -- "$command" >/dev/null || return
  if ((COMP_CWORD == 1)); then
    words=$("$command" --help 2>/dev/null | sed -nE '/^Subcommands:/,/^$/s/^  ([a-z]+) .*/\1/p')
    [[ $word != -* ]] || words='--help --version'
  else
    help=$("$command" "$verb" --help 2>/dev/null)
    [[ $previous == -* && $help =~ $'\n  '(-[^ ]*,)?"$previous"' '([A-Z]+|\{[^\}]*\}) ]] && value=${BASH_REMATCH[2]}
    case $value in
      "{"*) words=${value//[\{\},]/ } ;;
      DIR) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -d -- "$word") ;;
      COMMAND) mapfile -t COMPREPLY < <(compgen -c -- "$word") ;;
      FILE) ;;
      ?*) compopt +o default; return ;;
      *)
        if [[ $word == -* ]]; then
          words=$(sed -nE 's/^  (-[^ ]*,)?(--?[a-z-]+).*/\2/p' <<<"$help")
        elif [[ $verb == list ]]; then
          words=$("$command" list | awk '$1 ~ "^[a-z_]+/[a-z0-9_]+$" { print $1 }')
        fi
        ;;
    esac
  fi
  [[ ${COMPREPLY[*]} ]] || mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
}
complete -o default -F _mpigraft mpigraft
