//===--- TypeName.swift - the name of a model's type ----------------------===//
//
// The build plugin, which can import no module, has a link to this file.
//===----------------------------------------------------------------------===//

enum TypeName {
  /// The words of a file's name without its extension, each with a capital: `PersonDetection` for
  /// `person_detection`. An underscore stays between digits: `V1_0` for `v1.0`.
  ///
  /// - Returns: `nil` if the name has characters other than ASCII, or does not begin with a letter.
  static func of(file name: String) -> String? {
    guard name.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
    let words = name.split { !$0.isLetter && !$0.isNumber }
    var result = ""
    for word in words {
      if result.last?.isNumber == true, word.first?.isNumber == true { result += "_" }
      result += word.prefix(1).uppercased() + word.dropFirst()
    }
    return result.first?.isLetter == true ? result : nil
  }
}
