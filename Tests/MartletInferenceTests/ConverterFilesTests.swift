import MartletInference
import MartletSystem
import MartletTestSupport
import Testing

/// Files written by TensorFlow's converter. The expected values are from LiteRT 2.3.0, whose
/// reference, optimized and XNNPACK kernels agree.
@Suite struct ConverterFilesTests {
  /// The model's output for an input that repeats the byte `element`.
  private func output(
    _ name: String, repeating element: [UInt8], _ kernels: KernelSet, workers: Int
  ) throws -> [UInt8] {
    let file = Fixtures.folder("Models").appending(path: name + ".tflite")
    let interpreter = try Interpreter(
      model: Model(bytes: Fixtures.bytes(of: file)),
      options: .init(kernels: kernels, workers: .pool(count: workers)))
    try interpreter.withInput(0) { memory in
      for i in memory.indices { memory[i] = element[i % element.count] }
    }
    try interpreter.invoke()
    return try interpreter.output(0)
  }

  @Test(arguments: KernelSet.allCases, [1, 2, 4])
  func transposedConvolutionAcceptsByteWeights(_ kernels: KernelSet, workers: Int) throws {
    let one: [UInt8] = [0, 0, 0x80, 0x3f]
    let bytes = try output(
      "transpose_conv_dynamic_range", repeating: one, kernels, workers: workers)
    let y = bytes.withUnsafeBytes { bytes in
      stride(from: 0, to: bytes.count, by: 4).map {
        bytes.loadUnaligned(fromByteOffset: $0, as: Float.self)
      }
    }
    // Row 1, column 1 of 16 x 16 pixels with 8 channels.
    let pixel: [Float] = [
      0.18414204, 0.09413435, 0.13510247, -0.2627185, -0.51140273, -0.50862634, 0.1072047,
      0.03399497,
    ]
    for (found, expected) in zip(y[(16 + 1) * 8..<(16 + 2) * 8], pixel) {
      #expect((found - expected).magnitude < 1e-6)
    }
    #expect(y.count == 16 * 16 * 8)
    #expect((y.reduce(0) { $0 + Double($1.magnitude) } - 922.0461).magnitude < 1e-3)
  }

  @Test(arguments: KernelSet.allCases, [1, 2, 4])
  func channelsWithScaleZeroReturnTheZeroPoint(_ kernels: KernelSet, workers: Int) throws {
    let bytes = try output(
      "conv_scale_zero_channel", repeating: [0], kernels, workers: workers)
    let y = bytes.map { Int(Int8(bitPattern: $0)) }
    // Row 1, column 1 of 4 x 4 pixels with 8 channels. The scale of channel 3 is zero.
    #expect(Array(y[(4 + 1) * 8..<(4 + 2) * 8]) == [-81, -65, -128, -128, -128, -128, -128, -47])
    #expect(y.reduce(0) { $0 + abs($1) } == 13816)
  }
}
