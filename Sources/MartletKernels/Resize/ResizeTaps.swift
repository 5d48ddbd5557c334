//===--- ResizeTaps.swift - where output pixels look along an axis --------===//
//
// Bilinear resizing takes two neighbors along each axis: worked out beforehand, once for all rows
// and all columns.
//
// Checked   Tests/MartletKernelsTests/BilinearResizeTests.swift
//===----------------------------------------------------------------------===//

import MartletMicrokernels
import MartletReference

extension ResizeAxis {
  /// The taps of all outputs; neighboring pixels are `pitch` elements apart.
  func taps(pitch: Int) -> [ResizeTap<Float>] {
    (0..<output).map { index in
      let (lower, upper, place) = neighbors(of: index)
      return ResizeTap(
        lower: lower &* pitch, upper: upper &* pitch, weight: place - Float(lower))
    }
  }

  /// The same in units of 2⁻¹⁰, or `nil` if a place is more than a pixel from its neighbors.
  func fixedTaps(pitch: Int) -> [ResizeTap<Int32>]? {
    var taps: [ResizeTap<Int32>] = []
    for index in 0..<output {
      let (lower, upper, place) = fixedNeighbors(of: index)
      let weight = place &- lower &* 1024
      guard (-1024...1024).contains(weight) else { return nil }
      taps.append(
        ResizeTap(lower: lower &* pitch, upper: upper &* pitch, weight: Int32(weight)))
    }
    return taps
  }
}

extension Resize {
  /// The bytes that the taps of rows and columns take.
  package var tapByteCount: Int {
    (rows.output + columns.output) * MemoryLayout<ResizeTap<Float>>.stride
  }
}
