//===--- ResizeTaps.swift - taps of bilinear resizing ---------------------===//
//
// Bilinear resizing reads two adjacent pixels along each axis. Their positions are computed once
// for all rows and columns.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletMicrokernels

extension ResizeAxis {
  /// The taps of all outputs; adjacent pixels are `pitch` elements apart.
  func taps(pitch: Int) -> [ResizeTap<Float>] {
    (0..<output).map { index in
      let (lower, upper, place) = neighbors(of: index)
      return ResizeTap(
        lower: lower &* pitch, upper: upper &* pitch, weight: place - Float(lower))
    }
  }

  /// The taps in units of 2⁻¹⁰, or `nil` if a position is more than a pixel from its neighbors.
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
  /// The bytes of the taps of rows and columns.
  package var tapByteCount: Int {
    (rows.output + columns.output) * MemoryLayout<ResizeTap<Float>>.stride
  }
}
