//===--- SVDFOperator.swift - SVDF ----------------------------------------===//
//
// Inputs  0 x: [batch, input], float32 or int8
//         1 feature weights: [filter, input], of x's type, or int8 with float32: then rows are
//           quantized while the graph runs
//         2 time weights: [filter, memory]; float32, with int8 features int8, with int8 x int16 or
//           int8
//         3 bias: [unit]; float32, int32 with int8. May be absent.
//         4 the filters' last values: a variable of batch · filter · memory elements, of the time
//           weights' type, but float32 with float32 x
// Output  0 y: [batch, unit] of x's type, a unit for every `rank` filters
// Source  LiteRT 2.3.0 `svdf.cc`. With integers RELU is required; as in LiteRT, only the output's
//         zero point applies it, without another clamp.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletModel
import MartletReference

/// The inputs.
private enum Input {
  static let x = 0
  static let features = 1
  static let timeWeights = 2
  static let bias = 3
  static let state = 4
}

extension Registration {
  static let svdf = Registration(.svdf, versions: 1...4, traits: .rnn) { p throws(InferenceError) in
    try p.expect(inputs: 5...5)
    guard case .svdf(let options) = p.operation.options else { throw .options(node: p.node) }
    let layer = try p.svdfLayer(options)
    switch (try p.input(Input.x).type, try p.input(Input.state).type) {
    case (.float32, _):
      return try prepareFloat(&p, layer, options)
    case (.int8, .int16): return try prepareQuantized(&p, layer, options, as: Int16.self)
    case (.int8, _): return try prepareQuantized(&p, layer, options, as: Int8.self)
    case (let found, _):
      throw .unsupportedType(node: p.node, operand: .input(Input.x), found: found)
    }
  }
}

extension Preparation {
  fileprivate func svdfLayer(_ options: SVDFOptions) throws(InferenceError) -> SVDF {
    let x = try shape(ofInput: Input.x, ranks: 2...2)
    let features = try shape(ofInput: Input.features, ranks: 2...2)
    let time = try shape(ofInput: Input.timeWeights, ranks: 2...2)
    guard options.rank > 0, features[0] % options.rank == 0 else {
      throw .option(node: node, name: "rank", value: options.rank)
    }
    try expect(time, ofInput: Input.timeWeights, axis: 0, extent: features[0])
    guard time[1] > 0 else {
      throw .extent(node: node, operand: .input(Input.timeWeights), axis: 1, found: 0, expected: 1)
    }
    let units = features[0] / options.rank
    try expectBias(3, count: units)
    return SVDF(
      batches: x[0], inputs: x[1], units: units, rank: options.rank, memory: time[1])
  }

  /// The number of values that a layer keeps between runs.
  fileprivate func stateCount(_ layer: SVDF) throws(InferenceError) -> Int {
    try shape([layer.batches, layer.filters, layer.memory]).elementCount
  }
}

private func prepareFloat(
  _ p: inout Preparation, _ layer: SVDF, _ options: SVDFOptions
) throws(InferenceError) -> Evaluate {
  let isHybrid = try p.input(Input.features).type == .int8
  let x = try p.input(Input.x, as: Float.self)
  let bias = try p.optionalInput(Input.bias, as: Float.self)
  let state = try p.state(Input.state, as: Float.self, count: try p.stateCount(layer))
  let y = try p.output(0, as: Float.self, shape: try p.shape([layer.batches, layer.units]))
  let features = try p.scratch(rows: layer.batches, of: layer.filters, as: Float.self)
  let product = try p.rowProduct(
    RowMatrices(inputs: [1], rows: layer.batches, depth: layer.inputs, units: layer.filters),
    isHybrid: isHybrid, isAsymmetric: options.asymmetricQuantizeInputs)
  let activation = p.cellActivation(options.activation)
  let bytes = isHybrid ? try p.input(Input.timeWeights, as: Int8.self) : nil
  let scale = isHybrid ? try p.perTensorQuantization(weights: Input.timeWeights).scale : 1
  let time =
    isHybrid
    ? try p.scratch(rows: layer.filters, of: layer.memory, as: Float.self)
    : try p.input(Input.timeWeights, as: Float.self)
  return { e in
    if let bytes { Reference.map(e[bytes], into: e[time]) { Float($0) * scale } }
    product.multiply(e, e[x], e[features])
    layer.step(
      features: e[features], time: e[time], bias: e[bias], state: e[state], activation,
      into: e[y])
  }
}

private func prepareQuantized<State: Element & FixedWidthInteger>(
  _ p: inout Preparation, _ layer: SVDF, _ options: SVDFOptions, as: State.Type
) throws(InferenceError) -> Evaluate {
  guard options.activation == .relu else {
    throw .option(
      node: p.node, name: "fused_activation_function", value: Int(options.activation.rawValue))
  }
  let x = try p.input(Input.x, as: Int8.self)
  let time = try p.input(Input.timeWeights, as: State.self)
  let bias = try p.optionalInput(Input.bias, as: Int32.self)
  let state = try p.state(Input.state, as: State.self, count: try p.stateCount(layer))
  let y = try p.output(0, as: Int8.self, shape: try p.shape([layer.batches, layer.units]))
  if State.elementType == .int16 { try p.expectSymmetric(inputs: [4], outputs: []) }
  let image = try p.perTensorQuantization(input: Input.x)
  let memory = try p.perTensorQuantization(input: Input.state)
  let result = try p.perTensorQuantization(output: 0)
  let featureScale = Double(try p.perTensorQuantization(weights: Input.features).scale)
  let timeScale = Double(try p.perTensorQuantization(weights: Input.timeWeights).scale)
  let quantized = QuantizedSVDF(
    layer: layer,
    feature: FixedPointMultiplier(Double(image.scale) * featureScale / Double(memory.scale)),
    stateZero: Int32(memory.zeroPoint),
    result: FixedPointMultiplier(Double(memory.scale) * timeScale / Double(result.scale)),
    zeroPoint: Int32(result.zeroPoint))
  let product = try p.byteRowProduct(
    RowMatrices(inputs: [1], rows: layer.batches, depth: layer.inputs, units: layer.filters),
    zeroPoint: image.zeroPoint)
  let features = try p.scratch(rows: layer.batches, of: product.sumLength, as: Int32.self)
  return { e in
    product.multiply(e, e[x], e[features])
    quantized.step(
      features: e[features], pitch: product.sumLength, time: e[time], bias: e[bias],
      state: e[state], into: e[y])
  }
}
