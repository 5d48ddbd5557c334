//===--- TimeBound.swift - the processor time that a decoder may take -----===//
//
//   0.1 s + 1 s per MB of the file + 1 s per 100 million pixels
//
// Contract  The time is that of the processor, so other processes have no effect. Sanitizers and
//           coverage make decoders slower: the bound is multiplied by `slowdown`. There is no clock in
//           WebAssembly, and no bound.
//===----------------------------------------------------------------------===//

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The bound of the time for decoding a file.
enum TimeBound {
  /// How many times as long decoding takes with libFuzzer and the address sanitizer as in a release
  /// build: 10 to 20 were measured for GIF, TIFF and MJPEG inputs near the bound.
  private static let slowdown = 20.0

  /// Calls `body`, which decodes `byteCount` bytes and returns the number of pixels. It is a finding
  /// if this takes too long.
  static func check<Result>(
    _ byteCount: Int, _ body: () -> Result, pixels: (Result) -> Int
  ) -> Result {
    let start = seconds
    let result = body()
    let time = seconds - start
    let bound = 0.1 + Double(byteCount) / 1e6 + Double(pixels(result)) / 1e8
    guard time <= slowdown * bound else {
      fatalError(
        """
        \(byteCount) bytes with \(pixels(result)) pixels take \(Int(time * 1000)) ms, at most \
        \(Int(slowdown * bound * 1000)) expected
        """)
    }
    return result
  }

  /// The processor time of the process.
  private static var seconds: Double {
    #if canImport(Glibc) || canImport(Darwin)
      var time = timespec()
      clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
      return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    #else
      return 0
    #endif
  }
}
