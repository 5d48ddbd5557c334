//===--- WinogradConvolution.swift - 3x3 convolution of bytes -------------===//
//
// Computes 2 x 2 outputs with 16 products per pair of channels instead of 36 (Winograd's F(2x2,
// 3x3)). A tile d of 4 x 4 pixels and a filter g are transformed, multiplied channel by channel, and
// the sums transformed back:
//
//   4 y = Aᵀ [Σ (2G g 2Gᵀ) ⊙ (Bᵀ d B)] A
//
// Contract  Bit-exact with `Reference.convolve`: all numbers are integers, and 16 bits hold the
//           transformed pixels and weights.
// Cost      4/9 of the products of `Int16Convolution`, 16/9 of its memory for weights.
// Source    Lavin and Gray, Fast Algorithms for Convolutional Neural Networks, 2015
//===----------------------------------------------------------------------===//

import MartletBase
import MartletMicrokernels

/// A convolution of byte images with packed, transformed weights.
struct WinogradConvolution: PackedConvolution {
  private let window: SlidingWindow
  private let depth: Int
  private let columns: Int
  private let zero: ByteZeroPoint
  private let output: OutputQuantization
  private let memory: Arena
  let panels: [Panel]
  let schedule: Schedule
  private let kernels: Microkernels

  /// Transforms the weights, OHWI; an empty bias is zero. Returns `nil` unless filters have 3 x 3
  /// taps without strides, channels fill vectors, and four times a sum fits in 32 bits.
  ///
  /// - Precondition: the filters are as deep as the image, and no weight exceeds ±255.
  init?(
    _ convolution: Convolution, zero: ByteZeroPoint, filter: ByteWeights,
    bias: UnsafeBufferPointer<Int32>, requantizer: ByteRequantizer, workers: Int,
    kernels: Microkernels
  ) {
    let window = convolution.window
    let depth = convolution.inputDepth
    guard case .fixed(let requantizer) = requantizer, depth.isMultiple(of: 8),
      window.rows.isThreeAdjacent, window.columns.isThreeAdjacent,
      9 * depth < 1 << 12, bias.allSatisfy({ $0.magnitude < 1 << 28 })
    else { return nil }
    self.window = window
    self.depth = depth
    self.zero = zero
    self.kernels = kernels
    columns = convolution.outputDepth
    output = requantizer.output
    let height = Int16Panels.fieldCount + depth / 2
    panels = Panel.cut(columns: columns, widths: kernels.panelWidths, height: 16 * height)
    memory = Arena(byteCount: panels.reduce(0) { $0 + $1.width * 16 * height } * 4)
    let fields = memory.base.assumingMemoryBound(to: Int32.self)
    for panel in panels {
      for j in 0..<panel.columns {
        let column = panel.first + j
        let place = panel.offset + j
        requantizer.multipliers[column].writeFields(at: place, stride: panel.width, in: fields)
        var total: Int32 = 0
        for channel in 0..<depth {
          let weights = WinogradConvolution.transformed {
            filter[(column * 9 + $0) * depth + channel]
          }
          total &+= Int32(weights[5])
          for matrix in 0..<16 {
            let row = matrix * height + Int16Panels.fieldCount + channel / 2
            let word = place + row * panel.width
            fields[word] |= pair(
              channel % 2 == 0 ? weights[matrix] : 0, channel % 2 == 1 ? weights[matrix] : 0)
          }
        }
        // A sum of this matrix is part of all four outputs. Pixels keep their zero point, which the
        // differences in the other matrices remove.
        let offset = (bias.isEmpty ? 0 : bias[column]) &- Int32(zero.value) &* total
        fields[place + 5 * height * panel.width] = 4 &* offset
      }
    }
    let tiles = window.batches * window.rows.tiles * window.columns.tiles
    schedule = Schedule(
      rows: tiles, panels: panels.count,
      multiplications: Schedule.product([tiles, 16, columns, depth]),
      rowBytes: 16 * (2 * depth + 8 * kernels.lanes), tileRows: kernels.int16TileRows,
      workers: workers)
  }

