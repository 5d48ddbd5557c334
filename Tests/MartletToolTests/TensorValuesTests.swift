import MartletBase
import Testing

@testable import MartletTool

@Suite struct TensorValuesTests {
  @Test(
    arguments: [
      ([0, 0, 0x80, 0x3E, 0, 0, 0xC0, 0xBF], .float32, "0.25 -1.5", "[0.25,-1.5]"),
      ([0, 0, 0xC0, 0x7F], .float32, "nan", "[null]"), ([255, 1], .int8, "-1 1", "[-1,1]"),
      ([255, 1], .uint8, "255 1", "[255,1]"), ([1, 0, 255, 255], .int16, "1 -1", "[1,-1]"),
      ([254, 255, 255, 255], .uint32, "4294967294", "[4294967294]"),
      ([1, 0], .bool, "true false", "[true,false]"), ([1, 2], .float16, "", "[]"),
    ] as [([UInt8], ElementType, String, String)])
  func elementsAreText(_ bytes: [UInt8], _ type: ElementType, _ text: String, _ json: String) {
    let values = TensorValues(bytes, type)
    #expect(values.beginning == text && "\(values.json)" == json)
  }

  @Test func manyElementsAreCutOff() {
    #expect(TensorValues(Array(0..<9), .uint8).beginning == "0 1 2 3 4 5 6 7 …")
    #expect(TensorValues(Array(0..<8), .uint8).beginning == "0 1 2 3 4 5 6 7")
  }
}
