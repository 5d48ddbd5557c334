//===--- NearestWord.swift - the word that was probably meant -------------===//
//
// Cost      O(*m* *n*) for each word, in the numbers of characters.
// Source    Wagner and Fischer, The String-to-String Correction Problem, 1974.
// Checked   Tests/MartletCommandLineTests/NearestWordTests.swift
//===----------------------------------------------------------------------===//

extension [String] {
  /// The element that takes the fewest changes of one character to become `word`, the first of
  /// equals; `nil` if all take more than two, or more than a third of the word
  /// (hyphens do not count).
  package func nearest(to word: String) -> String? {
    let limit = Swift.min(2, Swift.max(1, word.count { $0 != "-" } / 3))
    var best: (word: String, distance: Int)?
    for candidate in self {
      let distance = editDistance(candidate, word)
      if distance <= limit, distance < best?.distance ?? Int.max { best = (candidate, distance) }
    }
    return best?.word
  }
}

/// How many characters must be put in, taken out or replaced to make one word of the other.
private func editDistance(_ first: String, _ second: String) -> Int {
  let columns = Array(second)
  var row = Array(0...columns.count)
  for (line, character) in first.enumerated() {
    var diagonal = row[0]
    row[0] = line + 1
    for column in columns.indices {
      let replaced = diagonal + (columns[column] == character ? 0 : 1)
      diagonal = row[column + 1]
      row[column + 1] = min(replaced, diagonal + 1, row[column] + 1)
    }
  }
  return row[columns.count]
}
