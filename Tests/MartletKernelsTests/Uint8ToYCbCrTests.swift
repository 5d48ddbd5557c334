import MartletKernels
import MartletMicrokernels
import MartletTestSupport
import Testing

@Suite struct Uint8ToYCbCrTests {
  /// The conversion as JFIF defines it, with factors in units of 2⁻¹⁶.
  private func expected(_ pixel: ArraySlice<UInt8>) -> [UInt8] {
    let (r, g, b) = (
      Int(pixel[pixel.startIndex]), Int(pixel[pixel.startIndex + 1]),
      Int(pixel[pixel.startIndex + 2])
    )
    func rounded(_ product: Int) -> Int { (product + 1 << 15) >> 16 }
    return [
      rounded(19_595 * r + 38_470 * g + 7_471 * b),
      rounded(32_768 * b - 11_059 * r - 21_709 * g) + 128,
      rounded(32_768 * r - 27_439 * g - 5_329 * b) + 128,
    ].map { UInt8(clamping: $0) }
  }

  /// The components of pixels, each in memory filled with nines.
  private func convert(_ pixels: [UInt8], channels: Int, _ kernels: Microkernels) -> [[UInt8]] {
    var pixels = pixels
    let count = pixels.count / channels
    var components = [UInt8](repeating: 9, count: 3 * (count + 4))
    buffer(&pixels) { pixels in
      buffer(&components) { components in
        guard let source = pixels.baseAddress, let y = components.baseAddress else { return }
        let (cb, cr) = (y + count + 4, y + 2 * (count + 4))
        kernels.uint8ToYCbCr(
          Uint8ToYCbCr(pixels: source, channels: channels, count: count, y: y, cb: cb, cr: cr))
      }
    }
    return (0..<3).map { Array(components[$0 * (count + 4)..<($0 + 1) * (count + 4)]) }
  }

  private func expectExact(_ pixels: [UInt8], channels: Int) {
    let count = pixels.count / channels
    let wanted = (0..<count).map { expected(pixels[$0 * channels..<($0 + 1) * channels]) }
    for kernels in Microkernels.available {
      let components = convert(pixels, channels: channels, kernels)
      for (index, component) in components.enumerated() {
        #expect(Array(component[..<count]) == wanted.map { $0[index] })
        #expect(component[count + 3] == 9)
      }
    }
  }

  @Test(arguments: [1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 18, 19, 31, 33, 50], [3, 4])
  func rowsOfAnyLengthAreExact(count: Int, channels: Int) {
    var random = SplitMix64(seed: UInt64(count))
    expectExact(random.integers(count * channels), channels: channels)
  }

  @Test func extremeColorsAreExact() {
    let levels: [UInt8] = [0, 1, 127, 128, 254, 255]
    let pixels = levels.flatMap { r in levels.flatMap { g in levels.flatMap { [r, g, $0] } } }
    expectExact(pixels, channels: 3)
  }
}
