//===--- FlexBuffer+Reading.swift - from bytes to values ------------------===//
//
// The last byte is the width of the root, the one before it the root's packed type (type times
// four, plus the logarithm of the width of what it refers to), and before these lies the root.
// Offsets lead backwards. A vector's size lies in front of its first element, its elements' packed
// types behind the last; a map is a vector of values with a vector of keys, sorted.
//
// Contract  No read leaves the range; the number of values and their depth are limited, since parts
//           may be shared.
// Checked   Tests/MartletModelTests/FlexBufferTests.swift
//===----------------------------------------------------------------------===//

extension FlexBuffer {
  /// The value that the bytes in `range`, a valid range of `bytes`, hold.
  package init(_ bytes: FileBytes, in range: Range<Int>) throws(FlexBufferError) {
    var reader = FlexBufferReader(bytes: bytes, start: range.lowerBound, size: range.count)
    self = try reader.root()
  }
}

/// The types of the format.
private enum FlexType {
  static let null = 0
  static let int = 1
  static let uint = 2
  static let float = 3
  static let key = 4
  static let string = 5
  static let indirectInt = 6
  static let indirectUInt = 7
  static let indirectFloat = 8
  static let map = 9
  static let vector = 10
  /// Vectors of int, uint, float, key and string: 11...15.
  static let typedVectors = 11...15
  /// Pairs, triples and quadruples of int, uint and float: 16...24.
  static let fixedVectors = 16...24
  static let blob = 25
  static let bool = 26
  static let boolVector = 36
}

private struct FlexBufferReader {
  let bytes: FileBytes
  let start: Int
  let size: Int
  var valueCount = 0
  var textCount = 0

  private var valueLimit: Int {
    min(ModelLimits.flexValues, ModelLimits.flexValuesPerByte * size)
  }

  mutating func root() throws(FlexBufferError) -> FlexBuffer {
    let width = Int(try unsigned(at: size - 1, width: 1))
    let packed = Int(try unsigned(at: size - 2, width: 1))
    guard [1, 2, 4, 8].contains(width) else { throw .width(offset: size - 1, found: width) }
    return try value(at: size - 2 - width, width: width, packed: packed, depth: 1)
  }

  /// The value in the slot at `offset`, which is `width` bytes wide.
  private mutating func value(
    at offset: Int, width: Int, packed: Int, depth: Int
  ) throws(FlexBufferError) -> FlexBuffer {
    guard depth <= ModelLimits.flexDepth else {
      throw .tooDeep(offset: offset, limit: ModelLimits.flexDepth)
    }
    let inner = 1 << (packed & 3)
    let type = packed >> 2
    switch type {
    case FlexType.null: return .null
    case FlexType.int: return .int(try signed(at: offset, width: width))
    case FlexType.uint: return .uint(try unsigned(at: offset, width: width))
    case FlexType.float: return .float(try float(at: offset, width: width))
    case FlexType.bool: return .bool(try unsigned(at: offset, width: width) != 0)
    default: break
    }
    let target = try self.target(of: offset, width: width)
    switch type {
    case FlexType.indirectInt: return .int(try signed(at: target, width: inner))
    case FlexType.indirectUInt: return .uint(try unsigned(at: target, width: inner))
    case FlexType.indirectFloat: return .float(try float(at: target, width: inner))
    case FlexType.key: return .string(try key(at: target))
    case FlexType.string: return .string(try string(at: target, width: inner))
    case FlexType.blob: return .blob(try blob(at: target, width: inner))
    case FlexType.vector: return .vector(try vector(at: target, width: inner, depth: depth))
    case FlexType.map: return .map(try map(at: target, width: inner, depth: depth))
    default: return .vector(try typedVector(type, at: target, width: inner, depth: depth))
    }
  }

  /// A vector whose elements share a type, which its own type tells.
  private mutating func typedVector(
    _ type: Int, at offset: Int, width: Int, depth: Int
  ) throws(FlexBufferError) -> [FlexBuffer] {
    let element: Int
    let count: Int
    switch type {
    case FlexType.typedVectors:
      element = type - FlexType.typedVectors.lowerBound + FlexType.int
      count = try self.count(at: offset, width: width)
    case FlexType.boolVector:
      element = FlexType.bool
      count = try self.count(at: offset, width: width)
    case FlexType.fixedVectors:
      let index = type - FlexType.fixedVectors.lowerBound
      element = index % 3 + FlexType.int
      count = index / 3 + 2
      try countValues(UInt64(count), at: offset)
    default:
      throw .unknownType(offset: offset, found: type)
    }
    var values: [FlexBuffer] = []
    for index in 0..<count {
      values.append(
        try value(
          at: offset + index * width, width: width, packed: element << 2, depth: depth + 1))
    }
    return values
  }

  /// A vector whose elements carry their types behind the last of them.
  private mutating func vector(
    at offset: Int, width: Int, depth: Int
  ) throws(FlexBufferError) -> [FlexBuffer] {
    let count = try count(at: offset, width: width)
    var values: [FlexBuffer] = []
    for index in 0..<count {
      let packed = Int(try unsigned(at: offset + count * width + index, width: 1))
      values.append(
        try value(at: offset + index * width, width: width, packed: packed, depth: depth + 1))
    }
    return values
  }

