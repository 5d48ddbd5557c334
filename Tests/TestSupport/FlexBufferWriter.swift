//===--- FlexBufferWriter.swift - options of custom operators for tests ---===//
//
// Writes a map as a FlexBuffer with numbers of eight bytes.
//===----------------------------------------------------------------------===//

/// A value of the map.
package enum FlexValue: Sendable {
  case int(Int)
  case float(Double)
  case ints([Int])

  /// The format's type code and the eight bytes.
  fileprivate var packedType: UInt8 {
    switch self {
    case .int: 1 << 2 | 3
    case .float: 3 << 2 | 3
    case .ints: 11 << 2 | 3
    }
  }
}

/// The FlexBuffer of a map.
package func flexBuffer(_ map: [String: FlexValue]) -> [UInt8] {
  let entries = map.sorted { $0.key < $1.key }
  var bytes: [UInt8] = []
  func number(_ value: Int) { bytes += Int64(value).littleEndianBytes }
  let keys = entries.map { entry in
    defer { bytes += Array(entry.key.utf8) + [0] }
    return bytes.count
  }
  let vectors = entries.map { entry -> Int in
    guard case .ints(let values) = entry.value else { return 0 }
    number(values.count)
    defer { for value in values { number(value) } }
    return bytes.count
  }
  number(keys.count)
  let keyVector = bytes.count
  for key in keys { number(bytes.count - key) }
  number(bytes.count - keyVector)
  number(8)
  number(entries.count)
  let start = bytes.count
  for (index, entry) in entries.enumerated() {
    switch entry.value {
    case .int(let value): number(value)
    case .float(let value): number(Int(bitPattern: UInt(value.bitPattern)))
    case .ints: number(bytes.count - vectors[index])
    }
  }
  bytes += entries.map(\.value.packedType)
  number(bytes.count - start)
  return bytes + [9 << 2 | 3, 8]
}
