//===--- Resize.swift - image resizing ------------------------------------===//
//
// RESIZE_BILINEAR: each output pixel is the weighted mean of the four input pixels around its
// position. RESIZE_NEAREST_NEIGHBOR: each is the nearest input pixel.
//
// Contract  Bit for bit LiteRT on integers: int8 and int16 with positions in steps of 2⁻¹⁰, uint8
//           in single precision, rounded by adding a half. Batches, rows, columns, channels.
// Order     Upper left, lower left, upper right, lower right.
// Cost      Four products for each output element.
// Checked   Tests/MartletReferenceTests/ResizeTests.swift, operator cases
//===----------------------------------------------------------------------===//

import MartletTensor

/// The mapping of positions along one axis between two image sizes.
@usableFromInline
package struct ResizeAxis: Sendable {
  @usableFromInline
  package let input: Int
  @usableFromInline
  package let output: Int
  /// Whether the centers of the first and last pixels are kept (`align_corners`).
  @usableFromInline
  package let alignsCorners: Bool
  /// Whether a pixel's position is its center, not its corner (`half_pixel_centers`).
  @usableFromInline
  package let usesCenters: Bool

  /// - Precondition: extents are positive.
  package init(input: Int, output: Int, alignsCorners: Bool, usesCenters: Bool) {
    self.input = input
    self.output = output
    self.alignsCorners = alignsCorners
    self.usesCenters = usesCenters
  }

  @export(implementation)
  var steps: (input: Int, output: Int) {
    alignsCorners && output > 1 ? (input &- 1, output &- 1) : (input, output)
  }

  /// The two pixels around the position of output `index`, and that position.
  @export(implementation)
  package func neighbors(of index: Int) -> (lower: Int, upper: Int, place: Float) {
    let scale = Float(steps.input) / Float(steps.output)
    let place = usesCenters ? (Float(index) + 0.5) * scale - 0.5 : Float(index) * scale
    let lower = min(max(Int(VectorMath.floor(place)), 0), input &- 1)
    return (lower, min(Int(VectorMath.ceil(place)), input &- 1), place)
  }

  /// The two pixels around the position of output `index`, and that position in steps of 2⁻¹⁰.
  @export(implementation)
  package func fixedNeighbors(of index: Int) -> (lower: Int, upper: Int, place: Int) {
    let scale = (steps.input << 10 &+ steps.output / 2) / steps.output
    let place = index &* scale &+ (usesCenters ? scale / 2 &- 512 : 0)
    let lower = min(max(place / 1024, 0), input &- 1)
    return (lower, min((place &+ 1023) / 1024, input &- 1), place)
  }

  /// The pixel nearest to the position of output `index`.
  package func nearest(to index: Int) -> Int {
    let scale = Float(steps.input) / Float(steps.output)
    let place = (Float(index) + (usesCenters ? 0.5 : 0)) * scale
    let pixel = Int(alignsCorners ? VectorMath.round(place) : VectorMath.floor(place))
    return min(max(pixel, 0), input - 1)
  }
}

/// The extents of a resized batch of images.
@usableFromInline
package struct Resize: Sendable {
  @usableFromInline
  package let batches: Int
  @usableFromInline
  package let rows: ResizeAxis
  @usableFromInline
  package let columns: ResizeAxis
  @usableFromInline
  package let depth: Int

  package init(batches: Int, rows: ResizeAxis, columns: ResizeAxis, depth: Int) {
    self.batches = batches
    self.rows = rows
    self.columns = columns
    self.depth = depth
  }

  /// Calls `body` for each output pixel, in the order of memory.
  @export(implementation) @inline(__always)
  func forEachPixel(_ body: (_ batch: Int, _ row: Int, _ column: Int, _ output: Int) -> Void) {
    var output = 0
    for batch in 0..<batches {
      for row in 0..<rows.output {
        for column in 0..<columns.output {
          body(batch, row, column, output)
          output &+= depth
        }
      }
    }
  }

  /// The index of the first channel of an input pixel.
  @export(implementation) @inline(__always)
  func index(_ batch: Int, _ row: Int, _ column: Int) -> Int {
    ((batch &* rows.input &+ row) &* columns.input &+ column) &* depth
  }
}

