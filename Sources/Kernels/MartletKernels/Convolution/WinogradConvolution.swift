//===--- WinogradConvolution.swift - 3x3 convolution of bytes -------------===//
//
// Computes tiles of outputs with fewer products. The pixels of a tile and the filters are
// transformed along both axes and multiplied channel by channel; the sums are transformed back:
//
//   y = Aᵀ [Σ (G g Gᵀ) ⊙ (Bᵀ d B)] A
//
// Contract  Bit-exact with `Reference.convolve`: all numbers are integers, and 16 bits hold the
//           transformed pixels and weights.
// Cost      1/4 of the products of `Int16Convolution` and 4 times its memory for weights, or 25/36
//           and 25/9 with strides of 2.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletMicrokernels

/// A convolution of byte images with packed, transformed weights.
struct WinogradConvolution<Transform: WinogradTransform>: PackedConvolution {
  private let window: SlidingWindow
  private let depth: Int
  private let columns: Int
  private let zero: ByteZeroPoint
  private let output: OutputQuantization
  private let memory: Arena
  /// The offset in bytes of each term of a tile's packed pixels. The terms of a sum are adjacent.
  private let places: [Int]
  let panels: [Panel]
  let schedule: Schedule
  private let kernels: Microkernels

  /// Transforms the weights, OHWI; an empty bias is zero. Returns `nil` unless filters have 3 x 3
  /// taps with the transform's stride, channels fill vectors, outputs fill half a tile, and sums
  /// leave enough bits.
  ///
  /// - Precondition: the filters are as deep as the image, and no weight exceeds ±255.
  init?(
    _ convolution: Convolution, zero: ByteZeroPoint, filter: ByteWeights,
    bias: UnsafeBufferPointer<Int32>, requantizer: ByteRequantizer, workers: Int,
    kernels: Microkernels
  ) {
    let window = convolution.window
    let (depth, columns) = (convolution.inputDepth, convolution.outputDepth)
    guard case .fixed(let requantizer) = requantizer, depth.isMultiple(of: 8),
      window.rows.fits(Transform.self), window.columns.fits(Transform.self)
    else { return nil }
    for column in 0..<columns {
      var most = bias.isEmpty ? 0 : Int64(bias[column].magnitude)
      for k in column * 9 * depth..<(column + 1) * 9 * depth {
        most += 255 * Int64(filter[k].magnitude)
      }
      guard most < 1 << (31 - Transform.shift) else { return nil }
    }
    self.window = window
    self.depth = depth
    self.columns = columns
    self.zero = zero
    self.kernels = kernels
    output = requantizer.output
    let (terms, sums) = (Transform.terms, Transform.sums)
    var places = [Int](repeating: 0, count: terms * terms)
    var rows = places
    var count = 0
    for i in 0..<sums * sums {
      for row in Transform.terms(of: i / sums) {
        for column in Transform.terms(of: i % sums) {
          places[row * terms + column] = 2 * count * depth
          rows[row * terms + column] = (i + 1) * Int16Panels.fieldCount + count * depth / 2
          count += 1
        }
      }
    }
    self.places = places
    let height = sums * sums * Int16Panels.fieldCount + count * depth / 2
    panels = Panel.cut(columns: columns, widths: kernels.panelWidths, height: height)
    memory = Arena(byteCount: panels.reduce(0) { $0 + $1.width * height } * 4)
    let fields = memory.base.assumingMemoryBound(to: Int32.self)
    let center = Transform.terms(of: 1).lowerBound * (terms + 1)
    var taps = [SIMD8<Int16>](repeating: .zero, count: 9 + 3 * terms)
    for panel in panels {
      for j in 0..<panel.columns {
        let column = panel.first + j
        let place = panel.offset + j
        requantizer.multipliers[column].writeFields(at: place, stride: panel.width, in: fields)
        if !bias.isEmpty {
          fields[place + (rows[center] - Int16Panels.fieldCount) * panel.width] =
            Transform.biasFactor &* Transform.biasFactor &* bias[column]
        }
        for channel in stride(from: 0, to: depth, by: 8) {
          for tap in 0..<9 {
            for lane in 0..<8 {
              taps[tap][lane] = filter[(column * 9 + tap) * depth + channel + lane]
            }
          }
          WinogradConvolution.transform(&taps) { term, weights in
            let pairs = unsafeBitCast(weights, to: SIMD4<Int32>.self)
            for k in 0..<4 {
              fields[place + (rows[term] + channel / 2 + k) * panel.width] = pairs[k]
            }
          }
        }
      }
    }
    let tiles =
      window.batches * window.rows.tiles(of: Transform.outputs)
      * window.columns.tiles(of: Transform.outputs)
    schedule = Schedule(
      rows: tiles, panels: panels.count,
      multiplications: Schedule.product([tiles, count, columns, depth]),
      rowBytes: 2 * count * depth + 8 * sums * sums * kernels.lanes,
      tileRows: kernels.int16TileRows, workers: workers)
  }

