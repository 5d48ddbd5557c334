//===--- HostileModelTests.swift ------------------------------------------===//

import MartletInference
import MartletModel
import Testing

@testable import MartletCompiler

@Suite struct HostileModelTests {
  /// The error of compiling a model.
  private func error(_ made: MadeModel, for target: CompileTarget = .portable) throws
    -> CompileError?
  {
    let model = try made.model()
    do {
      _ = try CompiledModel(model, name: "Model", for: target)
      return nil
    } catch {
      return error
    }
  }

  /// Places of such windows have more than 32 bits, although the interpreter runs them.
  @Test(arguments: [(Int32.max, 1), (1, Int32.max), (1 << 30, 1)] as [(Int32, Int32)])
  func refusesWindowsThatExtendTooFar(_ height: Int32, _ width: Int32) throws {
    let model = MadeModel.depthwise(
      side: 15, channels: 5, filter: 5, dilations: (height: height, width: width))
    for target in CompileTarget.allCases {
      #expect(
        try error(model, for: target)
          == .unsupported([
            "DEPTHWISE_CONV_2D with windows that extend over more than 2 billion pixels"
          ]))
    }
  }

  /// Models that the interpreter refuses, each for another reason.
  private static let refused: [String: MadeModel] = [
    "version": {
      var model = MadeModel()
      let (x, y) = (model.tensor(.float32, [4]), model.tensor(.float32, [4]))
      model.add(.relu, version: 99, [x], [y])
      (model.inputs, model.outputs) = ([x], [y])
      return model
    }(),
    "squeezed axis": {
      var model = MadeModel()
      let (x, y) = (model.tensor(.float32, [1, 4]), model.tensor(.float32, [4]))
      model.add(.squeeze, [x], [y], options: (30, [0: .int32s([100])]))
      (model.inputs, model.outputs) = ([x], [y])
      return model
    }(),
    "depth of weights": {
      var model = MadeModel()
      let (x, y) = (model.tensor(.float32, [1, 32]), model.tensor(.float32, [4, 2]))
      let w = model.tensor(.float32, [2, 7], bytes: [UInt8](repeating: 0, count: 56))
      model.add(.fullyConnected, [x, w, -1], [y], options: (8, [:]))
      (model.inputs, model.outputs) = ([x], [y])
      return model
    }(),
    "order": {
      var model = MadeModel()
      let (x, y) = (model.tensor(.float32, [4]), model.tensor(.float32, [4]))
      let z = model.tensor(.float32, [4])
      model.add(.relu, [y], [z])
      model.add(.relu, [x], [y])
      (model.inputs, model.outputs) = ([x], [z])
      return model
    }(),
    // 2⁴⁸ comparisons: more work than the interpreter accepts.
    "work": {
      var model = MadeModel()
      let (x, y) = (
        model.tensor(.float32, [1, 4096, 4096, 1]), model.tensor(.float32, [1, 4096, 4096, 1])
      )
      model.add(
        .maxPool2D, [x], [y],
        options: (5, [1: .int32(1), 2: .int32(1), 3: .int32(4095), 4: .int32(4095)]))
      (model.inputs, model.outputs) = ([x], [y])
      return model
    }(),
  ]

  @Test(arguments: refused.keys.sorted())
  func refusesWhatTheInterpreterRefuses(_ name: String) throws {
    let made = try #require(HostileModelTests.refused[name])
    let model = try made.model()
    let reason = try #require(throws: InferenceError.self) {
      try PreparedModel(model: model, options: .init(kernels: .reference))
    }
    #expect(try error(made) == .interpreter(reason))
  }

  /// The interpreter sets variable tensors to zero, whatever the file has.
  @Test func variableTensorsAreNoConstants() throws {
    let model = MadeModel.pointwise { model in
      (
        model.tensor(.float32, [1, 1, 1, 2], bytes: ([1, 2] as [Float]).littleEndianBytes),
        model.tensor(
          .float32, [1], bytes: ([5] as [Float]).littleEndianBytes, isVariable: true)
      )
    }
    #expect(try error(model) == .notConstant(node: 0, operand: 2))
  }

  /// The caller sets inputs, whatever the file has.
  @Test func inputsAreNoConstants() throws {
    let model = MadeModel.pointwise { model in
      let w = model.tensor(.float32, [1, 1, 1, 2], bytes: ([1, 2] as [Float]).littleEndianBytes)
      model.inputs.append(w)
      return (w, -1)
    }
    #expect(try error(model) == .notConstant(node: 0, operand: 1))
  }

  /// 128 kB of weights, stored for each of 2,000 layers.
  @Test func refusesManyLayersWithTheSameWeights() throws {
    var model = MadeModel()
    let x = model.tensor(.float32, [1, 128])
    let w = model.tensor(.float32, [128, 128], bytes: [UInt8](repeating: 0, count: 65536))
    model.inputs = [x]
    var value = x
    for _ in 0..<2000 {
      let y = model.tensor(.float32, [1, 128])
      model.add(.fullyConnected, [value, w, -1], [y], options: (8, [:]))
      value = y
    }
    model.outputs = [value]
    #expect(
      try error(model)
        == .tooManyWeights(limit: WeightsBlob.limit(fileSize: model.bytes.count)))
  }

  /// With so fine a scale, sums with the zero point need more than 32 bits; kernels add another
  /// zero point than the interpreter, and would wrap around elsewhere.
  @Test(arguments: [.add, .sub, .mul, .mean, .quantize] as [BuiltinOperator])
  func refusesScalesWhoseResultsWrapAround(_ code: BuiltinOperator) throws {
    let refusal = CompileError.unsupported(["\(code) whose results wrap around"])
    for (scale, expected) in [(0x1p-31, refusal), (0.5, nil)] as [(Float, CompileError?)] {
      var model = MadeModel()
      let isMean = code == .mean
      let x = model.tensor(code == .quantize ? .int16 : .int8, [1, 2, 2, 1], scales: [1])
      let y = model.tensor(
        .int8, [1, isMean ? 1 : 2, isMean ? 1 : 2, 1], scales: [scale], zeroPoint: -7)
      switch code {
      case .mean:
        let axes = model.tensor(
          .int32, [2], bytes: ([1, 2] as [Int32]).flatMap { $0.littleEndianBytes })
        model.add(.mean, [x, axes], [y], options: (27, [0: .bool(true)]))
      case .quantize: model.add(.quantize, [x], [y])
      default:
        let tag: UInt8 = code == .add ? 11 : code == .sub ? 28 : 21
        model.add(code, [x, x], [y], options: (tag, [:]))
      }
      (model.inputs, model.outputs) = ([x], [y])
      #expect(try error(model) == expected)
    }
  }

  /// Three products of up to 128 · 255, times 25,000.
  @Test func refusesFiltersWhoseSumsWrapAround() throws {
    let model = MadeModel.filters(outputScale: 2e-6)
    #expect(try error(model) == .unsupported(["SVDF with a sum of 32 bits"]))
  }

  /// The places of the pixels that an image of one column is resized to would take 256 MB.
  @Test func refusesAResultOfTooManyRows() throws {
    var model = MadeModel()
    let x = model.tensor(.uint8, [1, 1, 1, 1], scales: [0.5])
    let y = model.tensor(.uint8, [1, 1 << 26, 1, 1], scales: [0.5])
    let size = model.tensor(
      .int32, [2], bytes: ([1 << 26, 1] as [Int32]).flatMap { $0.littleEndianBytes })
    model.add(.resizeNearestNeighbor, [x, size], [y], options: (74, [:]))
    (model.inputs, model.outputs) = ([x], [y])
    #expect(
      try error(model)
        == .tooManyWeights(limit: WeightsBlob.limit(fileSize: model.bytes.count)))
  }

  @Test func constantsThatLayersShareAreStoredOnce() throws {
    var model = MadeModel()
    let x = model.tensor(.float32, [256])
    let constant = model.tensor(.float32, [256], bytes: [UInt8](repeating: 0, count: 1024))
    model.inputs = [x]
    var value = x
    for _ in 0..<100 {
      let y = model.tensor(.float32, [256])
      model.add(.add, [value, constant], [y], options: (11, [:]))
      value = y
    }
    model.outputs = [value]
    let compiled = try CompiledModel(try model.model(), name: "Model")
    #expect(compiled.weights.count < 1024 + 100 * 16)
  }

  /// Values of 3,000 layers that are in use until the end.
  @Test func longLivedValuesDoNotOverlap() throws {
    let compiled = try CompiledModel(try MadeModel.longLivedSums(3000).model(), name: "Model")
    #expect(compiled.arenaByteCount == 3000 * 16)
  }
}
