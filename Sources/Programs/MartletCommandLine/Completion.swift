//===--- Completion.swift - completions for bash, zsh and fish ------------===//
//
// Completes commands and options; values and operands by their permitted words, or else by paths.
// fish and zsh also show the help texts.
//===----------------------------------------------------------------------===//

/// A shell with completion.
package enum Shell: String, CaseIterable {
  case bash
  case zsh
  case fish
}

extension ToolSpecification {
  /// The completion script for a shell.
  package func completion(for shell: Shell) -> String {
    switch shell {
    case .bash: bash
    case .zsh: zsh
    case .fish: fish
    }
  }

  private var commandNames: String { commands.map(\.name).joined(separator: " ") }

  private var bash: String {
    let cases = commands.map { command in
      let options = command.allOptions.map(\.name).joined(separator: " ")
      let operands = command.operandChoices.joined(separator: " ")
      return "    \(command.name)) options=\"\(options)\" operands=\"\(operands)\" ;;"
    }
    let choices = words.map { option, words in
      "    \(option)) COMPREPLY=($(compgen -W \"\(words)\" -- \"$word\")); return ;;"
    }
    return """
      # bash completion for \(name); put it into a file that ~/.bashrc sources
      _\(identifier)() {
        local word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}" options="" operands=""
        if [ "$COMP_CWORD" -eq 1 ]; then
          COMPREPLY=($(compgen -W "\(commandNames) help --help --version" -- "$word"))
          return
        fi
        case "$before" in
      \(choices.joined(separator: "\n"))
        esac
        case "${COMP_WORDS[1]}" in
          help) operands="\(commandNames)" ;;
      \(cases.joined(separator: "\n"))
        esac
        case "$word" in
          -*) COMPREPLY=($(compgen -W "$options" -- "$word")) ;;
          *) COMPREPLY=($(compgen -W "$operands" -- "$word")) ;;
        esac
      }
      complete -o default -F _\(identifier) \(name)
      """
  }

  private var zsh: String {
    let summaries = commands.map { "    '\($0.name):\(escaped($0.summary))'" }
    let cases = commands.map { command in
      let options = command.allOptions.map { option in
        let words = option.choices.joined(separator: " ")
        let values = option.valueNames.enumerated().map { index, name in
          ":\(escaped(name)):" + (words.isEmpty || index > 0 ? "_files" : "(\(words))")
        }.joined()
        let star = option.repeats ? "*" : ""
        return "        '\(star)\(option.name)[\(escaped(option.help))]\(values)' \\"
      }
      let words = command.operandChoices.joined(separator: " ")
      return """
            \(command.name))
              _arguments \\
        \(options.joined(separator: "\n"))
                \(words.isEmpty ? "'*:file:_files'" : "':one of:(\(words))'") ;;
        """
    }
    return """
      #compdef \(name)
      # zsh completion for \(name); put it as _\(name) into a folder of $fpath
      _\(identifier)() {
        local -a commands=(
      \(summaries.joined(separator: "\n"))
        )
        if (( CURRENT == 2 )); then
          _describe command commands
          return
        fi
        local command="${words[2]}"
        shift words
        (( CURRENT-- ))
        case "$command" in
          help) _describe command commands ;;
      \(cases.joined(separator: "\n"))
        esac
      }
      compdef _\(identifier) \(name)
      """
  }

  private var fish: String {
    let lines = commands.flatMap { command in
      let options = command.allOptions.map { option in
        let value =
          option.value == nil
          ? ""
          : option.choices.isEmpty ? " -r" : " -x -a '\(option.choices.joined(separator: " "))'"
        return """
          complete -c \(name) -n '__fish_seen_subcommand_from \(command.name)' \
          -l \(option.name.dropFirst(2)) -d '\(quoted(option.help))'\(value)
          """
      }
      let words = [command.operandChoices.joined(separator: " ")].filter { !$0.isEmpty }.map {
        "complete -c \(name) -f -n '__fish_seen_subcommand_from \(command.name)' -a '\($0)'"
      }
      return [
        """
        complete -c \(name) -f -n '__fish_use_subcommand' -a \(command.name) \
        -d '\(quoted(command.summary))'
        """
      ] + words + options
    }
    return """
      # fish completion for \(name); put it as \(name).fish into ~/.config/fish/completions
      \(lines.joined(separator: "\n"))
      complete -c \(name) -f -n '__fish_seen_subcommand_from help' -a '\(commandNames)'
      """
  }

  /// The options with a fixed set of values, each once.
  private var words: [(option: String, words: String)] {
    var seen: Set<String> = []
    return commands.flatMap(\.allOptions).filter {
      !$0.choices.isEmpty && seen.insert($0.name).inserted
    }
    .map { ($0.name, $0.choices.joined(separator: " ")) }
  }

  /// The tool's name as an identifier of a shell function.
  private var identifier: String { String(name.map { $0 == "-" ? "_" : $0 }) }

  /// Text for a shell's single quotation marks.
  private func quoted(_ text: String) -> String { String(text.map { $0 == "'" ? "’" : $0 }) }

  /// Quoted text without characters that are special in zsh's `_arguments`.
  private func escaped(_ text: String) -> String {
    let replacements: [Character: Character] = ["[": "(", "]": ")", ":": ";"]
    return String(quoted(text).map { replacements[$0] ?? $0 })
  }
}
