//===--- MaxUnpool.swift - inverse max pooling ----------------------------===//
//
// The inverse of max pooling: elements return to their original positions; all others are zero.
//
// Contract  MediaPipe's MaxUnpooling2D: places are taps of the pool's windows, as floats; taps
//           outside the result are ignored. TensorFlow's operator of that name: places are indices
//           into the result's image, as integers; if one is out of range, an error is returned before
//           writing. If two elements share a place, the later one wins.
// Cost      One pass over the output and one over the input.
//===----------------------------------------------------------------------===//

import MartletBase

/// One axis of an inverted pool.
package struct UnpoolAxis: Sendable {
  package let input: Int
  package let output: Int
  package let filter: Int
  package let stride: Int
  /// The number of padding elements before the image in the first window.
  let border: Int

  /// The axis of MediaPipe's operator; the result has `input` times `filter` elements.
  ///
  /// - Precondition: All parameters are below 2³¹.
  package init(input: Int, filter: Int, stride: Int) {
    self.input = input
    self.output = input * filter
    self.filter = filter
    self.stride = stride
    self.border = max((input - 1) * stride + filter - output, 0) / 2
  }
}

extension Reference {
  /// Writes elements to the taps of the windows of `rows` by `columns`.
  package static func maxUnpool(
    _ input: UnsafeMutableBufferPointer<Float>, taps: UnsafeMutableBufferPointer<Float>,
    rows: UnpoolAxis, columns: UnpoolAxis, depth: Int,
    into output: UnsafeMutableBufferPointer<Float>, workers: Workers = .serial
  ) {
    output.update(repeating: 0)
    let width = Int32(truncatingIfNeeded: columns.filter)
    // Channel by channel: if windows overlap, the last one's element is kept.
    workers.split(depth, grain: (1 << 15) / max(input.count / max(depth, 1), 1)) { channels in
      for pixel in 0..<input.count / max(depth, 1) {
        let (line, column) = pixel.quotientAndRemainder(dividingBy: columns.input)
        let (image, row) = line.quotientAndRemainder(dividingBy: rows.input)
        let top = row * rows.stride - rows.border
        let left = column * columns.stride - columns.border
        for channel in channels {
          let i = pixel &* depth &+ channel
          // NaN, or a float beyond 2³¹, is not a valid tap.
          guard taps[i].magnitude < 0x1p31 else { continue }
          let (down, right) = Int32(taps[i]).quotientAndRemainder(dividingBy: width)
          let y = top + Int(down)
          let x = left + Int(right)
          guard y >= 0, y < rows.output, x >= 0, x < columns.output else { continue }
          output[((image * rows.output + y) * columns.output + x) * depth + channel] = input[i]
        }
      }
    }
  }

  /// Writes elements to positions in their image of the result, which has `run` elements.
  package static func maxUnpool(
    _ input: UnsafeMutableBufferPointer<Float>, places: UnsafeMutableBufferPointer<Int32>,
    batches: Int, run: Int, into output: UnsafeMutableBufferPointer<Float>
  ) throws(IndexOutOfRange) {
    for place in places where place < 0 || Int(place) >= run {
      throw IndexOutOfRange(found: Int(place), limit: run)
    }
    output.update(repeating: 0)
    let count = input.count / max(batches, 1)
    for i in input.indices { output[i / count * run + Int(places[i])] = input[i] }
  }
}
