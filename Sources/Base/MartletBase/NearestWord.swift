//===--- NearestWord.swift - suggestions for misspelled words -------------===//
//
// Cost      O(*m* *n*) for each word of *m* and *n* characters.
// Source    Wagner and Fischer, The String-to-String Correction Problem, 1974.
//===----------------------------------------------------------------------===//

extension [String] {
  /// The element with the smallest edit distance to `word`; of several, the first. Returns `nil` if
  /// the distance exceeds two, or a third of the word's length without hyphens. One change is always
  /// allowed.
  package func nearest(to word: String) -> String? {
    let limit = Swift.min(2, Swift.max(1, word.utf8.count { $0 != UInt8(ascii: "-") } / 3))
    var best: (word: String, distance: Int)?
    for candidate in self {
      let distance = editDistance(candidate, word)
      if distance <= limit, distance < best?.distance ?? Int.max { best = (candidate, distance) }
    }
    return best?.word
  }
}

/// The number of insertions, deletions and replacements that turn one word into the other.
private func editDistance(_ first: String, _ second: String) -> Int {
  let columns = Array(second.utf8)
  var row = Array(0...columns.count)
  for (line, character) in first.utf8.enumerated() {
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
