import Testing

@testable import MartletCodecs

@Suite struct BytesTests {
  private let bytes: [UInt8] = [0x01, 0x02, 0x03, 0x04, 0xFF]

  @Test func readsBothOrders() {
    #expect(bytes.uint16(at: 0, .big) == 0x0102)
    #expect(bytes.uint16(at: 3, .little) == 0xFF04)
    #expect(bytes.uint32(at: 0, .big) == 0x0102_0304)
    #expect(bytes.uint32(at: 1, .little) == 0xFF04_0302)
  }

  @Test(arguments: [-1, 4, 5, Int.max, Int.min])
  func returnsNilOutside(offset: Int) {
    #expect(bytes.uint16(at: offset, .big) == nil)
    #expect(bytes.uint32(at: offset, .big) == nil)
    #expect([UInt8]().uint16(at: offset, .little) == nil)
  }

  @Test func returnsNilIfNumberEndsOutside() {
    #expect(bytes.uint32(at: 2, .big) == nil)
    #expect(bytes.uint32(at: 3, .little) == nil)
  }
}
