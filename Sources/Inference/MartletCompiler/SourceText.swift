//===--- SourceText.swift - names and literals of generated code ----------===//
//
// Contract  Text of a model cannot end the comment or the literal that it is in. A name of a model
//           becomes an identifier only if the Swift compiler reads it as one wherever generated code
//           uses it.
//===----------------------------------------------------------------------===//

enum SourceText {
  /// Whether `name` can be the name of a declaration.
  static func isIdentifier(_ name: String) -> Bool {
    guard let first = name.utf8.first, !(48...57).contains(first), name != "_" else { return false }
    return !keywords.contains(name)
      && name.utf8.allSatisfy { byte in
        switch byte {
        case 48...57, 65...90, 95, 97...122: true
        default: false
        }
      }
  }

  /// Whether `name` can be the name of a type, which must not hide what generated code uses.
  static func isTypeName(_ name: String) -> Bool {
    isIdentifier(name) && !types.contains(name)
      && !Kernel.allCases.contains { group($0) == name }
  }

  /// The type that has a kernel's function.
  static func group(_ kernel: Kernel) -> String {
    String(kernel.rawValue.prefix { $0 != "." })
  }

  /// The last part of a tensor's name as an identifier, or `nil` if it is none.
  static func identifier(_ name: String) -> String? {
    let parts = name.split { $0 == "/" || $0 == ":" || $0 == ";" }
    guard let last = parts.last(where: { !$0.allSatisfy(\.isNumber) }).map(String.init),
      last.first?.isLowercase == true, isIdentifier(last)
    else { return nil }
    return last
  }

  /// The text as a string literal of one line.
  static func literal(_ text: String) -> String {
    var literal = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": literal += "\\\(scalar)"
      case _ where isControl(scalar):
        literal += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      default: literal.unicodeScalars.append(scalar)
      }
    }
    return literal + "\""
  }

  /// The text as a comment of one line.
  static func comment(_ text: String) -> String {
    var comment = ""
    for scalar in text.unicodeScalars {
      comment.unicodeScalars.append(isControl(scalar) ? " " : scalar)
    }
    return comment
  }

  /// The bytes as an integer literal, the first byte lowest.
  static func literal(_ bytes: ArraySlice<UInt8>) -> String {
    var digits = Array("0x".utf8)
    digits.reserveCapacity(2 * bytes.count + 3)
    // A literal has no more words than its value needs.
    if bytes.last == 0 { digits.append(UInt8(ascii: "1")) }
    for byte in bytes.reversed() {
      for digit in [byte >> 4, byte & 15] {
        digits.append(digit + (digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10))
      }
    }
    return String(decoding: digits, as: UTF8.self)
  }

  /// Whether a character could end a line, or change the direction of text.
  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0, 0x61C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  /// The reserved words of Swift's grammar, and those contextual ones that are not read as a name at
  /// the beginning of an expression, of a closure's parameters or after a declaration.
  private static let keywords: Set = [
    "as", "associatedtype", "await", "break", "case", "catch", "class", "continue", "default",
    "defer", "deinit", "didSet", "do", "else", "enum", "extension", "fallthrough", "false",
    "fileprivate", "for", "func", "guard", "if", "import", "in", "init", "inout", "internal", "is",
    "let", "nil", "operator", "precedencegroup", "private", "protocol", "public", "repeat",
    "rethrows", "return", "self", "static", "struct", "subscript", "super", "switch", "throw",
    "throws", "true", "try", "typealias", "unsafe", "var", "where", "while", "willSet",
  ]

  /// Names of the language and the standard library.
  private static let types: Set = [
    "Any", "CompiledMemory", "CompiledTensor", "Copyable", "Float", "InlineArray", "Int16", "Int32",
    "Int8", "MartletCompiled", "MutableSpan", "Protocol", "Self", "Sendable", "Span",
    "StaticString", "Type", "UInt64", "UInt8", "UnsafeMutablePointer", "UnsafeMutableRawPointer",
    "UnsafePointer", "UnsafeRawPointer",
  ]
}
