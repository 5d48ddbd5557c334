import Testing

@testable import MartletOperators
@testable import MartletInference
@testable import MartletModel
@testable import MartletBase

/// Integer ranges as wide as the type.
@Suite struct RangeTests {
  private func range<Scalar: TensorElement & FixedWidthInteger>(
    _ start: Scalar, _ limit: Scalar, _ delta: Scalar
  ) throws -> [Scalar] {
    var model = TestModel()
    let inputs = [start, limit, delta].map { model.constant([$0], []) }
    let output = model.tensor(Scalar.elementType, [0])
    model.add(.range, inputs, [output])
    model.outputs = [output]
    return try model.interpreter().run([[Scalar]]())
  }

  @Test func countsElementsIfLimitMinusStartOverflows() throws {
    #expect(try range(Int64.min, .max, .max) == [.min, -1, .max - 1])
    #expect(try range(Int64.max, .min, .min) == [.max, -1])
    #expect(try range(Int32.min, .max, 1 << 30) == [.min, -1 << 30, 0, 1 << 30])
  }

  @Test func refusesStepsAwayFromTheLimit() {
    #expect(throws: InferenceError.option(node: 0, name: "delta", value: -1)) {
      try range(Int32(0), 3, -1)
    }
    #expect(throws: InferenceError.option(node: 0, name: "delta", value: 0)) {
      try range(Int64(0), 3, 0)
    }
  }
}