  private mutating func map(
    at offset: Int, width: Int, depth: Int
  ) throws(FlexBufferError) -> [FlexBuffer.Entry] {
    let keys = try target(of: offset - 3 * width, width: width)
    let keyWidth = Int(clamping: try unsigned(at: offset - 2 * width, width: width))
    guard [1, 2, 4, 8].contains(keyWidth) else {
      throw .width(offset: offset - 2 * width, found: keyWidth)
    }
    let values = try vector(at: offset, width: width, depth: depth)
    var entries: [FlexBuffer.Entry] = []
    for (index, value) in values.enumerated() {
      let key = try key(at: target(of: keys + index * keyWidth, width: keyWidth))
      entries.append(FlexBuffer.Entry(key: key, value: value))
    }
    return entries
  }

  /// The size that lies in front of a vector, counted against the limit.
  private mutating func count(at offset: Int, width: Int) throws(FlexBufferError) -> Int {
    let count = try unsigned(at: offset - width, width: width)
    try countValues(count, at: offset)
    return Int(count)
  }

  private mutating func countValues(_ count: UInt64, at offset: Int) throws(FlexBufferError) {
    guard count <= UInt64(valueLimit - valueCount) else {
      throw .tooManyValues(offset: offset, count: count, limit: valueLimit)
    }
    valueCount += Int(count)
  }

  /// The target of the offset in the slot at `offset`.
  private func target(of offset: Int, width: Int) throws(FlexBufferError) -> Int {
    let distance = Int(clamping: try unsigned(at: offset, width: width))
    guard distance <= offset else { throw .truncated(offset: offset, count: distance, size: size) }
    return offset - distance
  }

  /// A string that ends with a zero byte.
  private mutating func key(at offset: Int) throws(FlexBufferError) -> String {
    let rest = bytes[start + offset..<start + size]
    guard let end = rest.firstIndex(of: 0) else { throw .unterminated(offset: offset) }
    try countText(end - rest.startIndex, at: offset)
    return String(decoding: rest[..<end], as: UTF8.self)
  }

  private mutating func string(at offset: Int, width: Int) throws(FlexBufferError) -> String {
    let content = try range(at: offset, width: width)
    guard content.upperBound < start + size, bytes[content.upperBound] == 0 else {
      throw .unterminated(offset: offset)
    }
    return String(decoding: bytes[content], as: UTF8.self)
  }

  private mutating func blob(at offset: Int, width: Int) throws(FlexBufferError) -> [UInt8] {
    Array(bytes[try range(at: offset, width: width)])
  }

  /// The bytes at `offset`, as many as the size in front of them says.
  private mutating func range(at offset: Int, width: Int) throws(FlexBufferError) -> Range<Int> {
    let count = try unsigned(at: offset - width, width: width)
    guard count <= UInt64(size - offset) else {
      throw .truncated(offset: offset, count: Int(clamping: count), size: size)
    }
    try countText(Int(count), at: offset)
    return start + offset..<start + offset + Int(count)
  }

  private mutating func countText(_ count: Int, at offset: Int) throws(FlexBufferError) {
    guard count <= ModelLimits.flexText - textCount else {
      throw .tooMuchText(offset: offset, count: count, limit: ModelLimits.flexText)
    }
    textCount += count
  }

  private func unsigned(at offset: Int, width: Int) throws(FlexBufferError) -> UInt64 {
    guard offset >= 0, offset <= size - width else {
      throw .truncated(offset: offset, count: width, size: size)
    }
    var value: UInt64 = 0
    for index in (0..<width).reversed() {
      value = value << 8 | UInt64(bytes[start + offset + index])
    }
    return value
  }

  private func signed(at offset: Int, width: Int) throws(FlexBufferError) -> Int64 {
    let unused = 64 - 8 * width
    return Int64(bitPattern: try unsigned(at: offset, width: width) << UInt64(unused)) >> unused
  }

  private func float(at offset: Int, width: Int) throws(FlexBufferError) -> Double {
    let bits = try unsigned(at: offset, width: width)
    switch width {
    case 8: return Double(bitPattern: bits)
    case 4: return Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
    case 2: return Double(half: UInt16(truncatingIfNeeded: bits))
    default: throw .width(offset: offset, found: width)
    }
  }
}

extension Double {
  /// The value of an IEEE 754 half.
  fileprivate init(half bits: UInt16) {
    let exponent = Int(bits >> 10 & 0x1F)
    let fraction = Double(bits & 0x3FF)
    let magnitude: Double
    switch exponent {
    case 0: magnitude = fraction * 0x1p-24
    case 0x1F: magnitude = fraction == 0 ? .infinity : .nan
    default: magnitude = Double(sign: .plus, exponent: exponent - 25, significand: fraction + 1024)
    }
    self = bits >> 15 == 0 ? magnitude : -magnitude
  }
}
