import MartletTestSupport
import Testing

@testable import MartletVision

@Suite struct ImageModelTests {
  /// A network with an image of 8 x 8 pixels as input and a constant output, whose real numbers are
  /// half the difference of its integers and 3.
  private func model(_ type: ElementType, _ bytes: [UInt8], count: Int32) throws -> ImageModel {
    let output: [Int: FlatField] = [
      0: .int32s([1, count]), 1: .uint8(type.rawValue), 2: .int32(1), 3: .string("output"),
      4: .table([2: .floats([0.5]), 3: .int64s([3])]),
    ]
    let input: [Int: FlatField] = [
      0: .int32s([1, 8, 8, 3]), 1: .uint8(3), 2: .int32(0), 3: .string("image"),
    ]
    let root: [Int: FlatField] = [
      0: .int32(3),
      2: .tables([[0: .tables([input, output]), 1: .int32s([0]), 2: .int32s([1])]]),
      4: .tables([[:], [0: .bytes(bytes)]]),
    ]
    let file = FlatBufferWriter(.table(root), identifier: "TFL3").bytes
    return try ImageModel(bytes: FileBytes(file), options: .init(), lock: .none)
  }

  @Test(
    arguments: [
      (.uint8, [0, 3, 200, 255], [-1.5, 0, 98.5, 126]),
      (.int8, [0, 3, 200, 255], [-1.5, 0, -29.5, -2]),
      (.float32, [0, 0, 0x80, 0x3F, 0, 0, 0x28, 0xC0], [1, -2.625]),
    ] as [(ElementType, [UInt8], [Float])])
  func readsElementsAsRealNumbers(
    _ type: ElementType, _ bytes: [UInt8], _ expected: [Float]
  ) throws {
    let model = try model(type, bytes, count: Int32(expected.count))
    let image = try RGBImage(width: 8, height: 8, filledWith: .init(red: 1, green: 2, blue: 3))
    #expect(try model.run(on: image, outputs: 0..<1).map(\.elements) == [expected])
    let whole = Box(x: 0, y: 0, width: 8, height: 8)
    let numbers = try model.run(on: image, in: whole, reading: 0) { reals in
      (0..<reals.count).map { reals[$0] }
    }
    #expect(numbers == expected)
  }
}
