//===--- FlexBuffer+Reading.swift - from bytes to values ------------------===//
//
// The last byte of a FlexBuffer is the width of the root value; the byte before it is the root's
// packed type: four times the type, plus the logarithm of the width of the value it refers to. The
// root value precedes both. Offsets point backward. A vector's size precedes its first element; the
// packed types of its elements follow the last one. A map is a vector of values with a sorted
// vector of keys.
//
// Contract  Reads stay in the range. The number of values and their depth are limited, because
//           values may be shared.
//===----------------------------------------------------------------------===//

extension FlexBuffer {
  /// Reads the value in `range`, a valid range of `bytes`.
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

  /// Returns the value in the slot at `offset`, which is `width` bytes wide.
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

  /// Reads a vector whose elements share the type that `type` states.
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

  /// Reads a vector whose element types follow its last element.
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

  /// Reads the size before a vector and counts it against the limit.
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

  /// Reads a string that ends with a zero byte.
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

  /// The byte range at `offset`, of the size stored before it.
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
