//===--- TensorValues.swift - the elements of a tensor as text ------------===//

import MartletBase

/// The elements of a tensor, as they are stored.
struct TensorValues {
  private let bytes: [UInt8]
  private let type: ElementType

  /// The number of elements that `beginning` contains.
  private static let limit = 8

  /// Little-endian elements. Those of types without a Swift type have no text.
  init(_ bytes: [UInt8], _ type: ElementType) { (self.bytes, self.type) = (bytes, type) }

  /// The first elements: `0.25 0.5 …`.
  var beginning: String {
    let values = texts(TensorValues.limit)
    let isWhole = (type.byteCount(of: TensorValues.limit) ?? 0) >= bytes.count
    return values.joined(separator: " ") + (values.isEmpty || isWhole ? "" : " …")
  }

  /// All elements; null for numbers that are not finite.
  var json: JSON {
    .array(texts(.max).map { ["nan", "-nan", "inf", "-inf"].contains($0) ? .null : .literal($0) })
  }

  /// The first `count` elements.
  private func texts(_ count: Int) -> [String] {
    switch type {
    case .float32: elements(UInt32.self, count).map { "\(Float(bitPattern: $0))" }
    case .float64: elements(UInt64.self, count).map { "\(Double(bitPattern: $0))" }
    case .int8: elements(Int8.self, count).map { "\($0)" }
    case .uint8: elements(UInt8.self, count).map { "\($0)" }
    case .int16: elements(Int16.self, count).map { "\($0)" }
    case .uint16: elements(UInt16.self, count).map { "\($0)" }
    case .int32: elements(Int32.self, count).map { "\($0)" }
    case .uint32: elements(UInt32.self, count).map { "\($0)" }
    case .int64: elements(Int64.self, count).map { "\($0)" }
    case .uint64: elements(UInt64.self, count).map { "\($0)" }
    case .bool: elements(UInt8.self, count).map { $0 == 0 ? "false" : "true" }
    default: []
    }
  }

  private func elements<Element: FixedWidthInteger>(
    _ element: Element.Type, _ count: Int
  ) -> [Element] {
    let width = Element.bitWidth / 8
    return (0..<min(count, bytes.count / width)).map { index in
      bytes[width * index..<width * (index + 1)].reversed().reduce(0) {
        $0 << 8 | Element(truncatingIfNeeded: $1)
      }
    }
  }
}
