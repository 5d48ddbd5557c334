//===--- FilePath.swift - paths as bytes ----------------------------------===//
//
// The system's paths are bytes without zeros, in no particular encoding. A `String` would repair
// bytes that are not UTF-8, and would take two files for one if their names are canonically equal
// (é as one or as two scalars).
//
// Contract  Paths are equal if their bytes are, and sorted by them. Bytes that are not UTF-8 are
//           printed as `\xE9`; JSON has them in a member of its own, in base64.
//===----------------------------------------------------------------------===//

import MartletBase

/// The path of a file or folder, or the name of one.
package struct FilePath: Hashable, Sendable {
  package let bytes: [UInt8]

  package init(bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

  package init(_ text: String) { bytes = Array(text.utf8) }

  private static let slash = UInt8(ascii: "/")
  private static let dot = UInt8(ascii: ".")

  /// Standard input, or standard output.
  package static let standardStream = FilePath("-")

  package static func + (path: FilePath, suffix: String) -> FilePath {
    FilePath(bytes: path.bytes + suffix.utf8)
  }

  /// The path of the item `name` in a folder.
  package static func / (folder: FilePath, name: FilePath) -> FilePath {
    let separator = folder.bytes.last == slash ? [] : [slash]
    return FilePath(bytes: folder.bytes + separator + name.bytes)
  }

  package static func / (folder: FilePath, name: String) -> FilePath { folder / FilePath(name) }

  package func hasPrefix(_ text: String) -> Bool { bytes.starts(with: text.utf8) }

  package func hasSuffix(_ text: String) -> Bool {
    bytes.suffix(text.utf8.count).elementsEqual(text.utf8)
  }

  /// Whether the path ends in `ending`, which has no capitals, if its own are ignored.
  package func hasEnding(_ ending: String) -> Bool {
    bytes.suffix(ending.utf8.count).elementsEqual(ending.utf8) { byte, letter in
      byte == letter || byte | 0x20 == letter && UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
    }
  }

  package func contains(anyOf characters: String) -> Bool {
    bytes.contains { characters.utf8.contains($0) }
  }

  /// The path without `suffix`; the path itself if it does not end in it.
  package func removing(suffix: String) -> FilePath {
    hasSuffix(suffix) ? FilePath(bytes: bytes.dropLast(suffix.utf8.count)) : self
  }

  /// The folder, with the slash behind it or empty, and the name within it. Slashes at the end
  /// belong to the name.
  private var parts: (folder: ArraySlice<UInt8>, name: ArraySlice<UInt8>) {
    let end = bytes.lastIndex { $0 != FilePath.slash } ?? bytes.startIndex
    let start = bytes[..<end].lastIndex(of: FilePath.slash).map { $0 + 1 } ?? bytes.startIndex
    return (bytes[..<start], bytes[start...])
  }

  /// The last component, without slashes at the end.
  package var name: FilePath { FilePath(bytes: parts.name.prefix { $0 != FilePath.slash }) }

  /// The name without its extension: `a` for `folder/a.jpg`, `.hidden` for `.hidden`.
  package var stem: FilePath {
    let name = name.bytes
    guard let end = name.lastIndex(of: FilePath.dot), end > 0 else { return self.name }
    return FilePath(bytes: name[..<end])
  }

  /// The folder that contains the item; `.` for a path without a slash.
  package var parent: FilePath {
    let folder = parts.folder
    if folder.isEmpty { return bytes.first == FilePath.slash ? "/" : "." }
    return FilePath(bytes: folder)
  }

  /// The path of the item's folder below `root`, which contains it; empty if that is `root`.
  package func folder(below root: FilePath) -> FilePath {
    FilePath(bytes: parts.folder.dropFirst((root / "").bytes.count).dropLast())
  }

  /// The path with `_` for each slash, as a file's name.
  package var flattened: FilePath {
    FilePath(bytes: bytes.map { $0 == FilePath.slash ? UInt8(ascii: "_") : $0 })
  }

  /// Calls `body` with the path as a C string, which is valid during the call.
  func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
    let characters = bytes.map { CChar(bitPattern: $0) } + [0]
    return unsafe characters.withUnsafeBufferPointer { buffer in
      // The array has at least the final zero, so that it has an address.
      guard let start = buffer.baseAddress else { fatalError("an array without an address") }
      return unsafe body(start)
    }
  }
}

extension FilePath: ExpressibleByStringLiteral {
  package init(stringLiteral text: String) { self.init(text) }
}

extension FilePath: Comparable {
  package static func < (a: FilePath, b: FilePath) -> Bool {
    a.bytes.lexicographicallyPrecedes(b.bytes)
  }
}

extension FilePath: CustomStringConvertible {
  /// The path as text; bytes that are not UTF-8 as `\xE9`.
  package var description: String {
    if let text = String(utf8: bytes) { return text }
    var text = ""
    var decoder = UTF8.ForwardParser()
    var rest = bytes.makeIterator()
    var position = 0
    parsing: while true {
      switch decoder.parseScalar(from: &rest) {
      case .valid(let scalar):
        text.unicodeScalars.append(UTF8.decode(scalar))
        position += scalar.count
      case .error(let length):
        for byte in bytes[position..<position + length] {
          text += "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }
        position += length
      case .emptyInput: break parsing
      }
    }
    return text
  }
}

extension FilePath {
  /// The bytes as base64, if they are not UTF-8.
  package var base64: String? {
    String(utf8: bytes) == nil ? Base64.text(of: bytes) : nil
  }

  /// The JSON member `name` + `Bytes`, if the bytes are not UTF-8; else empty.
  package func json(_ name: String) -> [(String, JSON)] {
    base64.map { [(name + "Bytes", .string($0))] } ?? []
  }

  /// The path in the members `name` and `name` + `Bytes` of a JSON object; `nil` if there is none.
  package init?(_ name: String, of json: JSON) {
    let reader = JSONReader(json)
    guard let text: String = try? reader.value(name) else { return nil }
    guard let encoded: String = try? reader.value(name + "Bytes") else {
      self.init(text)
      return
    }
    guard let bytes = Base64.bytes(of: encoded) else { return nil }
    self.init(bytes: bytes)
  }
}
