import MartletInference
import MartletSystem
import MartletTestSupport
import Testing

/// Networks of typical vision layers, with inputs whose bytes are small floats.
@Suite struct NetworkTests {
  private func output(
    _ name: String, _ kernels: KernelSet, workers: Int = 1
  ) throws -> [UInt8] {
    let file = Fixtures.folder("Models").appending(path: name + ".tflite")
    let interpreter = try Interpreter(
      model: Model(bytes: Fixtures.bytes(of: file)),
      options: .init(kernels: kernels, workers: .pool(count: workers)))
    try interpreter.withInput(0) { memory in
      for index in memory.indices {
        let top = index % 4 == 3 || name.hasSuffix("int8")
        memory[index] =
          UInt8(truncatingIfNeeded: index &* 2_654_435_761 >> 13) & (top ? 0xbe : 0xff)
      }
    }
    try interpreter.invoke()
    return try interpreter.output(0)
  }

  private func floats(_ bytes: [UInt8]) -> [Float] {
    bytes.withUnsafeBytes { bytes in
      stride(from: 0, to: bytes.count, by: 4).map {
        bytes.loadUnaligned(fromByteOffset: $0, as: Float.self)
      }
    }
  }

  @Test(arguments: ["blocks_f32", "blocks_int8"], [2, 3, 4])
  func resultIsIndependentOfWorkerCount(name: String, workers: Int) throws {
    #expect(try output(name, .fast, workers: workers) == output(name, .fast))
  }

  @Test func integersEqualTheReferenceKernels() throws {
    #expect(try output("blocks_int8", .fast) == output("blocks_int8", .reference))
  }

  @Test func floatsAreCloseToTheReferenceKernels() throws {
    let fast = floats(try output("blocks_f32", .fast))
    let plain = floats(try output("blocks_f32", .reference))
    #expect(fast.reduce(0, +).isNearly(1) && fast.max() ?? 1 < 0.999)
    for (found, expected) in zip(fast, plain) { #expect(found.isNearly(expected)) }
  }
}

extension Float {
  fileprivate func isNearly(_ other: Float) -> Bool { (self - other).magnitude < 1e-5 }
}
