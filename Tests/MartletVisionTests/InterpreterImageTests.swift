import MartletTestSupport
import Testing

@testable import MartletVision

/// Images as the input of any model, whose output has the input's elements.
@Suite struct InterpreterImageTests {
  private func output<Value: Element>(
    _ shape: [Int32], as type: Value.Type, mean: Float? = nil
  ) throws -> [Value] {
    let code = Value.elementType.rawValue
    let count = shape.reduce(1, *)
    func tensor(_ shape: [Int32]) -> [Int: FlatField] {
      var fields: [Int: FlatField] = [
        0: .int32s(shape), 1: .uint8(code), 2: .int32(0), 3: .string("image"),
      ]
      if code != 0 { fields[4] = .table([2: .floats([1]), 3: .int64s([0])]) }
      return fields
    }
    let reshape: [Int: FlatField] = [
      0: .int32(0), 1: .int32s([0]), 2: .int32s([1]), 3: .uint8(17),
      4: .table([0: .int32s([count])]),
    ]
    let root: [Int: FlatField] = [
      0: .int32(3), 1: .tables([[0: .uint8(22), 2: .int32(1), 3: .int32(22)]]),
      2: .tables([
        [
          0: .tables([tensor(shape), tensor([count])]), 1: .int32s([0]), 2: .int32s([1]),
          3: .tables([reshape]),
        ]
      ]), 4: .tables([[:]]),
    ]
    let model = try Model(bytes: FlatBufferWriter(.table(root), identifier: "TFL3").bytes)
    let interpreter = try Interpreter(model: model)
    let image = try RGBImage(
      width: 2, height: 2, pixels: [10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120])
    try interpreter.setInput(
      to: image, of: model,
      normalization: mean.map { try PixelNormalization(mean: [$0], deviation: [1]) },
      workers: .serial)
    try interpreter.invoke()
    return try interpreter.output(0).withUnsafeBytes { Array($0.bindMemory(to: Value.self)) }
  }

  @Test func fillsPlanes() throws {
    let planes: [Float] = [0, 30, 60, 90, 10, 40, 70, 100, 20, 50, 80, 110]
    #expect(try output([1, 3, 2, 2], as: Float.self, mean: 10) == planes)
    #expect(try output([1, 3, 2, 2], as: UInt8.self) == planes.map { UInt8($0) + 10 })
  }

  @Test func fillsGrayInputs() throws {
    let gray: [UInt8] = [18, 48, 78, 108]
    #expect(try output([1, 2, 2, 1], as: UInt8.self) == gray)
    #expect(try output([1, 1, 2, 2], as: UInt8.self) == gray)
    #expect(try output([1, 2, 2, 1], as: Float.self, mean: 8) == gray.map { Float($0) - 8 })
  }

  @Test func floatInputsNeedANormalization() {
    for shape in [[1, 3, 2, 2], [1, 2, 2, 1], [1, 2, 2, 3]] as [[Int32]] {
      #expect(throws: VisionError.unsuitable(.normalization(tensor: "image"))) {
        try output(shape, as: Float.self)
      }
    }
  }
}
