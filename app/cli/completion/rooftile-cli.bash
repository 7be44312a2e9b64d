# Completion for bash: rooftile-cli itself says what fits.
_rooftile_cli() {
  local line=${COMP_LINE:0:COMP_POINT} words word
  read -ra words <<<"$line"
  [[ $line != *' ' ]] || words+=('')
  mapfile -t COMPREPLY < <("${words[0]}" complete -- "${words[@]:1}" 2>/dev/null)
  for word in "${!COMPREPLY[@]}"; do
    printf -v "COMPREPLY[$word]" %q "${COMPREPLY[$word]}"
    # bash takes what follows = for a word of its own.
    [[ $COMP_WORDBREAKS != *=* || ${words[-1]} != *=* ]] || COMPREPLY[$word]=${COMPREPLY[$word]#*=}
  done
  [[ ${#COMPREPLY[@]} != 1 || ${COMPREPLY[0]} != *= ]] || compopt -o nospace
}
complete -o default -F _rooftile_cli rooftile-cli
