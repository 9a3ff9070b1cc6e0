/// The completion for bash, without help from the bash-completion package.
enum BashCompletion {
  static var text: String {
    let rows = OptionTable.sections.flatMap(\.rows)
    var cases = ""
    for row in rows {
      guard case .required = row.value else { continue }
      cases += "    \(row.flag))\n" + action(row.completion).map { "      \($0)\n" }.joined() + "      return ;;\n"
    }
    return """
      # bash completion for vplay
      \(Document.note)
      _vplay() {
        local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}
        COMPREPLY=()
        # An equals sign and a colon are words of their own: --volume=0.5 is three, wav:x too.
        if [[ $word == = ]]; then
          word=
        elif [[ $before == = ]]; then
          before=${COMP_WORDS[COMP_CWORD-2]}
        elif [[ $word == : || $before == : ]]; then
          [[ $word == : ]] && word=
          compopt -o filenames
          mapfile -t COMPREPLY < <(compgen -f -- "$word")
          return
        fi
        case $before in
      \(cases)  esac
        if [[ $word == -* ]]; then
          mapfile -t COMPREPLY < <(compgen -W '\(rows.map(\.flag).joined(separator: " "))' -- "$word")
        else
          compopt -o filenames
          mapfile -t COMPREPLY < <(compgen -f -- "$word")
        fi
      }
      complete -F _vplay vplay

      """
  }

  private static func action(_ completion: OptionRow.Completion) -> [String] {
    switch completion {
    case .nothing: []
    case .words(let words): [reply(words)]
    case .wordsOrFile(let words, let prefix):
      [reply(words + [prefix]), "[[ ${COMPREPLY[*]} == \(prefix) ]] && compopt -o nospace"]
    case .devices:
      [
        "local devices",
        "devices=$(vplay --list-devices 2>/dev/null | cut -c 3- | cut -f 1)",
        #"mapfile -t COMPREPLY < <(compgen -W "$devices" -- "$word")"#,
      ]
    }
  }

  private static func reply(_ words: [String]) -> String {
    "mapfile -t COMPREPLY < <(compgen -W '\(words.joined(separator: " "))' -- \"$word\")"
  }
}
