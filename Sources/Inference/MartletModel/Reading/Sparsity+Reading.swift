//===--- Sparsity+Reading.swift - reading a sparse layout -----------------===//
//
// A tensor of n axes, k of them split into blocks, is stored as n + k levels in traversal order. A
// dense level has all its entries for each entry of the level above. A compressed level has, for
// entry e above, the indices in segments[e]..<segments[e + 1].
//
// Contract  A `Sparsity` that exists can be expanded without further checks: the order is a
//           permutation, every index is inside its level's extent, and the levels together store
//           `storedCount` elements.
// Source    Chou, Kjolstad and Amarasinghe, Format Abstraction for Sparse Tensor Algebra
//           Compilers, OOPSLA 2018.
//===----------------------------------------------------------------------===//

extension Sparsity {
  /// Reads the layout that `table` describes, for a tensor of this shape.
  init(_ table: SchemaTable, shape: Shape) throws(ModelError) {
    let blockMap = try table.int32s(1) ?? []
    // Expanding recurses once for each level.
    guard blockMap.count <= ModelLimits.sparseBlocks else {
      throw .sparseAxes(table.place, found: blockMap.count, expected: ModelLimits.sparseBlocks)
    }
    for axis in blockMap { try table.check(axis, of: .axis, count: shape.rank) }
    let order = try table.int32s(0) ?? []
    let axisCount = shape.rank + blockMap.count
    try table.checkPermutation(order, axisCount: axisCount)
    let tables = try table.tables(2) { _ in table.place }
    guard tables.count == axisCount else {
      throw .sparseAxes(table.place, found: tables.count, expected: axisCount)
    }
    var levels: [SparsityLevel] = []
    for (level, table) in tables.enumerated() { levels.append(try table.sparsityLevel(level)) }
    self.init(traversalOrder: order, blockMap: blockMap, levels: levels)
    try checkExtents(of: shape, at: table.place)
  }

  /// The number of elements that all levels together store.
  var storedCount: Int {
    var count = 1
    for level in levels {
      switch level {
      case .dense(let size):
        // `checkExtents` has made sure that this does not overflow.
        count *= size
      case .compressed(_, let indices):
        count = indices.count
      }
    }
    return count
  }

  /// The extents of the levels' axes: the tensor's axes in blocks, then the axes of the blocks.
  private func axisExtents(of shape: Shape) -> [Int] {
    var extents = shape.dimensions
    extents += blockMap.map { _ in 1 }
    for (level, axis) in zip(levels, traversalOrder) where axis >= shape.rank {
      // A compressed level does not store its extent, so inside a block it stays 1.
      guard case .dense(let size) = level, size > 0 else { continue }
      extents[axis] = size
      extents[blockMap[axis - shape.rank]] /= size
    }
    return extents
  }

  /// Throws unless each level's entries are inside its axis and match the level above.
  private func checkExtents(of shape: Shape, at place: ModelPlace) throws(ModelError) {
    let extents = axisExtents(of: shape)
    var count = 1
    for (number, level) in levels.enumerated() {
      let extent = extents[traversalOrder[number]]
      switch level {
      case .dense(let size):
        guard size == extent else {
          throw .sparseIndex(place, level: number, found: size)
        }
        let (product, overflow) = count.multipliedReportingOverflow(by: size)
        guard !overflow else { throw .tooLarge(place, rank: levels.count) }
        count = product
      case .compressed(let segments, let indices):
        guard segments.count == count + 1 else {
          throw .sparseSegments(place, level: number, found: segments.count, expected: count + 1)
        }
        for index in indices where index >= extent {
          throw .sparseIndex(place, level: number, found: index)
        }
        count = indices.count
      }
    }
  }
}

extension SchemaTable {
  /// Throws unless `order` contains each of `axisCount` axes once.
  fileprivate func checkPermutation(_ order: [Int], axisCount: Int) throws(ModelError) {
    guard order.count == axisCount else {
      throw .sparseAxes(place, found: order.count, expected: axisCount)
    }
    var seen = [Bool](repeating: false, count: axisCount)
    for axis in order {
      try check(axis, of: .axis, count: axisCount)
      guard !seen[axis] else { throw .indexOutOfRange(.axis, place, index: axis, count: axisCount) }
      seen[axis] = true
    }
  }

  /// Reads this table as the metadata of a level.
  fileprivate func sparsityLevel(_ level: Int) throws(ModelError) -> SparsityLevel {
    let format = try uint8(0)
    switch format {
    case 0:
      let size = try int32(1)
      guard size >= 0 else { throw .sparseIndex(place, level: level, found: size) }
      return .dense(size: size)
    case 1:
      return try compressedLevel(level)
    default:
      throw .unknownValue(.sparseFormat, place, found: Int(Int8(bitPattern: format)))
    }
  }

  private func compressedLevel(_ level: Int) throws(ModelError) -> SparsityLevel {
    let segments = try sparseIndices(2)
    let indices = try sparseIndices(4)
    var previous = 0
    for (entry, segment) in segments.enumerated() {
      guard segment >= previous, entry > 0 || segment == 0 else {
        throw .sparseSegments(place, level: level, found: segment, expected: previous)
      }
      previous = segment
    }
    guard previous == indices.count else {
      throw .sparseSegments(place, level: level, found: previous, expected: indices.count)
    }
    for index in indices where index < 0 {
      throw .sparseIndex(place, level: level, found: index)
    }
    return .compressed(segments: segments, indices: indices)
  }

  /// Reads a union of index vectors of three widths.
  private func sparseIndices(_ field: Int) throws(ModelError) -> [Int] {
    guard let (tag, table) = try union(field) else { throw .missing(.sparseIndices, place) }
    switch tag {
    case 1: return try table.int32s(0) ?? []
    case 2: return try table.uint16s(0)?.map { Int($0) } ?? []
    case 3: return try table.uint8s(0)?.map { Int($0) } ?? []
    default: throw .unknownValue(.sparseIndexType, place, found: Int(tag))
    }
  }
}
