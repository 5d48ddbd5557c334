//===--- MaxPoolWithArgmax.swift - max pooling with indices ---------------===//
//
// y[p, c] = clamp(maximum over taps t of x[p + t, c]); t[p, c] = the tap of the maximum, row by
// row, plus a tenth, so that a cast to an integer returns the tap.
//
// Contract  MediaPipe's MaxPoolingWithArgmax2D. Only taps within the image count; taps are numbered
//           in the filter's memory order, including those outside the image. The first of equal
//           elements wins. If no element is above the lowest finite float, the result is that float
//           and tap 0.
// Cost      outputs · taps.
//===----------------------------------------------------------------------===//

import MartletBase

extension Reference {
  package static func maxPoolWithArgmax(
    _ input: UnsafeMutableBufferPointer<Float>, _ window: SlidingWindow, depth: Int,
    clampedTo range: ClosedRange<Float>, into output: UnsafeMutableBufferPointer<Float>,
    taps: UnsafeMutableBufferPointer<Float>, workers: Workers = .serial
  ) {
    let work = window.rows.filter &* window.columns.filter &* depth
    workers.split(window.outputCount, grain: (1 << 15) / max(work, 1)) { part in
      for i in part {
        let start = i &* depth
        for result in start..<start &+ depth {
          output[result] = -Float.greatestFiniteMagnitude
          taps[result] = 0.1
        }
        window.forEachTap(ofOutput: i) { pixel, tap in
          let place = Float(tap) + 0.1
          for channel in 0..<depth {
            let x = input[pixel &* depth &+ channel]
            if x > output[start &+ channel] {
              output[start &+ channel] = x
              taps[start &+ channel] = place
            }
          }
        }
        for result in start..<start &+ depth {
          output[result] = min(max(output[result], range.lowerBound), range.upperBound)
        }
      }
    }
  }
}