  /// Transforms the nine taps of filters, which are followed by memory for a transform of one axis.
  @inline(__always)
  private static func transform(
    _ taps: inout [SIMD8<Int16>], into result: (_ term: Int, SIMD8<Int16>) -> Void
  ) {
    for column in 0..<3 {
      Transform.transform(weights: { taps[3 * $0 + column] }) { taps[9 + 3 * $0 + column] = $1 }
    }
    for row in 0..<Transform.terms {
      Transform.transform(weights: { taps[9 + 3 * row + $0] }) {
        result(row * Transform.terms + $0, $1)
      }
    }
  }

  /// The pairs of 16-bit integers of a tile's packed pixels.
  private var tilePairs: Int { Transform.terms &* Transform.terms &* depth / 2 }
  /// The distance between two matrices of sums.
  private var sumStride: Int { schedule.blockRows &* 2 &* kernels.lanes }

  /// Adjacent tiles.
  private struct Line {
    let image: Int
    /// The position of the first output.
    let row: Int
    let column: Int
    let tiles: Range<Int>
  }

  /// Calls `body` for each line of tiles, or part of one.
  @inline(__always)
  private func forEachLine(of tiles: Range<Int>, _ body: (Line) -> Void) {
    let lines = window.rows.tiles(of: Transform.outputs)
    let length = window.columns.tiles(of: Transform.outputs)
    var tile = tiles.lowerBound
    while tile < tiles.upperBound {
      let line = tile / length
      let end = min((line &+ 1) &* length, tiles.upperBound)
      let image = line / lines
      body(
        Line(
          image: image, row: Transform.outputs &* (line &- image &* lines),
          column: Transform.outputs &* (tile &- line &* length), tiles: tile..<end))
      tile = end
    }
  }

  // MARK: - Pixels

  @inline(__always)
  func pack(
    _ tiles: Range<Int>, of images: ByteImages, into block: UnsafeMutableRawPointer
  ) -> UnsafeRawPointer {
    if let x = images.x.baseAddress {
      var target = block
      forEachLine(of: tiles) { line in
        let top = window.rows.origin(of: line.row)
        var left = window.columns.origin(of: line.column)
        let isInside = top >= 0 && top &+ Transform.terms <= window.rows.input
        for _ in line.tiles {
          let corner =
            x + ((line.image &* window.rows.input &+ top) &* window.columns.input &+ left) &* depth
          if isInside && left >= 0 && left &+ Transform.terms <= window.columns.input {
            transform(corner, into: target) { _, _ in true }
          } else {
            transform(corner, into: target) {
              top &+ $0 >= 0 && top &+ $0 < window.rows.input && left &+ $1 >= 0
                && left &+ $1 < window.columns.input
            }
          }
          left &+= Transform.outputs &* Transform.stride
          target += 4 &* tilePairs
        }
      }
    }
    return UnsafeRawPointer(block)
  }

  /// Transforms the pixels of a tile from `corner` on.
  @inline(__always)
  private func transform(
    _ corner: UnsafeRawPointer, into target: UnsafeMutableRawPointer,
    where isInside: (_ row: Int, _ column: Int) -> Bool
  ) {
    let terms = Transform.terms
    places.withUnsafeBufferPointer { places in
      var channel = 0
      while channel < depth {
        @inline(__always) func place(_ row: Int, _ column: Int) -> UnsafeMutableRawPointer {
          target + (places[row &* terms &+ column] &+ 2 &* channel)
        }
        for row in 0..<terms {
          let start = corner + (row &* window.columns.input &* depth &+ channel)
          Transform.transform(pixels: { column in
            guard isInside(row, column) else { return SIMD8() }
            let bytes = (start + column &* depth).loadUnaligned(as: SIMD8<UInt8>.self)
            return zero.difference(bytes)
          }) {
            place(row, $0).storeBytes(of: $1, as: SIMD8<Int16>.self)
          }
        }
        for column in 0..<terms {
          Transform.transform(pixels: {
            place($0, column).loadUnaligned(as: SIMD8<Int16>.self)
          }) {
            place($0, column).storeBytes(of: $1, as: SIMD8<Int16>.self)
          }
        }
        channel &+= 8
      }
    }
  }

  // MARK: - Sums

