//===--- HeaderFields.swift - header fields of a message ------------------===//
//
// Checked   Tests/MartletSystemTests/HTTP/RequestHeadTests.swift
//===----------------------------------------------------------------------===//

/// Header fields in order; names are case-insensitive.
package struct HeaderFields: Sendable, Equatable {
  package struct Field: Sendable, Equatable {
    package let name: String
    package let value: String
  }

  package private(set) var fields: [Field] = []

  package init() {}

  package init(_ fields: KeyValuePairs<String, String>) {
    for (name, value) in fields { add(name, value) }
  }

  /// Appends a field.
  package mutating func add(_ name: String, _ value: String) {
    fields.append(Field(name: name, value: value))
  }

  /// All values of a field.
  package func all(_ name: String) -> [String] {
    let wanted = name.lowercased()
    return fields.filter { $0.name.lowercased() == wanted }.map(\.value)
  }

  /// The values of a field, joined by commas; `nil` if the field is missing.
  package subscript(name: String) -> String? {
    let values = all(name)
    return values.isEmpty ? nil : values.joined(separator: ", ")
  }
}
