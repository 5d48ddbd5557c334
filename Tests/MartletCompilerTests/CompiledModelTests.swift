//===--- CompiledModelTests.swift -----------------------------------------===//

import Foundation
import MartletInference
import MartletModel
import MartletTestSupport
import MartletWeights
import Testing

@testable import MartletCompiler

@Suite struct CompiledModelTests {
  /// Whether compiled and interpreted runs give the same bytes.
  private func compare(_ model: Model, seeds: Range<UInt64>) throws {
    // Integers are those of all kernels, floats those of the reference kernels.
    let usesFloats = model.subgraphs[0].tensors.contains { $0.type == .float32 }
    let interpreter = try Interpreter(
      model: model, options: .init(kernels: usesFloats ? .reference : .fast))
    // One run of each, which keeps its state.
    let runs = try CompileTarget.allCases.map {
      ($0, CompiledRun(try CompiledModel(model, name: "Model", for: $0)))
    }
    for seed in seeds {
      var random = SplitMix64(seed: seed)
      let inputs = interpreter.inputs.map { drawn($0, &random) }
      for (index, bytes) in inputs.enumerated() {
        try interpreter.withInput(index) { $0.copyBytes(from: bytes) }
      }
      try interpreter.invoke()
      let expected = try interpreter.outputs.indices.map { index in
        try interpreter.withOutput(index) { Array($0) }
      }
      for (target, run) in runs {
        let found = run(inputs, outputByteCounts: expected.map(\.count))
        for (index, bytes) in expected.enumerated() where found[index] != bytes {
          let place = zip(found[index], bytes).enumerated().first { $1.0 != $1.1 }
          Issue.record("\(target): output \(index) differs first at \(String(describing: place))")
        }
      }
    }
  }

  /// Random bytes of a tensor; floats are in -1...1.
  private func drawn(_ tensor: InterfaceTensor, _ random: inout SplitMix64) -> [UInt8] {
    let count = tensor.shape.elementCount
    guard tensor.type == .float32 else {
      return (0..<count * tensor.type.bitWidth / 8).map { _ in
        UInt8(truncatingIfNeeded: random.next())
      }
    }
    return (0..<count).flatMap { _ in
      let bits = Float(Int32(truncatingIfNeeded: random.next()) >> 8) * 0x1p-23
      return withUnsafeBytes(of: bits) { Array($0) }
    }
  }

  @Test(arguments: ShippedModel.allCases)
  func builtInModelsGiveTheBytesOfTheInterpreter(_ shipped: ShippedModel) throws {
    let model = try Model(bytes: shipped.bytes)
    try compare(model, seeds: 0..<2)
  }

  @Test(
    .enabled(if: SharedMaterial.holds("conformance"), "needs ../shared/conformance"),
    arguments: [
      "tflm__person_detect", "mltiny__vww_96_int8", "mltiny__kws_ref_model",
      "mltiny__pretrainedResnet_large_int8", "coral__tf2_mobilenet_v2_1.0_224_ptq",
      "syn__mobilenet_v2_0.35_96_uint8io", "tflm__hello_world_int8",
      "mltiny__model_ToyCar_quant_fullint_micro_intio", "coral__mobilenet_v1_0.25_128_quant",
      "mltiny__kws_ref_model_float32", "mltiny__model_ToyCar_quant", "mltiny__pretrainedResnet",
      "syn__mobilenet_v3_small_0.35_96_f32", "syn__mobilenet_v3_small_0.35_96_int8",
      "syn__mobilenet_v2_0.35_96_int16x8", "tflm__keyword_scrambled",
      "tflm__keyword_scrambled_8bit",
    ])
  func publicModelsGiveTheBytesOfTheInterpreter(_ name: String) throws {
    let data = try Data(contentsOf: SharedMaterial.url("conformance/models/\(name).tflite"))
    try compare(try Model(bytes: [UInt8](data)), seeds: 0..<2)
  }

  /// The state begins as zeros of its scale, which are not bytes of zero.
  @Test func statesBeginAsTheInterpreters() throws {
    let model = try MadeModel.filters().model()
    try compare(model, seeds: 0..<4)
    let file = try CompiledModel(model, name: "Model").source
    #expect(file.contains(", count: 6, byte: 5)"))
    let inline = try CompiledModel(model, name: "Model", weights: .inline).source
    #expect(inline.contains("  public init() { reset() }"))
    #expect(inline.contains("  public static func reset(arena: UnsafeMutableRawPointer) {"))
  }

