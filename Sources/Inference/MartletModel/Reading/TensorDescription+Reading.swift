//===--- TensorDescription+Reading.swift - reading a tensor ---------------===//
//
// Contract  The shape is a valid `Shape`, the type is known, and the buffer exists. A buffer that
//           is not empty holds at least the bytes of the elements; more are permitted, as in
//           LiteRT. Quantization has one scale, or one for each slice of its axis.
//===----------------------------------------------------------------------===//

extension TensorDescription {
  /// Reads the tensor that `table` describes, one of `tensorCount`.
  init(
    _ table: SchemaTable, buffers: [Range<Int>], tensorCount: Int
  ) throws(ModelError) {
    let external = try table.uint32(10)
    guard external == 0 else { throw .externalData(table.place, buffer: external) }
    let type: ElementType = try table.option(1, .elementType)
    let shape = try table.shape(0)
    let buffer = try table.uint32(2)
    try table.check(buffer, of: .buffer, count: buffers.count)
    let sparsity = try table.table(6).map { table throws(ModelError) in
      try Sparsity(table, shape: shape)
    }
    guard sparsity == nil || !(1..<8).contains(type.bitWidth) else {
      throw .sparseType(table.place, bitWidth: type.bitWidth)
    }
    let needed = try table.byteCount(of: type, shape: shape, sparsity: sparsity)
    let held = buffers[buffer].count
    guard held == 0 || held >= needed else {
      throw .dataSize(table.place, found: held, expected: needed)
    }
    let quantization = try table.table(4)
    self.init(
      name: try table.string(3) ?? "", type: type, shape: shape,
      shapeSignature: try table.int32s(7) ?? [], buffer: buffer,
      quantization: try quantization?.affine(shape: shape) ?? nil,
      details: try quantization?.details(shape: shape, tensorCount: tensorCount) ?? nil,
      isVariable: try table.bool(5), sparsity: sparsity, hasRank: try table.bool(8))
  }
}

extension SchemaTable {
  fileprivate func shape(_ field: Int) throws(ModelError) -> Shape {
    let extents = try int32s(field) ?? []
    guard extents.count <= Shape.maximumRank else {
      throw .rank(place, found: extents.count, limit: Shape.maximumRank)
    }
    for (axis, extent) in extents.enumerated() where extent < 0 {
      throw .extent(place, axis: axis, found: extent)
    }
    guard let shape = Shape(checking: extents) else {
      throw .tooLarge(place, rank: extents.count)
    }
    return shape
  }

  /// The number of bytes of the elements in a buffer.
  fileprivate func byteCount(
    of type: ElementType, shape: Shape, sparsity: Sparsity?
  ) throws(ModelError) -> Int {
    let count = sparsity?.storedCount ?? shape.elementCount
    guard let bytes = type.byteCount(of: count), type.byteCount(of: shape.elementCount) != nil
    else { throw .tooLarge(place, rank: shape.rank) }
    return bytes
  }

  /// Reads scales and zero points from quantization parameters; `nil` if there is no scale.
  fileprivate func affine(shape: Shape) throws(ModelError) -> Quantization? {
    guard let scales = try floats(2), !scales.isEmpty else { return nil }
    guard let zeroPoints = try int64s(3) else { throw .missing(.zeroPoints, place) }
    guard zeroPoints.count == scales.count else {
      throw .zeroPointCount(place, found: zeroPoints.count, expected: scales.count)
    }
    for (index, scale) in scales.enumerated() where !(scale >= 0 && scale.isFinite) {
      throw .scale(place, index: index)
    }
    for (index, zeroPoint) in zeroPoints.enumerated() where Int32(exactly: zeroPoint) == nil {
      throw .zeroPoint(place, index: index, found: zeroPoint)
    }
    return Quantization(
      scales: scales, zeroPoints: zeroPoints.map { Int($0) },
      axis: try quantizedAxis(6, shape: shape, scaleCount: scales.count))
  }

  /// The quantized axis.
  private func quantizedAxis(
    _ field: Int, shape: Shape, scaleCount: Int
  ) throws(ModelError) -> Int {
    // Some converters copy the filter's axis to the bias, which has only one axis.
    let axis = shape.rank <= 1 ? 0 : try int32(field)
    if shape.rank > 0 { try check(axis, of: .axis, count: shape.rank) }
    let sliceCount = shape.rank > 0 ? shape[axis] : 1
    guard scaleCount == 1 || scaleCount == sliceCount else {
      throw .scaleCount(place, found: scaleCount, expected: sliceCount)
    }
    return axis
  }

  /// Reads quantization details of this table, other than scales and zero points.
  fileprivate func details(
    shape: Shape, tensorCount: Int
  ) throws(ModelError) -> QuantizationDetails? {
    guard let (tag, table) = try union(4) else { return nil }
    switch tag {
    case 1: return .custom(try table.bytes(0) ?? 0..<0)
    case 2: return .blockwise(try table.blockwise(tensorCount: tensorCount))
    case 3: return .multiAxis(try table.multiAxis(shape: shape, tensorCount: tensorCount))
    default: return .other(tag: tag)
    }
  }

  private func blockwise(tensorCount: Int) throws(ModelError) -> BlockwiseQuantization {
    let scales = try int32(0)
    try check(scales, of: .tensor, count: tensorCount)
    let zeroPoints = try int32(1)
    if zeroPoints > 0 { try check(zeroPoints, of: .tensor, count: tensorCount) }
    let blockSize = try int32(2)
    guard blockSize > 0 else { throw .blockSize(place, found: blockSize) }
    return BlockwiseQuantization(
      scales: scales, zeroPoints: zeroPoints > 0 ? zeroPoints : nil, blockSize: blockSize)
  }

  private func multiAxis(
    shape: Shape, tensorCount: Int
  ) throws(ModelError) -> MultiAxisQuantization {
    let scales = try int32(0)
    try check(scales, of: .tensor, count: tensorCount)
    let zeroPoints = try int32(1)
    if zeroPoints > 0 { try check(zeroPoints, of: .tensor, count: tensorCount) }
    let blockSize = try int32(2)
    guard blockSize >= 0 else { throw .blockSize(place, found: blockSize) }
    let axes = try int32s(3) ?? []
    guard !axes.isEmpty else { throw .missing(.quantizedAxes, place) }
    for axis in axes { try check(axis, of: .axis, count: shape.rank) }
    return MultiAxisQuantization(
      scales: scales, zeroPoints: zeroPoints > 0 ? zeroPoints : nil, blockSize: blockSize,
      axes: axes)
  }
}
