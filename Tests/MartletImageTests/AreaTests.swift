import Testing

@testable import MartletImage

/// Sizes in 32 bits are those of WebAssembly, where a wrapped product would pass every check.
@Suite struct AreaTests {
  struct Product: Sendable {
    let width, height, channels: Int32
    let samples: Int32?
  }

  @Test(arguments: [
    Product(width: 3, height: 2, channels: 4, samples: 24),
    Product(width: 0, height: 9, channels: 3, samples: 0),
    // 2³² wraps to 0.
    Product(width: 65536, height: 65536, channels: 1, samples: nil),
    // 46341² is the first square above 2³¹.
    Product(width: 46340, height: 46340, channels: 1, samples: 2_147_395_600),
    Product(width: 46341, height: 46341, channels: 1, samples: nil),
    // 2²⁹ pixels of four bytes wrap to -2³¹.
    Product(width: 32768, height: 16384, channels: 4, samples: nil),
    Product(width: 16384, height: 16384, channels: 4, samples: 1_073_741_824),
    Product(width: .max, height: .max, channels: .max, samples: nil),
    Product(width: -2, height: -3, channels: 1, samples: nil),
    Product(width: -1, height: 0, channels: 1, samples: nil),
  ])
  func samplesAreExactOrNil(_ c: Product) {
    #expect(Area.samples(c.width, c.height, c.channels) == c.samples)
    #expect(
      Area.samples(Int(c.width), Int(c.height), Int(c.channels)).flatMap { Int32(exactly: $0) }
        == c.samples)
  }

  @Test(
    arguments: [
      (65536, 65536, false), (46341, 46341, false), (.max, 1, false), (.max, .max, false),
      (0, 1, false), (1, 0, false), (-65536, -65536, false), (1, 1, true), (1 << 20, 1, true),
      (1 << 20 + 1, 1, false), (16384, 16384, true), (16384, 16385, false), (1 << 20, 256, true),
      (1 << 20, 257, false),
    ] as [(Int32, Int32, Bool)])
  func sizesOf32BitsHaveNoWrappedArea(width: Int32, height: Int32, isValid: Bool) {
    #expect(ImageLimits.allow(width, height) == isValid)
  }

  @Test func planesOf32BitsEndExactlyOrNowhere() {
    #expect(PlaneLayout.end(10, 5, rows: 3, lastRow: 4) as Int32? == 24)
    #expect(PlaneLayout.end(0, 1 << 30, rows: 2, lastRow: 1 << 30 - 1) as Int32? == .max)
    #expect(PlaneLayout.end(0, 1 << 30, rows: 2, lastRow: 1 << 30) as Int32? == nil)
    #expect(PlaneLayout.end(0, .max, rows: 1, lastRow: 7) as Int32? == 7)
    #expect(PlaneLayout.end(.max, 8, rows: 1, lastRow: 7) as Int32? == nil)
    #expect(PlaneLayout.end(8, .max, rows: 2, lastRow: 7) as Int32? == nil)
  }
}
