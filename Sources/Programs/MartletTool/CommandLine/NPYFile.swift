//===--- NPYFile.swift - arrays of NumPy ----------------------------------===//
//
// Contract  Reads versions 1 to 3, little-endian numbers and Booleans in the order of C. Any bytes
//           return an array or throw an `NPYError`.
// Source    numpy.lib.format
//===----------------------------------------------------------------------===//

import MartletBase

/// Why bytes are not used as an array.
enum NPYError: Error, Equatable {
  case header
  /// The type of the elements in NumPy's notation.
  case type(String)
  case fortranOrder
  case byteCount(found: Int, expected: Int)
  /// An array of another type or shape than the tensor's.
  case tensor(found: String, expected: String)
}

extension NPYError: CustomStringConvertible {
  var description: String {
    switch self {
    case .header: "the header of the .npy file is damaged"
    case .type(let type):
      "expected little-endian numbers, found the type \(type); convert it with astype(\"<f4\")"
    case .fortranOrder:
      "expected elements in the order of C, found Fortran's; save numpy.ascontiguousarray(array)"
    case .byteCount(let found, let expected):
      "expected \(expected) bytes of elements, found \(found)"
    case .tensor(let found, let expected): "expected \(expected), found \(found)"
    }
  }
}

/// An array in a `.npy` file.
struct NPYFile {
  let type: ElementType
  let shape: [Int]
  /// The elements, as they are in a tensor's memory.
  let elements: [UInt8]

  private static let magic: [UInt8] = [0x93] + Array("NUMPY".utf8)
  private static let types: KeyValuePairs<String, ElementType> = [
    "<f2": .float16, "<f4": .float32, "<f8": .float64, "<c8": .complex64, "|i1": .int8,
    "<i2": .int16, "<i4": .int32, "<i8": .int64, "|u1": .uint8, "<u2": .uint16, "<u4": .uint32,
    "<u8": .uint64, "|b1": .bool,
  ]

  /// Whether a file begins as an array does.
  static func matches(_ bytes: [UInt8]) -> Bool { bytes.starts(with: magic) }

  init(_ bytes: [UInt8]) throws(NPYError) {
    let version = bytes.count > 11 ? bytes[6] : 0
    guard NPYFile.matches(bytes), (1...3).contains(version) else { throw .header }
    let start = version == 1 ? 10 : 12
    let length = bytes[8..<start].reversed().reduce(0) { $0 << 8 | Int($1) }
    guard length <= bytes.count - start else { throw .header }
    // In `{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2), }` all names are in quotation marks.
    let parts = String(decoding: bytes[start..<start + length], as: UTF8.self).split(separator: "'")
    func value(_ name: String, _ distance: Int = 1) throws(NPYError) -> Substring {
      guard let index = parts.firstIndex(where: { $0 == name }), index + distance < parts.count
      else { throw .header }
      return parts[index + distance]
    }
    let descriptor = try value("descr", 2)
    let extents = try value("shape").drop { $0 != "(" }
    let isFortran = try value("fortran_order").contains("T")
    let sides = extents.dropFirst().prefix { $0 != ")" }.split(separator: ",")
      .map { Int($0.filter { $0 != " " }) }
    shape = sides.compactMap(\.self)
    guard shape.count == sides.count else { throw .header }
    guard let type = NPYFile.types.first(where: { $0.key == descriptor })?.value else {
      throw .type(String(descriptor))
    }
    self.type = type
    guard !isFortran || shape.count < 2 else { throw .fortranOrder }
    let count = Shape(checking: shape)?.elementCount
    elements = Array(bytes[(start + length)...])
    let expected = count.flatMap { type.byteCount(of: $0) } ?? -1
    guard expected == elements.count else {
      throw .byteCount(found: elements.count, expected: expected)
    }
  }

  /// The elements for a tensor.
  func elements(of type: ElementType, shape: Shape) throws(NPYError) -> [UInt8] {
    guard self.type == type, self.shape == Array(shape.dimensions) else {
      throw .tensor(found: "\(self.type) \(self.shape)", expected: "\(type) \(shape)")
    }
    return elements
  }
}
