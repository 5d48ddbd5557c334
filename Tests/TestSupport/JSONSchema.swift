//===--- JSONSchema.swift - validates JSON values -------------------------===//
//
// Supports the keywords of the project's own schema. Any other keyword fails, so that none is
// ignored.
//
// Source    JSON Schema 2020-12
//===----------------------------------------------------------------------===//

import Foundation

/// A JSON Schema.
package struct JSONSchema {
  private let root: [String: Any]

  package init(_ text: Data) throws {
    root = try JSONSerialization.jsonObject(with: text) as? [String: Any] ?? [:]
  }

  /// The violations of a value, one message for each position; empty if it is valid.
  package func problems(of text: String) throws -> [String] {
    let value = try JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
    return problems(of: value, by: root, at: "")
  }

  private func problems(of value: Any, by schema: [String: Any], at path: String) -> [String] {
    schema.flatMap { keyword, rule -> [String] in
      let isFine: Bool
      switch keyword {
      case "$schema", "$defs", "title", "description": return []
      case "$ref": return problems(of: value, by: definition(rule), at: path)
      case "oneOf":
        isFine =
          (rule as? [[String: Any]] ?? []).count { problems(of: value, by: $0, at: path).isEmpty }
          == 1
      case "type":
        isFine = (rule as? [String] ?? [rule as? String ?? ""]).contains { hasType(value, $0) }
      case "enum": isFine = (rule as? [String] ?? []).contains(value as? String ?? "\0")
      case "minimum": isFine = number(value).map { $0 >= number(rule) ?? .infinity } ?? true
      case "maximum": isFine = number(value).map { $0 <= number(rule) ?? -.infinity } ?? true
      case "minItems":
        isFine = (value as? [Any]).map { Double($0.count) >= number(rule) ?? .infinity } ?? true
      case "maxItems":
        isFine = (value as? [Any]).map { Double($0.count) <= number(rule) ?? -.infinity } ?? true
      case "required":
        let members = value as? [String: Any] ?? [:]
        isFine = (rule as? [String] ?? []).allSatisfy { members[$0] != nil }
      case "additionalProperties":
        let known = schema["properties"] as? [String: Any] ?? [:]
        isFine = (value as? [String: Any] ?? [:]).keys.allSatisfy { known[$0] != nil }
      case "properties":
        let members = value as? [String: Any] ?? [:]
        return (rule as? [String: [String: Any]] ?? [:]).flatMap { name, schema in
          members[name].map { problems(of: $0, by: schema, at: "\(path).\(name)") } ?? []
        }
      case "items":
        return (value as? [Any] ?? []).enumerated().flatMap { index, element in
          problems(of: element, by: rule as? [String: Any] ?? [:], at: "\(path)[\(index)]")
        }
      default: isFine = false
      }
      return isFine ? [] : ["\(path): \(keyword)"]
    }
  }

  private func definition(_ reference: Any) -> [String: Any] {
    let name = (reference as? String ?? "").split(separator: "/").last.map(String.init) ?? ""
    let definitions = root["$defs"] as? [String: Any]
    return definitions?[name] as? [String: Any] ?? ["undefined": name]
  }

  private func number(_ value: Any) -> Double? {
    value is String ? nil : (value as? NSNumber)?.doubleValue
  }

  private func hasType(_ value: Any, _ type: String) -> Bool {
    switch type {
    case "object": value is [String: Any]
    case "array": value is [Any]
    case "string": value is String
    case "null": value is NSNull
    case "number": number(value) != nil
    case "integer": number(value).map { $0 == $0.rounded() } ?? false
    default: false
    }
  }
}