  /// Returns 2G g 2Gᵀ for the nine taps of a filter.
  private static func transformed(_ tap: (Int) -> Int16) -> SIMD16<Int16> {
    var lines = SIMD16<Int16>()
    for column in 0..<3 {
      let (a, b, c) = (tap(column), tap(3 + column), tap(6 + column))
      for (row, value) in [2 * a, a + b + c, a - b + c, 2 * c].enumerated() {
        lines[4 * row + column] = value
      }
    }
    var result = SIMD16<Int16>()
    for row in 0..<4 {
      let (a, b, c) = (lines[4 * row], lines[4 * row + 1], lines[4 * row + 2])
      result[4 * row] = 2 * a
      result[4 * row + 1] = a + b + c
      result[4 * row + 2] = a - b + c
      result[4 * row + 3] = 2 * c
    }
    return result
  }

  private var pairs: Int { depth / 2 }
  /// The distance between the pixels of two matrices in a block, and between their sums.
  private var pixelStride: Int { schedule.blockRows &* pairs }
  private var sumStride: Int { schedule.blockRows &* 2 &* kernels.lanes }

  // MARK: - Pixels

  @inline(__always)
  func pack(
    _ tiles: Range<Int>, of images: ByteImages, into block: UnsafeMutableRawPointer
  ) -> UnsafeRawPointer {
    if let x = images.x.baseAddress {
      var target = block
      for tile in tiles {
        transform(tile, of: x, into: target)
        target += 2 &* depth
      }
    }
    return UnsafeRawPointer(block)
  }

  /// Transforms the pixels of a tile.
  private func transform(
    _ tile: Int, of images: UnsafeRawPointer, into target: UnsafeMutableRawPointer
  ) {
    let (rows, columns) = (window.rows, window.columns)
    let line = tile / columns.tiles
    let image = line / rows.tiles
    let top = rows.origin(of: 2 &* (line &- image &* rows.tiles))
    let left = columns.origin(of: 2 &* (tile &- line &* columns.tiles))
    let isInside = left >= 0 && left &+ 4 <= columns.input
    let border = SIMD8<Int16>(repeating: zero.value)
    let flip = SIMD8<UInt8>(repeating: zero.flip)
    var channel = 0
    while channel < depth {
      @inline(__always) func pixels(_ row: Int) -> Line {
        guard top &+ row >= 0, top &+ row < rows.input else {
          return Line(a: border, b: border, c: border, d: border).transformed
        }
        let first = (image &* rows.input &+ top &+ row) &* columns.input &+ left
        let start = images + (first &* depth &+ channel)
        @inline(__always) func pixel(_ column: Int) -> SIMD8<Int16> {
          guard isInside || (left &+ column >= 0 && left &+ column < columns.input) else {
            return border
          }
          return SIMD8(
            truncatingIfNeeded: (start + column &* depth).loadUnaligned(as: SIMD8<UInt8>.self)
              ^ flip)
        }
        return Line(a: pixel(0), b: pixel(1), c: pixel(2), d: pixel(3)).transformed
      }
      let (a, b, c, d) = (pixels(0), pixels(1), pixels(2), pixels(3))
      @inline(__always) func store(_ column: Int, _ line: Line) {
        let parts = line.transformed
        let step = 16 &* pixelStride
        let place = target + (column &* 4 &* pixelStride &+ 2 &* channel)
        place.storeBytes(of: parts.a, as: SIMD8<Int16>.self)
        (place + step).storeBytes(of: parts.b, as: SIMD8<Int16>.self)
        (place + 2 &* step).storeBytes(of: parts.c, as: SIMD8<Int16>.self)
        (place + 3 &* step).storeBytes(of: parts.d, as: SIMD8<Int16>.self)
      }
      store(0, Line(a: a.a, b: b.a, c: c.a, d: d.a))
      store(1, Line(a: a.b, b: b.b, c: c.b, d: d.b))
      store(2, Line(a: a.c, b: b.c, c: c.c, d: d.c))
      store(3, Line(a: a.d, b: b.d, c: c.d, d: d.d))
      channel &+= 8
    }
  }

  // MARK: - Sums

