//===--- Shape.swift - extents of a tensor --------------------------------===//
//
// Up to eight extents in row-major order, the last axis innermost. Images are NHWC.
//
// Contract  Extents are 0...Int32.max. The product of those that are not 0 is at most
//           `maximumProduct`, so strides, byte and bit offsets, and their sums over all axes do not
//           overflow. A scalar has rank 0 and one element.
// Cost      A trivial value: copying it involves no reference counting, so kernels may hold it.
//===----------------------------------------------------------------------===//

/// The extents of a tensor, outermost first.
///
/// ```swift
/// let shape = Shape(1, 224, 224, 3)
/// print(shape.rank, shape[1], shape.elementCount)  // 4 224 150528
/// ```
public struct Shape: Sendable, Hashable {
  /// The largest number of axes, as in LiteRT's runtime shapes.
  public static let maximumRank = 8
  /// The largest product of the extents that are not 0. It leaves room to count bytes of 16-byte
  /// elements, and to add several such counts.
  public static let maximumProduct = Int.max >> 8

  /// The number of axes.
  public let rank: Int
  /// The product of all extents; 1 for a scalar.
  public let elementCount: Int

  @usableFromInline
  var extents: SIMD8<Int32>

  /// Creates a shape, or returns `nil` if the extents are not valid. There may be at most eight,
  /// each in `0...Int32.max`, and the product of those that are not 0 may be at most
  /// `maximumProduct`.
  public init?(checking extents: [Int]) {
    guard extents.count <= Shape.maximumRank else { return nil }
    var lanes = SIMD8<Int32>(repeating: 1)
    // An extent of 0 makes the element count 0, but strides are products of the other extents.
    var product = 1
    for (axis, extent) in extents.enumerated() {
      guard extent >= 0, let lane = Int32(exactly: extent) else { return nil }
      lanes[axis] = lane
      guard extent > 0 else { continue }
      guard product <= Shape.maximumProduct / extent else { return nil }
      product *= extent
    }
    self.rank = extents.count
    self.extents = lanes
    self.elementCount = extents.contains(0) ? 0 : product
  }

  /// Creates a shape of valid extents, outermost first.
  ///
  /// - Precondition: `init(checking:)` accepts the extents.
  public init(_ extents: [Int]) {
    guard let shape = Shape(checking: extents) else { preconditionFailure("invalid extents") }
    self = shape
  }

  /// Creates a shape of valid extents, outermost first.
  public init(_ extents: Int...) { self.init(extents) }

  /// The extent of `axis`; 0 is the outermost axis.
  @inlinable
  public subscript(axis: Int) -> Int {
    precondition(axis >= 0 && axis < rank)
    return Int(extents[axis])
  }

  /// All extents, outermost first.
  public var dimensions: [Int] { (0..<rank).map { Int(extents[$0]) } }

  /// The product of the extents of the axes in `range`.
  package func product(_ range: Range<Int>) -> Int {
    var product = 1
    for axis in range { product &*= self[axis] }
    return product
  }

  /// Returns the index of an axis that may be counted from the end (-1 is the last), or `nil` if
  /// there is no such axis.
  package func axis(_ index: Int) -> Int? {
    let axis = index < 0 ? index + rank : index
    return axis >= 0 && axis < rank ? axis : nil
  }
}

extension Shape: CustomStringConvertible {
  /// The extents in the form `[1, 224, 224, 3]`.
  public var description: String {
    "[" + dimensions.map { String($0) }.joined(separator: ", ") + "]"
  }
}
