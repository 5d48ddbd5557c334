//===--- JPEGUnitCanvas.swift - drawing on a minimum coded unit -----------===//
//
// coefficients ▶ samples ▶ planes of the unit's size ▶ patches ▶ samples ▶ coefficients
//
// Contract  Chrominance samples are repeated for drawing and averaged afterwards, so that those of
//           pixels without a patch are unchanged.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletImage
import MartletKernels
import MartletMicrokernels

/// A part of a patch in one unit.
struct JPEGUnitPatch {
  /// The columns and rows within the unit.
  let left, right, top, bottom: UInt8
  let y, cb, cr: UInt8
  let share: UInt8

  /// The patches of a drawing on each unit of `columns` by `rows` pixels.
  static func patches(
    _ drawing: Drawing, columns: Int, rows: Int, unitsPerLine: Int, lines: Int
  ) -> [[JPEGUnitPatch]] {
    var units = [[JPEGUnitPatch]](repeating: [], count: unitsPerLine * lines)
    for patch in drawing.patches {
      let (y, cb, cr) = patch.color.yCbCr
      for line in patch.rows.lowerBound / rows...(patch.rows.upperBound - 1) / rows {
        let top = max(patch.rows.lowerBound - line * rows, 0)
        let bottom = min(patch.rows.upperBound - line * rows, rows)
        for unit in patch.columns.lowerBound / columns...(patch.columns.upperBound - 1) / columns {
          let left = max(patch.columns.lowerBound - unit * columns, 0)
          let right = min(patch.columns.upperBound - unit * columns, columns)
          units[line * unitsPerLine + unit].append(
            JPEGUnitPatch(
              left: UInt8(left), right: UInt8(right), top: UInt8(top), bottom: UInt8(bottom),
              y: y, cb: cb, cr: cr, share: patch.share))
        }
      }
    }
    return units
  }
}

/// The blocks and the planes of a unit. Pointers stay within its arenas.
final class JPEGUnitCanvas {
  /// The side and the area of the largest unit.
  private static let side = 16
  private static let area = side * side

  /// The quantized coefficients of the unit before drawing, which clears them.
  let blocks: JPEGBlocks
  private let components: [JPEGEncoderComponent]
  private let horizontal, vertical: Int
  /// The quantization tables in natural order.
  private let quantization: [UnmanagedMemory<Int16>]
  /// Three planes, then a block of samples.
  private let planes = Arena(byteCount: 3 * area + 64)
  /// The quantized coefficients after drawing, in columns.
  private let results = Arena(byteCount: 6 * 128)

  init(_ headers: JPEGEncoderHeaders) {
    components = headers.components
    (horizontal, vertical) = headers.sampling
    blocks = JPEGBlocks(count: horizontal * vertical + 2, side: 8)
    quantization = components.map { component in
      let table = UnmanagedMemory<Int16>(zeros: 64)
      for (index, divisor) in component.divisors.enumerated() { table[index] = Int16(divisor) }
      return table
    }
  }

  deinit {
    unsafe blocks.deallocate()
    for table in quantization { unsafe table.deallocate() }
  }

  private func plane(_ component: Int) -> UnsafeMutablePointer<UInt8> {
    unsafe (planes.base + Self.area * component).assumingMemoryBound(to: UInt8.self)
  }

  /// The coefficients of a block after drawing.
  func coefficients(_ block: Int) -> UnsafeMutablePointer<Int16> {
    unsafe (results.base + 128 * block).assumingMemoryBound(to: Int16.self)
  }

  /// Draws on the unit whose coefficients are in `blocks`.
  func draw(_ patches: [JPEGUnitPatch]) {
    let luminance = horizontal * vertical
    let samples = unsafe plane(3)
    for line in 0..<vertical {
      unsafe blocks.transform(
        line * horizontal, count: horizontal, quantization[0],
        to: plane(0) + 8 * Self.side * line, stride: Self.side)
    }
    for component in 1...2 {
      unsafe blocks.transform(
        luminance + component - 1, count: 1, quantization[component], to: samples, stride: 8)
      unsafe repeated(samples, to: plane(component))
    }
    blocks.clear(0, count: luminance + 2)
    for patch in patches { paint(patch) }
    for line in 0..<vertical {
      unsafe components[0].transform(
        plane(0) + 8 * Self.side * line, stride: Self.side, count: horizontal,
        to: coefficients(line * horizontal))
    }
    for component in 1...2 {
      unsafe averaged(plane(component), to: samples)
      unsafe components[component].transform(
        samples, stride: 8, count: 1, to: coefficients(luminance + component - 1))
    }
  }

  private func paint(_ patch: JPEGUnitPatch) {
    let (left, count) = (Int(patch.left), Int(patch.right - patch.left))
    for (component, sample) in [patch.y, patch.cb, patch.cr].enumerated() {
      for row in Int(patch.top)..<Int(patch.bottom) {
        let pixels = unsafe plane(component) + Self.side * row + left
        if patch.share == 255 {
          unsafe pixels.update(repeating: sample, count: count)
        } else {
          for x in 0..<count {
            unsafe pixels[x] = ColoredRectangle.mixed(pixels[x], sample, share: patch.share)
          }
        }
      }
    }
  }

  /// Repeats a block of chrominance samples for each pixel.
  private func repeated(
    _ samples: UnsafePointer<UInt8>, to plane: UnsafeMutablePointer<UInt8>
  ) {
    for y in 0..<8 {
      let row = unsafe plane + Self.side &* vertical &* y
      for x in 0..<8 {
        let sample = unsafe samples[8 &* y &+ x]
        unsafe row[horizontal &* x] = sample
        if horizontal > 1 { unsafe row[2 &* x &+ 1] = sample }
      }
      if vertical > 1 { unsafe (row + Self.side).update(from: row, count: Self.side) }
    }
  }

  /// Averages a plane to a block of chrominance samples.
  private func averaged(
    _ plane: UnsafePointer<UInt8>, to samples: UnsafeMutablePointer<UInt8>
  ) {
    let (right, below) = (horizontal &- 1, Self.side &* (vertical &- 1))
    for y in 0..<8 {
      let row = unsafe plane + Self.side &* vertical &* y
      for x in 0..<8 {
        // Without a second column or row, the first one counts twice.
        let first = unsafe row + horizontal &* x
        let sum =
          unsafe UInt16(first[0]) &+ UInt16(first[right]) &+ UInt16(first[below])
          &+ UInt16(first[below &+ right])
        unsafe samples[8 &* y &+ x] = UInt8(truncatingIfNeeded: (sum &+ 2) &>> 2)
      }
    }
  }
}

extension RGBImage.Color {
  /// The color in T.871's YCbCr, rounded to nearest.
  fileprivate var yCbCr: (y: UInt8, cb: UInt8, cr: UInt8) {
    let (red, green, blue) = (Int(red), Int(green), Int(blue))
    let y = (19_595 * red + 38_470 * green + 7_471 * blue + 32_768) >> 16
    let cb = (-11_059 * red - 21_709 * green + 32_768 * blue + 8_421_375) >> 16
    let cr = (32_768 * red - 27_439 * green - 5_329 * blue + 8_421_375) >> 16
    return (UInt8(y), UInt8(cb), UInt8(cr))
  }
}
