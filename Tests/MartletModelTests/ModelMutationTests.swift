import MartletTestSupport
import Testing

@testable import MartletModel

/// Reading any bytes returns a model with valid indices or throws a typed error. It never traps.
@Suite struct ModelMutationTests {
  /// A file with many kinds of content.
  static let file: [UInt8] = {
    var file = SparsityTests.file().root(
      6, .tables([[0: .string("TFLITE_METADATA"), 1: .int32(2)]]))
    file = file.root(
      7, .tables([[2: .string("key"), 0: .tables([[0: .string("x"), 1: .int32(0)]])]]))
    let metadata = MetadataFile(
      input: [4: .tables([MetadataFile.unit(1, [0: .floats([1]), 1: .floats([2])])])],
      output: [3: .table([0: .uint8(2), 1: .table([0: .uint8(1)])])])
    file.buffers.append([
      0: .bytes(FlatBufferWriter(.table(metadata.root), identifier: "M001").bytes)
    ])
    file.tensors.append([
      0: .int32s([3]),
      4: .table([2: .floats([1, 2, 3]), 3: .int64s([0, 0, 0]), 6: .int32(0)]),
    ])
    return ArchiveWriter(files: [("a.txt", [1, 2, 3])]).bytes(behind: file.bytes)
  }()

  /// Visits every index of a model; traps if an index is invalid.
  private func visit(_ model: Model) {
    var sum = 0
    for graph in model.subgraphs {
      for index in graph.inputs + graph.outputs { sum &+= graph.tensors[index].shape.rank }
      for tensor in graph.tensors {
        let data = model.bytes[model.buffers[tensor.buffer]]
        sum &+= data.count
        sum &+= tensor.sparsity?.storedCount ?? 0
        if let map = tensor.quantization, !map.isPerTensor { sum &+= tensor.shape[map.axis] }
      }
      for operation in graph.operators {
        for index in operation.inputs where index >= 0 { sum &+= graph.tensors[index].buffer }
        for index in operation.outputs { sum &+= graph.tensors[index].buffer }
        sum &+= model.bytes[operation.customOptions].count
        _ = try? FlexBuffer(model.bytes, in: operation.customOptions)
      }
    }
    for signature in model.signatures {
      for tensor in signature.inputs + signature.outputs {
        sum &+= model.subgraphs[signature.subgraph].tensors[tensor.tensor].buffer
      }
    }
    guard let metadata = try? model.readMetadata() else { return }
    for graph in metadata.subgraphs {
      for tensor in graph.outputs { _ = try? metadata.labels(of: tensor) }
    }
  }

  @Test func survivesMutations() throws {
    visit(try Model(bytes: ModelMutationTests.file))
    var generator = SplitMix64(seed: 1)
    var survivors = 0
    for _ in 0..<20_000 {
      var bytes = ModelMutationTests.file
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        let offset = Int.random(in: bytes.indices, using: &generator)
        bytes[offset] = [0, 1, 0x7F, 0x80, 0xFF, UInt8.random(in: 0...255, using: &generator)]
          .randomElement(using: &generator)!
      }
      if Bool.random(using: &generator) && Bool.random(using: &generator) {
        bytes.removeLast(Int.random(in: 0..<bytes.count, using: &generator))
      }
      guard let model = try? Model(bytes: bytes) else { continue }
      survivors += 1
      visit(model)
    }
    // Some mutations must pass the reader; otherwise the walk above tests nothing.
    #expect(survivors > 1_000 && survivors < 20_000)
  }
}