  /// Sums of int16 and int8 without a bias, all as large as possible, which need more than 32 bits,
  /// times factors of 15 bits: computed by hand, as LiteRT's reference kernels do.
  @Test(arguments: [(64, 32189), (1024, 32189), (70_000, 32188)] as [(Int32, Int16)])
  func wideSumsAreThoseOfTheInterpreter(_ depth: Int32, _ expected: Int16) throws {
    var made = MadeModel()
    let x = made.tensor(.int16, [1, 1, 1, depth], scales: [0x1p-15])
    let w = made.tensor(
      .int8, [1, 1, 1, depth], bytes: [UInt8](repeating: 127, count: Int(depth)),
      scales: [1 / 127])
    let y = made.tensor(.int16, [1, 1, 1, 1], scales: [Float(depth) / 32189.5])
    made.add(.conv2D, version: 7, [x, w, -1], [y], options: (1, [1: .int32(1), 2: .int32(1)]))
    (made.inputs, made.outputs) = ([x], [y])
    let model = try made.model()
    let input = (0..<depth).flatMap { _ in Int16.max.littleEndianBytes }
    let interpreter = try Interpreter(model: model)
    try interpreter.setInput(0, to: input)
    try interpreter.invoke()
    #expect(try interpreter.output(0) == expected.littleEndianBytes)
    let compiled = try CompiledModel(model, name: "Model")
    #expect(
      CompiledRun(compiled)([input], outputByteCounts: [2]) == [expected.littleEndianBytes])
  }

  /// The output's scale asks for a factor of 2³⁰ or more, with which twice the input's scale is
  /// 1 - 2³¹: with the zero point it wraps around and becomes the greatest byte.
  @Test(arguments: [
    (BuiltinOperator.relu, ElementType.int8), (.relu6, .int8), (.leakyRelu, .int8),
    (.quantize, .int8), (.quantize, .uint8),
  ])
  func tablesWrapAroundAsTheInterpretersDo(
    _ code: BuiltinOperator, _ type: ElementType
  ) throws {
    var made = MadeModel()
    let x = made.tensor(type, [1, 256], scales: [1])
    let y = made.tensor(.int8, [1, 256], scales: [0x1p-31], zeroPoint: -7)
    made.add(code, [x], [y], options: code == .leakyRelu ? (75, [0: .float(0.5)]) : nil)
    (made.inputs, made.outputs) = ([x], [y])
    let model = try made.model()
    let input = (0..<256).map { UInt8($0) }
    let interpreter = try Interpreter(model: model)
    try interpreter.setInput(0, to: input)
    try interpreter.invoke()
    let expected = try interpreter.output(0)
    #expect(expected[2] == 127)
    let compiled = try CompiledModel(model, name: "Model")
    #expect(CompiledRun(compiled)([input], outputByteCounts: [256]) == [expected])
  }

  @Test func commentsHaveTheOperatorTheShapesAndAShortName() throws {
    let source = try CompiledModel(Model(bytes: ShippedModel.classifier.bytes), name: "A").source
    let comments = source.split(separator: "\n").filter { $0.hasPrefix("    // ") }
    #expect(comments.contains { $0.hasPrefix("    // CONV_2D [1, 160, 160, 3] -> [1, ") })
    #expect(comments.allSatisfy { $0.count <= 100 })
  }

  @Test func sameModelGivesTheSameText() throws {
    let model = try Model(bytes: ShippedModel.classifier.bytes)
    let first = try CompiledModel(model, name: "A")
    let second = try CompiledModel(model, name: "A")
    #expect(first.source == second.source)
    #expect(first.weights == second.weights)
  }

  /// The memory of the built-in networks, which is stated for microcontrollers.
  @Test(arguments: [
    (ShippedModel.localizer, 300_000), (.classifier, 160_000), (.faceDetectorFast, 150_000),
  ]) func arenasStaySmall(_ shipped: ShippedModel, _ limit: Int) throws {
    let model = try Model(bytes: shipped.bytes)
    for target in CompileTarget.allCases {
      #expect(try CompiledModel(model, name: "A", for: target).arenaByteCount <= limit)
    }
  }

  /// Bytes of the file change at random; what can still be read is compiled or refused.
  @Test func damagedModelsAreCompiledOrRefused() throws {
    var random = SplitMix64(seed: 11)
    let bytes = ShippedModel.faceEyes.bytes
    for _ in 0..<400 {
      var damaged = bytes
      for _ in 0..<4 {
        // The tables lie at both ends of the file, the weights between them.
        let place = Int(random.next() % 6000)
        let index = random.next() % 2 == 0 ? place : bytes.count - 1 - place
        damaged[index] = UInt8(truncatingIfNeeded: random.next())
      }
      guard let model = try? Model(bytes: damaged) else { continue }
      for target in CompileTarget.allCases {
        _ = try? CompiledModel(model, name: "A", for: target)
      }
    }
  }

  @Test func namesAllOperatorsWithoutKernels() throws {
    let file = Fixtures.root.appending(path: "Tests/Fixtures/Models/blocks_f32.tflite")
    let model = try Model(bytes: [UInt8](Data(contentsOf: file)))
    let error = #expect(throws: CompileError.self) { try CompiledModel(model, name: "A") }
    guard case .unsupported(let names)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(Set(["TRANSPOSE_CONV", "RESIZE_BILINEAR of float32"]).isSubset(of: names))
    #expect(Set(names).count == names.count)
  }
}
