//===--- Shape.swift - the extents of a tensor ----------------------------===//
//
// Up to eight extents, row-major, the last axis innermost: images are NHWC.
//
// Contract  Extents are 0...Int32.max and their product fits an Int: a shape that exists is safe
//           to multiply out. A scalar has rank 0 and one element.
// Cost      A trivial value: copying it touches no reference count, so kernels may hold it.
// Checked   Tests/MartletTensorTests/ShapeTests.swift
//===----------------------------------------------------------------------===//

/// The extents of a tensor, outermost first.
public struct Shape: Sendable, Hashable {
  /// The largest number of axes, as in LiteRT's runtime shapes.
  public static let maximumRank = 8

  /// The number of axes.
  public let rank: Int
  /// The product of all extents; 1 for a scalar.
  public let elementCount: Int

  @usableFromInline
  var extents: SIMD8<Int32>

  /// A shape of the given extents, or `nil` if there are more than eight, one is negative or
  /// beyond `Int32.max`, or their product overflows.
  public init?(checking extents: [Int]) {
    guard extents.count <= Shape.maximumRank else { return nil }
    var lanes = SIMD8<Int32>(repeating: 1)
    var count = 1
    for (axis, extent) in extents.enumerated() {
      guard extent >= 0, let lane = Int32(exactly: extent) else { return nil }
      lanes[axis] = lane
      let (product, overflow) = count.multipliedReportingOverflow(by: extent)
      guard !overflow else { return nil }
      count = product
    }
    // Zero extents hide an overflow of the others; strides are products of those.
    guard count > 0 || Shape.fits(extents.filter { $0 != 0 }) else { return nil }
    self.rank = extents.count
    self.extents = lanes
    self.elementCount = count
  }

  /// A shape of extents that the caller knows to be valid.
  ///
  /// - Precondition: what `init(checking:)` checks.
  public init(_ extents: [Int]) {
    guard let shape = Shape(checking: extents) else { preconditionFailure("invalid extents") }
    self = shape
  }

  /// A shape of extents that the caller knows to be valid.
  public init(_ extents: Int...) { self.init(extents) }

  private static func fits(_ extents: [Int]) -> Bool {
    var count = 1
    for extent in extents {
      let (product, overflow) = count.multipliedReportingOverflow(by: extent)
      if overflow { return false }
      count = product
    }
    return true
  }

  /// The extent of `axis`, counted from the outermost.
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

  /// The same extents behind leading axes of extent 1, until there are `rank` axes.
  ///
  /// - Precondition: `self.rank <= rank <= 8`.
  package func extended(to rank: Int) -> Shape {
    Shape([Int](repeating: 1, count: rank - self.rank) + dimensions)
  }

  /// The index of an axis that may be counted from the end (-1 is the last), or `nil` if there is
  /// no such axis.
  package func axis(_ index: Int) -> Int? {
    let axis = index < 0 ? index + rank : index
    return axis >= 0 && axis < rank ? axis : nil
  }
}

extension Shape: CustomStringConvertible {
  /// The extents as `[1, 224, 224, 3]`.
  public var description: String {
    "[" + dimensions.map { String($0) }.joined(separator: ", ") + "]"
  }
}
