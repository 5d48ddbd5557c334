//===--- JSONReader.swift - Swift values from parsed JSON -----------------===//
//
//     let id: String = try reader.value("id")
//     let shapes: [[Int]] = try reader.value("shapes")
//     let seed: UInt64? = try reader.optional("seed")
//
// Contract  A member that is missing or has another type throws a `JSONError` with its path:
//           `cases[3].inputs[0].shape`. Integers are exact or throw; floating-point numbers are
//           rounded to the nearest.
//===----------------------------------------------------------------------===//

/// A type that can be decoded from JSON.
package protocol JSONReadable {
  init(_ reader: JSONReader) throws(JSONError)
}

/// A JSON value and its path in the document.
package struct JSONReader {
  package let json: JSON
  package let path: String

  package init(_ json: JSON, path: String = "") {
    self.json = json
    self.path = path
  }

  /// Returns the member `name` of an object.
  package func value<Value: JSONReadable>(_ name: String) throws(JSONError) -> Value {
    guard let member = try member(name) else { throw .missing(path: path(of: name)) }
    return try Value(member)
  }

  /// Returns the member `name` of an object; `nil` if it is missing or null.
  package func optional<Value: JSONReadable>(_ name: String) throws(JSONError) -> Value? {
    guard let member = try member(name) else { return nil }
    return try Value?(member)
  }

  /// Whether an object has the member `name`, and it is not null.
  package func has(_ name: String) throws(JSONError) -> Bool {
    guard let member = try member(name) else { return false }
    if case .null = member.json { return false }
    return true
  }

  /// Returns the elements of an array.
  package func elements() throws(JSONError) -> [JSONReader] {
    guard case .array(let values) = json else { throw mismatch("array") }
    return values.enumerated().map { JSONReader($1, path: "\(path)[\($0)]") }
  }

  package var isObject: Bool { if case .object = json { true } else { false } }

  /// The error for a value that is not `expected`.
  package func mismatch(_ expected: String) -> JSONError {
    .mismatch(path: path, expected: expected)
  }

  private func member(_ name: String) throws(JSONError) -> JSONReader? {
    guard case .object(let members) = json else { throw mismatch("object") }
    return members.first { $0.0 == name }.map { JSONReader($0.1, path: path(of: name)) }
  }

  private func path(of name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }

  fileprivate func number<Number: LosslessStringConvertible>(
    _ expected: String
  ) throws(JSONError) -> Number {
    guard case .literal(let text) = json, let number = Number(text) else {
      throw mismatch(expected)
    }
    return number
  }

  fileprivate func finite<Number: BinaryFloatingPoint & LosslessStringConvertible>()
    throws(JSONError) -> Number
  {
    let value: Number = try number("number")
    guard value.isFinite else { throw mismatch("number of this type's range") }
    return value
  }
}

extension JSONReadable {
  /// Parses a JSON text.
  package init(json bytes: [UInt8]) throws(JSONError) {
    try self.init(JSONReader(JSON(parsing: bytes)))
  }
}

extension Bool: JSONReadable {
  package init(_ reader: JSONReader) throws(JSONError) {
    guard case .bool(let value) = reader.json else { throw reader.mismatch("Boolean") }
    self = value
  }
}

extension String: JSONReadable {
  package init(_ reader: JSONReader) throws(JSONError) {
    guard case .string(let value) = reader.json else { throw reader.mismatch("string") }
    self = value
  }
}

extension Int: JSONReadable {
  package init(_ reader: JSONReader) throws(JSONError) {
    self = try reader.number("whole number")
  }
}

extension UInt64: JSONReadable {
  package init(_ reader: JSONReader) throws(JSONError) {
    self = try reader.number("whole number of at least 0")
  }
}

extension Float: JSONReadable {
  package init(_ reader: JSONReader) throws(JSONError) { self = try reader.finite() }
}

extension Double: JSONReadable {
  package init(_ reader: JSONReader) throws(JSONError) { self = try reader.finite() }
}

extension Array: JSONReadable where Element: JSONReadable {
  package init(_ reader: JSONReader) throws(JSONError) {
    self = []
    for element in try reader.elements() { append(try Element(element)) }
  }
}

extension Optional: JSONReadable where Wrapped: JSONReadable {
  package init(_ reader: JSONReader) throws(JSONError) {
    if case .null = reader.json { self = nil } else { self = try Wrapped(reader) }
  }
}
