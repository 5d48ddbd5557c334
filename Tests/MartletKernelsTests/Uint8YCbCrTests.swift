import MartletKernels
import MartletMicrokernels
import MartletTestSupport
import Testing

@Suite struct Uint8YCbCrTests {
  /// The conversion as JFIF defines it, in units of 2⁻¹⁶.
  private func expected(_ y: UInt8, _ cb: UInt8, _ cr: UInt8) -> [UInt8] {
    func rounded(_ product: Int) -> Int { (product + 1 << 15) >> 16 }
    let (y, cb, cr) = (Int(y), Int(cb) - 128, Int(cr) - 128)
    return [
      y + rounded(91881 * cr), y + rounded(-22554 * cb - 46802 * cr), y + rounded(116130 * cb),
    ].map { UInt8(clamping: $0) }
  }

  private func convert(
    _ y: [UInt8], _ cb: [UInt8], _ cr: [UInt8], count: Int, _ kernels: Microkernels
  ) -> [UInt8] {
    var (y, cb, cr) = (y, cb, cr)
    var pixels = [UInt8](repeating: 99, count: 3 * count + 1)
    buffer(&y) { y in
      buffer(&cb) { cb in
        buffer(&cr) { cr in
          buffer(&pixels) { pixels in
            guard let y = y.baseAddress, let cb = cb.baseAddress, let cr = cr.baseAddress,
              let rgb = pixels.baseAddress
            else { return }
            kernels.uint8YCbCr(Uint8YCbCr(y: y, cb: cb, cr: cr, count: count, rgb: rgb))
          }
        }
      }
    }
    return pixels
  }

  /// Every pair of color differences, with minimum, maximum and one middle luma.
  @Test(arguments: [UInt8(0), 100, 255])
  func allColorsAreExactOnAllInstructionSets(luma: UInt8) {
    let y = [UInt8](repeating: luma, count: 256)
    let cb = [UInt8](0...255)
    for kernels in Microkernels.available {
      for red in UInt8.min...UInt8.max {
        let cr = [UInt8](repeating: red, count: 256)
        let pixels = convert(y, cb, cr, count: 256, kernels)
        #expect(pixels == cb.flatMap { expected(luma, $0, red) } + [99])
      }
    }
  }

  @Test(arguments: [1, 2, 3, 4, 5, 7, 8, 9, 10, 15, 16, 17, 18, 31, 32, 33, 34, 50])
  func writesNothingAfterTheRow(count: Int) {
    var random = SplitMix64(seed: UInt64(count))
    let capacity = (count + 15) / 16 * 16
    let rows = (0..<3).map { _ -> [UInt8] in random.integers(capacity) }
    for kernels in Microkernels.available {
      let pixels = convert(rows[0], rows[1], rows[2], count: count, kernels)
      #expect(
        pixels == (0..<count).flatMap { expected(rows[0][$0], rows[1][$0], rows[2][$0]) } + [99])
    }
  }
}
