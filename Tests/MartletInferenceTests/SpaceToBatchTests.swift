import Testing

@testable import MartletInference
@testable import MartletModel

@Suite struct SpaceToBatchTests {
  /// One image of four rows in blocks of two: the even rows, then the odd ones (TensorFlow's
  /// `space_to_batch`). The batch and the extents of the result differ from each other.
  @Test func blocksBecomeBatches() throws {
    var test = TestModel()
    let x = test.tensor(.int32, [1, 4, 1])
    let block = test.constant([Int32(2)], [1])
    let border = test.constant([Int32(0), 0], [1, 2])
    test.inputs = [x]
    test.outputs = [test.tensor(.int32, [])]
    test.add(.spaceToBatchNd, [x, block, border], test.outputs)
    let interpreter = try test.interpreter()
    #expect(interpreter.outputs.map(\.shape.dimensions) == [[2, 2, 1]])
    #expect(try interpreter.run([[Int32(1), 2, 3, 4]]) == [Int32(1), 3, 2, 4])
  }
}
