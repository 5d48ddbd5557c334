//===--- Preparation+Options.swift - options of a node --------------------===//
//
// A builtin operator has an option table of the schema. A custom operator has its own bytes:
// usually a FlexBuffer, sometimes a C structure.
//
// Contract  Options are untrusted until an operator has checked them.
//===----------------------------------------------------------------------===//

public import MartletModel

extension Preparation {
  /// Reads the options of a custom operator as a FlexBuffer. Throws `options` if it is invalid.
  public func customOptions() throws(InferenceError) -> FlexBuffer {
    do throws(FlexBufferError) {
      return try FlexBuffer(file, in: operation.customOptions)
    } catch {
      throw .options(node: node)
    }
  }

  /// The raw bytes of a custom operator's options; empty if there are none.
  public var customOptionBytes: [UInt8] { Array(file[operation.customOptions]) }

  /// Returns the option table of a builtin operator, or `nil` if the file has none.
  ///
  /// It is for operators that this package does not implement. The package's own operators use
  /// options that are parsed when the model is read.
  public func optionTable() throws(InferenceError) -> OptionTable? {
    guard let position = operation.optionTable else { return nil }
    do throws(FlatBufferError) {
      let buffer = try FlatBuffer(
        file, in: 0..<file.count, limits: ModelLimits.flatBuffer)
      return OptionTable(table: try Table(in: buffer, at: position, depth: 1), node: node)
    } catch {
      throw .options(node: node)
    }
  }
}

/// A table of the schema's unions `BuiltinOptions` and `BuiltinOptions2`. Fields have the numbers
/// of their order in the schema's text, from 0.
///
/// The file does not store the fields' types: call the method for the type in the schema.
public struct OptionTable {
  let table: Table
  let node: Int

  private func read<Value>(
    _ read: (Table) throws(FlatBufferError) -> Value
  ) throws(InferenceError) -> Value {
    do throws(FlatBufferError) { return try read(table) } catch { throw .options(node: node) }
  }

  /// Reads a field of type `bool`.
  public func bool(_ field: Int, default value: Bool = false) throws(InferenceError) -> Bool {
    try read { table throws(FlatBufferError) in try table.bool(field, default: value) }
  }

  /// Reads a field of type `byte` or of an enumeration.
  public func int8(_ field: Int, default value: Int8 = 0) throws(InferenceError) -> Int8 {
    try read { table throws(FlatBufferError) in try table.int8(field, default: value) }
  }

  /// Reads a field of type `int`.
  public func int32(_ field: Int, default value: Int32 = 0) throws(InferenceError) -> Int32 {
    try read { table throws(FlatBufferError) in try table.int32(field, default: value) }
  }

  /// Reads a field of type `long`.
  public func int64(_ field: Int, default value: Int64 = 0) throws(InferenceError) -> Int64 {
    try read { table throws(FlatBufferError) in try table.int64(field, default: value) }
  }

  /// Reads a field of type `float`.
  public func float(_ field: Int, default value: Float = 0) throws(InferenceError) -> Float {
    try read { table throws(FlatBufferError) in try table.float(field, default: value) }
  }

  /// Reads a field of type `string`; `nil` if it is absent.
  public func string(_ field: Int) throws(InferenceError) -> String? {
    try read { table throws(FlatBufferError) in try table.string(field) }
  }

  /// Reads a field of type `[int]`; `nil` if it is absent.
  public func int32s(_ field: Int) throws(InferenceError) -> [Int32]? {
    try read { table throws(FlatBufferError) in try table.int32s(field) }
  }

  /// Reads a field of type `[long]`; `nil` if it is absent.
  public func int64s(_ field: Int) throws(InferenceError) -> [Int64]? {
    try read { table throws(FlatBufferError) in try table.int64s(field) }
  }
}
