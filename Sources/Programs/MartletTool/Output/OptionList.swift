//===--- OptionList.swift - an operator's options by name -----------------===//
//
// Option tables are structs whose properties have the schema's names. They are read by reflection,
// so that a new table of the schema is shown without further code.
//
// Contract  Lists all options of an operator, in the table's order: numbers and Booleans as they
//           are, enumerations by their case's name, lists as arrays.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletCommandLine
import MartletModel

/// The options of one operator.
struct OptionList {
  let options: [(name: String, value: JSON)]

  /// The options of `operation`, an operator of `model`.
  init(_ operation: Operator, of model: Model) {
    if !operation.customOptions.isEmpty {
      options = OptionList.custom(operation.customOptions, model.bytes)
      return
    }
    switch operation.options {
    case .none: options = []
    case .other(let tag): options = [("table", .integer(Int(tag)))]
    case .other2(let tag): options = [("table2", .integer(Int(tag)))]
    default:
      let table = Mirror(reflecting: operation.options).children.first?.value
      options = table.map(OptionList.members) ?? []
    }
  }

  /// The contents of a custom operator's FlexBuffer, or the number of its bytes.
  private static func custom(
    _ range: Range<Int>, _ bytes: FileBytes
  ) -> [(name: String, value: JSON)] {
    if case .map(let entries)? = try? FlexBuffer(bytes, in: range) {
      return entries.map { ($0.key, json($0.value)) }
    }
    return [("customOptionBytes", .integer(range.count))]
  }

  private static func json(_ value: FlexBuffer) -> JSON {
    switch value {
    case .null: .null
    case .int(let number): .integer(Int(number))
    case .uint(let number): .integer(Int(clamping: number))
    case .float(let number): .float(Float(number))
    case .bool(let truth): .bool(truth)
    case .string(let text): .string(text)
    case .blob(let bytes): .string("\(bytes.count) bytes")
    case .vector(let values): .array(values.map(json))
    case .map(let entries): .object(entries.map { ($0.key, json($0.value)) })
    }
  }

  private static func members(_ table: Any) -> [(name: String, value: JSON)] {
    Mirror(reflecting: table).children.flatMap { child -> [(name: String, value: JSON)] in
      guard let label = child.label else { return [] }
      let value = json(of: child.value)
      if case .object(let inner) = value { return inner.map { (label + "." + $0, $1) } }
      return [(label, value)]
    }
  }

  private static func json(of value: Any) -> JSON {
    switch value {
    case let number as any BinaryInteger: return .integer(Int(clamping: number))
    case let number as Float: return .float(number)
    case let number as Double: return .float(Float(number))
    case let truth as Bool: return .bool(truth)
    case let text as String: return .string(text)
    default: break
    }
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .optional: return mirror.children.first.map { json(of: $0.value) } ?? .null
    case .collection: return .array(mirror.children.map { json(of: $0.value) })
    case .struct: return .object(members(value).map { ($0.name, $0.value) })
    default: return .string("\(value)")
    }
  }
}

extension OptionList: CustomStringConvertible {
  /// `padding=same strideWidth=1`.
  var description: String {
    options.map { name, value in
      if case .string(let word) = value { return "\(name)=\(word)" }
      return "\(name)=\(value)"
    }.joined(separator: " ")
  }
}