  @inline(__always)
  func multiply(
    _ x: UnsafeRawPointer, _ tiles: Range<Int>, by panels: UnsafeBufferPointer<Panel>,
    of images: ByteImages, block: UnsafeMutableRawPointer
  ) {
    let x = x.assumingMemoryBound(to: Int32.self)
    let sums = (block + 4 &* schedule.blockRows &* tilePairs).assumingMemoryBound(to: Int32.self)
    for panel in panels {
      let start = UnsafePointer(
        (memory.base + 4 &* panel.offset).assumingMemoryBound(to: Int32.self))
      var (first, fields) = (x, start)
      for i in 0..<Transform.sums &* Transform.sums {
        let pairs =
          Transform.terms(of: i / Transform.sums).count
          &* Transform.terms(of: i % Transform.sums).count &* depth / 2
        kernels.int16GEMM(
          Int16GEMM(
            x: Matrix(first, rowStride: tilePairs), rows: tiles.count, pairs: pairs,
            panel: fields, width: panel.width,
            sums: MutableMatrix(sums + i &* sumStride, rowStride: panel.width)))
        first += pairs
        fields += (Int16Panels.fieldCount &+ pairs) &* panel.width
      }
      transformBack(sums, count: tiles.count, width: panel.width)
      requantize(UnsafePointer(sums), tiles, panel, start, into: images.y)
    }
  }

  /// The first sum of a line of outputs after `transformBack`.
  private func line(_ index: Int) -> Int {
    (index &+ Transform.outputs) % Transform.sums &* Transform.sums &* sumStride
  }

  /// Replaces the sums of the matrices by those of the outputs of `count` tiles, line by line.
  private func transformBack(_ sums: UnsafeMutablePointer<Int32>, count: Int, width: Int) {
    let step = 4 &* sumStride
    let matrices = UnsafeMutableRawPointer(sums)
    for column in 0..<Transform.sums {
      var place = matrices + column &* step
      let end = place + 4 &* count &* width
      while place < end {
        @inline(__always) func row(_ row: Int) -> UnsafeMutableRawPointer {
          place + row &* Transform.sums &* step
        }
        Transform.transform(sums: { row($0).loadUnaligned(as: SIMD4<Int32>.self) }) {
          row($0).storeBytes(of: $1, as: SIMD4<Int32>.self)
        }
        place += 16
      }
    }
    // A line takes the place of a row of matrices that is no longer needed.
    for row in 0..<Transform.outputs {
      var source = matrices + row &* Transform.sums &* step
      var target = UnsafeMutableRawPointer(sums + line(row))
      for _ in 0..<count {
        var column = 0
        while column < 4 &* width {
          Transform.transform(sums: {
            (source + ($0 &* step &+ column)).loadUnaligned(as: SIMD4<Int32>.self)
          }) {
            (target + (4 &* $0 &* width &+ column)).storeBytes(
              of: Transform.output($1, row, $0), as: SIMD4<Int32>.self)
          }
          column &+= 16
        }
        source += 4 &* width
        target += 4 &* Transform.outputs &* width
      }
    }
  }

  /// Converts the sums of the outputs of tiles to bytes.
  private func requantize(
    _ sums: UnsafePointer<Int32>, _ tiles: Range<Int>, _ panel: Panel,
    _ fields: UnsafePointer<Int32>, into y: UnsafeMutablePointer<UInt8>
  ) {
    let outputs = Transform.outputs
    let (height, width) = (window.rows.output, window.columns.output)
    forEachLine(of: tiles) { tileLine in
      let first = (tileLine.tiles.lowerBound &- tiles.lowerBound) &* outputs &* panel.width
      // The last tiles have fewer rows or columns.
      for row in 0..<min(outputs, height &- tileLine.row) {
        let pixel =
          (tileLine.image &* height &+ tileLine.row &+ row) &* width &+ tileLine.column
        kernels.int32Requantize(
          Int32Requantize(
            sums: Matrix(sums + (line(row) &+ first), rowStride: panel.width),
            rows: min(outputs &* tileLine.tiles.count, width &- tileLine.column), panel: fields,
            width: panel.width,
            y: MutableMatrix(y + (pixel &* columns &+ panel.first), rowStride: columns),
            columns: panel.columns, output: output))
      }
    }
  }
}

extension WindowAxis {
  fileprivate func fits(_ transform: (some WinogradTransform).Type) -> Bool {
    filter == 3 && stride == transform.stride && dilation == 1 && 2 * output > transform.outputs
  }

  /// The number of tiles of `outputs` outputs.
  fileprivate func tiles(of outputs: Int) -> Int { (output &+ outputs &- 1) / outputs }
}
