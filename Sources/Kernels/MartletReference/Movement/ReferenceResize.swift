//===--- ReferenceResize.swift - image resizing ---------------------------===//
//
// RESIZE_BILINEAR: each output pixel is the weighted mean of the four input pixels around its
// position. RESIZE_NEAREST_NEIGHBOR: each is the nearest input pixel.
//
// Contract  Bit for bit LiteRT on integers: int8 and int16 with positions in steps of 2⁻¹⁰, uint8
//           in single precision, rounded by adding a half. Batches, rows, columns, channels.
// Order     Upper left, lower left, upper right, lower right.
// Cost      Four products for each output element.
//===----------------------------------------------------------------------===//

import MartletBase

extension Resize {
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
