//===--- PackBits.swift - run-length decoding -----------------------------===//
//
// A byte n below 128 precedes n + 1 literal bytes; one above 128 a byte to repeat 257 - n times; 128
// itself has no effect.
//
// Contract  Accepts any input. A run that exceeds the output is cut.
// Source    TIFF 6.0 section 9
//===----------------------------------------------------------------------===//

/// The run-length code of TIFF.
enum PackBits {
  /// Decodes the bytes in `range` of `data` until `output` is full; returns the number of bytes
  /// written.
  static func decode(
    _ data: Span<UInt8>, _ range: Range<Int>, to output: UnsafeMutableBufferPointer<UInt8>
  ) -> Int {
    var (place, count) = (range.lowerBound, 0)
    unsafe data.extracting(0..<range.upperBound).withUnsafeBufferPointer { source in
      guard let source = source.baseAddress, let target = output.baseAddress else { return }
      while place < range.upperBound, count < output.count {
        let head = unsafe Int(source[place])
        place += 1
        if head < 128 {
          // At least as many bytes are left in the range and in the output.
          let length = min(head + 1, range.upperBound - place, output.count - count)
          unsafe (target + count).update(from: source + place, count: length)
          (place, count) = (place + length, count + length)
        } else if head > 128, place < range.upperBound {
          let length = min(257 - head, output.count - count)
          unsafe (target + count).update(repeating: source[place], count: length)
          (place, count) = (place + 1, count + length)
        }
      }
    }
    return count
  }
}
