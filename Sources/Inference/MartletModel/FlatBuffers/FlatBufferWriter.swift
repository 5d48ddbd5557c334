//===--- FlatBufferWriter.swift - FlatBuffer writer -----------------------===//
//
// Writes a tree of values as a FlatBuffer, parents before their children, and records the positions
// of marked nodes, so that tests can corrupt exact places.
//
// The contents of another FlatBuffer can be reused without changes: its bytes are appended, and new
// tables refer to positions in them. Offsets inside stay valid, because they are distances.
//
// Contract  Numbers are aligned to their size, byte vectors to 16 and the appended bytes to 64, if
//           the reused parts were aligned in this way.
//===----------------------------------------------------------------------===//

/// The target of a field or an element.
package indirect enum FlatNode: Sendable {
  case table([Int: FlatField])
  case string(String)
  /// A vector with `elementSize` bytes per element.
  case vector(elementSize: Int, [UInt8])
  case nodes([FlatNode])
  /// A node whose position is recorded under a name.
  case marked(String, FlatNode)
  /// An offset in the appended bytes.
  case existing(Int)

  package static func bytes(_ bytes: [UInt8]) -> FlatNode { .vector(elementSize: 1, bytes) }
  package static func int32s(_ values: [Int32]) -> FlatNode {
    .vector(elementSize: 4, values.flatMap { $0.littleEndianBytes })
  }
  package static func int64s(_ values: [Int64]) -> FlatNode {
    .vector(elementSize: 8, values.flatMap { $0.littleEndianBytes })
  }
  package static func uint16s(_ values: [UInt16]) -> FlatNode {
    .vector(elementSize: 2, values.flatMap { $0.littleEndianBytes })
  }
  package static func floats(_ values: [Float]) -> FlatNode {
    .vector(elementSize: 4, values.flatMap { $0.bitPattern.littleEndianBytes })
  }
}

/// The value of a table's field.
package enum FlatField: Sendable {
  case uint8(UInt8)
  case int32(Int32)
  case int64(Int64)
  case float(Float)
  case node(FlatNode)

  package static func bool(_ value: Bool) -> FlatField { .uint8(value ? 1 : 0) }
  package static func table(_ fields: [Int: FlatField]) -> FlatField { .node(.table(fields)) }
  package static func tables(_ tables: [[Int: FlatField]]) -> FlatField {
    .node(.nodes(tables.map { .table($0) }))
  }
  package static func string(_ text: String) -> FlatField { .node(.string(text)) }
  package static func int32s(_ values: [Int32]) -> FlatField { .node(.int32s(values)) }
  package static func int64s(_ values: [Int64]) -> FlatField { .node(.int64s(values)) }
  package static func floats(_ values: [Float]) -> FlatField { .node(.floats(values)) }
  package static func bytes(_ values: [UInt8]) -> FlatField { .node(.bytes(values)) }

  var inlineBytes: [UInt8] {
    switch self {
    case .uint8(let value): [value]
    case .int32(let value): value.littleEndianBytes
    case .int64(let value): value.littleEndianBytes
    case .float(let value): value.bitPattern.littleEndianBytes
    case .node: [0, 0, 0, 0]
    }
  }
}

extension FixedWidthInteger {
  /// The bytes of the number, lowest first.
  @inlinable package var littleEndianBytes: [UInt8] {
    (0..<Self.bitWidth / 8).map { UInt8(truncatingIfNeeded: self >> Self($0 * 8)) }
  }
}

/// A FlatBuffer under construction.
package struct FlatBufferWriter {
  package private(set) var bytes: [UInt8] = []
  /// The positions of marked nodes: a table's start, a vector's or string's count.
  package private(set) var marks: [String: Int] = [:]
  /// The start of the appended bytes.
  package private(set) var restStart = 0
  /// The offsets that refer to the appended bytes.
  private var forward: [(offset: Int, target: Int)] = []

  /// Writes the FlatBuffer of `root` with a four-character identifier, and appends `rest`.
  package init(_ root: FlatNode, identifier: String, inFrontOf rest: [UInt8] = []) {
    bytes = [0, 0, 0, 0] + Array(identifier.utf8)
    link(at: 0, to: root)
    guard !rest.isEmpty else { return }
    align(64)
    restStart = bytes.count
    for (offset, target) in forward { patch(at: offset, to: restStart + target) }
    bytes += rest
  }

  /// Writes a node and stores its offset at `offset`.
  private mutating func link(at offset: Int, to node: FlatNode) {
    if case .existing(let target) = node {
      forward.append((offset, target))
    } else {
      let target = write(node)
      patch(at: offset, to: target)
    }
  }

  private mutating func align(_ alignment: Int, behind header: Int = 0) {
    while (bytes.count + header) % alignment != 0 { bytes.append(0) }
  }

  private mutating func patch(at offset: Int, to target: Int) {
    bytes.replaceSubrange(offset..<offset + 4, with: UInt32(target - offset).littleEndianBytes)
  }

  private mutating func write(_ node: FlatNode) -> Int {
    switch node {
    case .table(let fields): return write(table: fields)
    case .string(let text):
      align(4)
      let position = bytes.count
      bytes += UInt32(text.utf8.count).littleEndianBytes + Array(text.utf8) + [0]
      return position
    case .vector(let elementSize, let content):
      // Byte vectors contain constants, which the schema aligns to 16.
      align(elementSize == 1 ? 16 : max(4, elementSize), behind: 4)
      let position = bytes.count
      bytes += UInt32(content.count / elementSize).littleEndianBytes + content
      return position
    case .nodes(let nodes):
      align(4)
      let position = bytes.count
      bytes += UInt32(nodes.count).littleEndianBytes
      bytes += [UInt8](repeating: 0, count: 4 * nodes.count)
      for (index, node) in nodes.enumerated() { link(at: position + 4 + 4 * index, to: node) }
      return position
    case .marked(let name, let node):
      let position = write(node)
      marks[name] = position
      return position
    case .existing(let target): return target
    }
  }

  private mutating func write(table fields: [Int: FlatField]) -> Int {
    let ordered = fields.sorted { $0.key < $1.key }
    let entryCount = (ordered.last?.key ?? -1) + 1
    var content: [UInt8] = [0, 0, 0, 0]
    var entries = [UInt16](repeating: 0, count: entryCount)
    for (field, value) in ordered {
      let inline = value.inlineBytes
      while content.count % inline.count != 0 { content.append(0) }
      entries[field] = UInt16(content.count)
      content += inline
    }
    align(2)
    let vtable = bytes.count
    bytes += UInt16(4 + 2 * entryCount).littleEndianBytes + UInt16(content.count).littleEndianBytes
    bytes += entries.flatMap { $0.littleEndianBytes }
    align(8)
    let table = bytes.count
    bytes += content
    bytes.replaceSubrange(table..<table + 4, with: Int32(table - vtable).littleEndianBytes)
    for (field, value) in ordered {
      guard case .node(let node) = value else { continue }
      link(at: table + Int(entries[field]), to: node)
    }
    return table
  }
}
