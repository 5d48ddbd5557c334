import MartletTestSupport
import Testing

@testable import MartletModel

/// Small files that would take a lot of time or memory to read without limits.
@Suite struct ModelLimitsTests {
  /// A file in which all tensors except the first share one table: a vector of 20,000 elements with
  /// a scale for each (240,000 bytes with the zero points).
  static func sharing(_ tensorCount: Int) throws -> [UInt8] {
    let shared: [Int: FlatField] = [
      0: .int32s([20_000]),
      4: .table([
        2: .floats([Float](repeating: 1, count: 20_000)),
        3: .int64s([Int64](repeating: 0, count: 20_000)),
      ]),
    ]
    let tables =
      [FlatNode.marked("shared", .table(shared))] + (1..<tensorCount).map { _ in .table([:]) }
    let subgraph: [Int: FlatField] = [0: .node(.marked("tensors", .nodes(tables)))]
    let writer = FlatBufferWriter(
      .table([0: .int32(3), 2: .tables([subgraph])]), identifier: "TFL3")
    var bytes = writer.bytes
    let vector = try #require(writer.marks["tensors"])
    let target = try #require(writer.marks["shared"])
    for index in 1..<tensorCount {
      let place = vector + 4 + 4 * index
      bytes.replaceSubrange(place..<place + 4, with: UInt32(target - place).littleEndianBytes)
    }
    return bytes
  }

  @Test func readsTensorsThatShareAVector() throws {
    let model = try Model(bytes: try ModelLimitsTests.sharing(4))
    #expect(model.subgraphs[0].tensors.allSatisfy { $0.quantization?.scales.count == 20_000 })
  }

  @Test func refusesAVectorThatIsSharedTooOften() throws {
    let bytes = try ModelLimitsTests.sharing(100)
    #expect {
      _ = try Model(bytes: bytes)
    } throws: { error in
      guard case .flatBuffer(.tooMuchData(_, _, let limit)) = error as? ModelError else {
        return false
      }
      return limit == ModelLimits.leastData
    }
  }

  /// Operators whose options share one range of the file.
  @Test(arguments: [(4, true), (40, false)])
  func countsCustomOptionsForEachOperator(operatorCount: Int, isRead: Bool) throws {
    var file = ModelFile()
    file.buffers[1] = [0: .bytes([UInt8](repeating: 1, count: 100_000))]
    file.operators = (0..<operatorCount).map { _ in [9: .int64(64), 10: .int64(90_000)] }
    let bytes = file.bytes
    if isRead {
      #expect(try Model(bytes: bytes).subgraphs[0].operators[3].customOptions == 64..<90_064)
    } else {
      #expect(
        throws: ModelError.flatBuffer(
          .tooMuchData(offset: 64, count: 90_000, limit: ModelLimits.leastData))
      ) {
        _ = try Model(bytes: bytes)
      }
    }
  }

  @Test func refusesALayoutOfTooManyBlocks() {
    let count = 100_000
    let file = SparsityTests.file(
      shape: [1], order: [0], blocks: [Int32](repeating: 0, count: count), levels: [])
    #expect(
      throws: ModelError.sparseAxes(
        SparsityTests.weights, found: count, expected: ModelLimits.sparseBlocks)
    ) {
      _ = try Model(bytes: file.bytes)
    }
  }

  @Test func limitsTheValuesOfAFlexBufferByItsSize() {
    // A vector of 32 references to one vector of 32 nulls: 1056 values in 160 bytes.
    let inner: [UInt8] = [32] + [UInt8](repeating: 0, count: 64)
    var bytes = inner + [32]
    let outer = bytes.count
    for index in 0..<32 { bytes.append(UInt8(outer + index - 1)) }
    bytes += [UInt8](repeating: 40, count: 32)
    bytes += [UInt8(bytes.count - outer), 40, 1]
    let limit = ModelLimits.flexValuesPerByte * bytes.count
    #expect(throws: FlexBufferError.tooManyValues(offset: 1, count: 32, limit: limit)) {
      _ = try FlexBuffer(FileBytes(bytes), in: 0..<bytes.count)
    }
  }
}