extension Reference {
  /// Bilinear in single precision; `convert` returns the stored value.
  @export(implementation) @inline(__always)
  static func resizeBilinear<Scalar>(
    _ resize: Resize, value: (Int) -> Float, into output: UnsafeMutableBufferPointer<Scalar>,
    convert: (Float) -> Scalar
  ) {
    resize.forEachPixel { batch, row, column, start in
      let y = resize.rows.neighbors(of: row)
      let x = resize.columns.neighbors(of: column)
      let down = y.place - Float(y.lower)
      let right = x.place - Float(x.lower)
      let corners = (
        resize.index(batch, y.lower, x.lower), resize.index(batch, y.upper, x.lower),
        resize.index(batch, y.lower, x.upper), resize.index(batch, y.upper, x.upper)
      )
      for i in 0..<resize.depth {
        let first = value(corners.0 &+ i) * (1 - down) * (1 - right)
        let second = value(corners.1 &+ i) * down * (1 - right)
        let third = value(corners.2 &+ i) * (1 - down) * right
        let fourth = value(corners.3 &+ i) * down * right
        output[start &+ i] = convert(first + second + third + fourth)
      }
    }
  }

  @export(implementation)
  package static func resizeBilinear(
    _ input: UnsafeMutableBufferPointer<Float>, _ resize: Resize,
    into output: UnsafeMutableBufferPointer<Float>
  ) {
    resizeBilinear(resize, value: { input[$0] }, into: output) { $0 }
  }

  @export(implementation)
  package static func resizeBilinear(
    _ input: UnsafeMutableBufferPointer<UInt8>, _ resize: Resize,
    into output: UnsafeMutableBufferPointer<UInt8>
  ) {
    resizeBilinear(resize, value: { Float(input[$0]) }, into: output) {
      UInt8(min(max($0 + 0.5, 0), 255))
    }
  }

  /// Bilinear in steps of 2⁻²⁰, rounded to nearest, ties away from zero.
  @export(implementation)
  package static func resizeBilinear<Scalar: FixedWidthInteger>(
    fixed input: UnsafeMutableBufferPointer<Scalar>, _ resize: Resize,
    into output: UnsafeMutableBufferPointer<Scalar>
  ) {
    resize.forEachPixel { batch, row, column, start in
      let y = resize.rows.fixedNeighbors(of: row)
      let x = resize.columns.fixedNeighbors(of: column)
      let down = y.place &- y.lower &* 1024
      let right = x.place &- x.lower &* 1024
      let corners = (
        resize.index(batch, y.lower, x.lower), resize.index(batch, y.upper, x.lower),
        resize.index(batch, y.lower, x.upper), resize.index(batch, y.upper, x.upper)
      )
      for i in 0..<resize.depth {
        // 16 bits times 2²⁰ exceed 32 bits.
        var sum = Int64(input[corners.0 &+ i]) &* Int64((1024 &- down) &* (1024 &- right))
        sum &+= Int64(input[corners.1 &+ i]) &* Int64(down &* (1024 &- right))
        sum &+= Int64(input[corners.2 &+ i]) &* Int64((1024 &- down) &* right)
        sum &+= Int64(input[corners.3 &+ i]) &* Int64(down &* right)
        let rounded = (sum &+ (sum > 0 ? 1 << 19 : -1 << 19)) / (1 << 20)
        output[start &+ i] = Scalar(truncatingIfNeeded: rounded)
      }
    }
  }

  /// Elements of any type; `resize.depth` counts bytes.
  package static func resizeNearest(
    _ input: UnsafeRawPointer, _ resize: Resize, into output: UnsafeMutableRawPointer
  ) {
    resize.forEachPixel { batch, row, column, start in
      let pixel = resize.index(
        batch, resize.rows.nearest(to: row), resize.columns.nearest(to: column))
      (output + start).copyMemory(from: input + pixel, byteCount: resize.depth)
    }
  }
}