  @inline(__always)
  func multiply(
    _ x: UnsafeRawPointer, _ tiles: Range<Int>, by panels: UnsafeBufferPointer<Panel>,
    of images: ByteImages, block: UnsafeMutableRawPointer
  ) {
    let x = x.assumingMemoryBound(to: Int32.self)
    let sums = (block + 64 &* pixelStride).assumingMemoryBound(to: Int32.self)
    for panel in panels {
      let fields = UnsafePointer(
        (memory.base + 4 &* panel.offset).assumingMemoryBound(to: Int32.self))
      let height = Int16Panels.fieldCount &+ pairs
      for matrix in 0..<16 {
        kernels.int16GEMM(
          Int16GEMM(
            x: Matrix(x + matrix &* pixelStride, rowStride: pairs), rows: tiles.count,
            pairs: pairs, panel: fields + matrix &* height &* panel.width, width: panel.width,
            sums: MutableMatrix(sums + matrix &* sumStride, rowStride: panel.width)))
      }
      transformBack(sums, count: tiles.count &* panel.width)
      requantize(UnsafePointer(sums), tiles, panel, fields, into: images.y)
    }
  }

  /// Replaces the sums of the first four matrices by those of the four outputs of each tile.
  private func transformBack(_ sums: UnsafeMutablePointer<Int32>, count: Int) {
    let step = 4 &* sumStride
    var place = UnsafeMutableRawPointer(sums)
    let end = place + 4 &* count
    while place < end {
      @inline(__always) func column(_ index: Int) -> (SIMD4<Int32>, SIMD4<Int32>) {
        @inline(__always) func sum(_ row: Int) -> SIMD4<Int32> {
          (place + (4 &* row &+ index) &* step).loadUnaligned(as: SIMD4<Int32>.self)
        }
        let (b, c) = (sum(1), sum(2))
        return (sum(0) &+ b &+ c, b &- c &- sum(3))
      }
      let (a, b, c, d) = (column(0), column(1), column(2), column(3))
      @inline(__always) func store(_ output: Int, _ total: SIMD4<Int32>) {
        (place + output &* step).storeBytes(
          of: total &>> SIMD4(repeating: 2), as: SIMD4<Int32>.self)
      }
      store(0, a.0 &+ b.0 &+ c.0)
      store(1, b.0 &- c.0 &- d.0)
      store(2, a.1 &+ b.1 &+ c.1)
      store(3, b.1 &- c.1 &- d.1)
      place += 16
    }
  }

  /// Converts the sums of the outputs of tiles to bytes, line by line.
  private func requantize(
    _ sums: UnsafePointer<Int32>, _ tiles: Range<Int>, _ panel: Panel,
    _ fields: UnsafePointer<Int32>, into y: UnsafeMutablePointer<UInt8>
  ) {
    let (height, width) = (window.rows.output, window.columns.output)
    var tile = tiles.lowerBound
    while tile < tiles.upperBound {
      let line = tile / window.columns.tiles
      let end = min((line &+ 1) &* window.columns.tiles, tiles.upperBound)
      let image = line / window.rows.tiles
      for part in 0..<4 {
        let row = 2 &* (line &- image &* window.rows.tiles) &+ part / 2
        let column = 2 &* (tile &- line &* window.columns.tiles) &+ part % 2
        // The last tiles have one row or column if the image has an odd number.
        let count = min(end &- tile, (width &- column &+ 1) / 2)
        guard row < height, count > 0 else { continue }
        let pixel = (image &* height &+ row) &* width &+ column
        kernels.int32Requantize(
          Int32Requantize(
            sums: Matrix(
              sums + (part &* sumStride &+ (tile &- tiles.lowerBound) &* panel.width),
              rowStride: panel.width),
            rows: count, panel: fields, width: panel.width,
            y: MutableMatrix(
              y + (pixel &* columns &+ panel.first), rowStride: 2 &* columns),
            columns: panel.columns, output: output))
      }
      tile = end
    }
  }
}

/// Eight channels of four adjacent pixels.
private struct Line {
  let a, b, c, d: SIMD8<Int16>

  /// The product with B.
  @inline(__always)
  var transformed: Line { Line(a: a &- c, b: b &+ c, c: c &- b, d: b &- d) }
}

extension WindowAxis {
  fileprivate var isThreeAdjacent: Bool { filter == 3 && stride == 1 && dilation == 1 }
  /// The number of tiles, of two outputs each.
  fileprivate var tiles: Int { (output + 1) / 2 }
}
