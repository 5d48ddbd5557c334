//===--- ShellWord.swift - commands with the name of a file ---------------===//
//
// Errors of formats advise a command that converts FILE. Where the file is known, its path is in the
// command, so that it can be run as it is printed.
//===----------------------------------------------------------------------===//

extension String {
  /// The text with `path` in place of FILE in a command. Standard input and a path with control
  /// characters cannot be named.
  package func naming(_ path: String) -> String {
    guard !path.isEmpty, path != "-", path.printable == path else { return self }
    let words = split(separator: " ", omittingEmptySubsequences: false).map { word in
      switch word {
      case "FILE": path.shellWord
      case "'FILE[0]'": (path + "[0]").shellWord
      default: String(word)
      }
    }
    return words.joined(separator: " ")
  }

  /// The text as one word of a POSIX shell, which is no option.
  var shellWord: String {
    let text = hasPrefix("-") ? "./" + self : self
    let isPlain = text.unicodeScalars.allSatisfy { scalar in
      scalar.properties.isAlphabetic || "0123456789/._-+,:@%=".unicodeScalars.contains(scalar)
    }
    guard !isPlain else { return text }
    let parts = text.split(separator: "'", omittingEmptySubsequences: false)
    return "'\(parts.joined(separator: "'\\''"))'"
  }
}
