//===--- Lowering+Weights.swift - layers with weights ---------------------===//
//
// Contract  As in `Lowering.swift`.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletModel
import MartletReference

extension Lowering {
  /// The options of a convolution.
  struct WindowOptions {
    let padding: Padding
    let strides: (height: Int, width: Int)
    let dilations: (height: Int, width: Int)
    let activation: Activation

    init(_ options: Conv2DOptions) {
      padding = options.padding
      strides = (options.strideHeight, options.strideWidth)
      dilations = (options.dilationHeight, options.dilationWidth)
      activation = options.activation
    }

    init(_ options: DepthwiseConv2DOptions) {
      padding = options.padding
      strides = (options.strideHeight, options.strideWidth)
      dilations = (options.dilationHeight, options.dilationWidth)
      activation = options.activation
    }
  }

  mutating func lowerConvolution(
    _ n: Node, _ o: WindowOptions, isDepthwise: Bool = false
  ) throws(CompileError) {
    guard let x = bytes(n, n.input(0)), let y = bytes(n, n.output),
      let layer = try filtering(n, o, isDepthwise: isDepthwise),
      let range = range(n, o.activation, y)
    else { return }
    let (taps, outputs) = (layer.taps, layer.outputs)
    var weights = try weights(n, channels: outputs, axis: isDepthwise ? 3 : 0)
    if isDepthwise { weights.transpose(rows: taps, columns: outputs) }
    let channels = (0..<outputs).map { channel in
      ChannelScaling(
        weights.values[channel * taps..<(channel + 1) * taps], bias: weights.bias[channel],
        x: (x.scale, x.zero), weight: weights.scales[channel], y: (y.scale, y.zero, range),
        isSingle: !x.isSigned)
    }
    for (channel, scaling) in channels.enumerated() where scaling.isConstant {
      for tap in 0..<taps { weights.clear(channel * taps + tap) }
    }
    guard channels.allSatisfy(\.fitsPortable) else {
      return note("\(n.name) with a sum of 32 bits")
    }
    let (packed, offset) = weights.packed
    let head = record(layer, inputZero: x.zero, outputZero: y.zero, range)
    let isRectified = y.zero == 0 && range == 0...255
    let wide = offset.map { [$0] } ?? []
    let fitsDSP = channels.allSatisfy(\.fitsDSP)
    let kernel: Kernel
    let record: Int
    let scratch: Int
    switch target {
    case .helium where fitsDSP && wide.isEmpty:
      kernel = .convolveHelium
      record = blob.append(
        head + channels.flatMap(\.heliumIntegers), packed + [UInt8](repeating: 0, count: 15))
      scratch = 80 * ((taps + 15) / 16)
    case .dsp where fitsDSP && outputs.isMultiple(of: 2):
      let kernels: [Kernel] =
        wide.isEmpty
        ? [.convolveDSP, .convolveLinearDSP] : [.convolveWideDSP, .convolveLinearWideDSP]
      kernel = kernels[isRectified ? 0 : 1]
      record = blob.append(
        head + wide + channels.flatMap(\.dspIntegers),
        DSPWeights.convolution(packed, outputs: outputs, taps: taps))
      scratch = 72 * ((taps + 7) / 8)
    default:
      kernel = wide.isEmpty ? .convolve : .convolveWide
      record = blob.append(head + wide + channels.flatMap(\.integers), packed)
      scratch = 2 * taps
    }
    append(
      n, kernel, record, scratch: scratch, lead: layer.order(elementSize: 1).lead(.first))
  }

  mutating func lowerDepthwise(
    _ n: Node, _ o: WindowOptions
  ) throws(CompileError) {
    // Of one channel it is a convolution, whose filters are stored tap by tap.
    if shape(n.input(0)).dimensions.last == 1 {
      return try lowerConvolution(n, o, isDepthwise: true)
    }
    guard let x = bytes(n, n.input(0)), let y = bytes(n, n.output),
      let layer = try filtering(n, o, isDepthwise: true), let range = range(n, o.activation, y)
    else { return }
    let outputs = layer.outputs
    var weights = try weights(n, channels: outputs, axis: 3)
    let channels = (0..<outputs).map { channel in
      ChannelScaling(
        stride(from: channel, to: weights.values.count, by: outputs).map { weights.values[$0] },
        bias: weights.bias[channel], x: (x.scale, x.zero), weight: weights.scales[channel],
        y: (y.scale, y.zero, range), isSingle: !x.isSigned)
    }
    for index in weights.values.indices where channels[index % outputs].isConstant {
      weights.clear(index)
    }
    guard channels.allSatisfy(\.fitsPortable) else {
      return note("\(n.name) with a sum of 32 bits")
    }
    let (packed, offset) = weights.packed
    let head = record(layer, inputZero: x.zero, outputZero: y.zero, range)
    let isSingle = outputs == layer.depth && channels.allSatisfy(\.fitsDSP)
    let lead = outputs == layer.depth ? layer.order(elementSize: 1).lead(.first) : nil
    if target == .helium, isSingle, outputs.isMultiple(of: 8), offset == nil {
      let record = blob.append(
        head + HeliumWeights.integers(channels),
        HeliumWeights.depthwise(packed, channels: outputs))
      return append(n, .convolveDepthwiseHelium, record, scratch: layer.taps, lead: lead)
    }
    let fitsDSP =
      target != .portable && layer.window.rows.filter == 3 && layer.window.columns.filter == 3
      && o.dilations == (1, 1) && isSingle && outputs.isMultiple(of: 4)
      && y.zero == 0 && range == 0...255
    guard !fitsDSP else {
      let words =
        offset == nil
        ? DSPWeights.depthwise(packed, channels: outputs)
        : DSPWeights.wideDepthwise(weights.values, channels: outputs)
      return append(
        n, offset == nil ? .convolveDepthwiseDSP : .convolveDepthwiseWideDSP,
        blob.append(head + channels.flatMap(\.dspIntegers), words), scratch: layer.taps,
        lead: lead)
    }
    let record = blob.append(
      head + (offset.map { [$0] } ?? []) + channels.flatMap(\.integers), packed)
    append(
      n, offset == nil ? .convolveDepthwise : .convolveDepthwiseWide, record,
      scratch: layer.taps, lead: lead)
  }

  mutating func lowerFullyConnected(
    _ n: Node, _ o: FullyConnectedOptions
  ) throws(CompileError) {
    guard let x = bytes(n, n.input(0)), let y = bytes(n, n.output),
      let layer = try connecting(n, o), let range = range(n, o.activation, y)
    else { return }
    let (units, depth) = (layer.outputs, layer.depth)
    let weights = try weights(n, channels: units, axis: 0)
    let factors = weights.scales.map { Double(x.scale) * Double($0) / Double(y.scale) }
    var known: (factor: Double, scaling: SingleRounding)?
    // Sums are shifted to the left until every factor is in the range of `SingleRounding`.
    let largest = factors.max() ?? 0
    let left = largest < SingleRounding.limit ? 0 : Int(min(largest, 0x1p24).exponent) + 3
    let results = -1 - Int(y.zero)...256 - Int(y.zero)
    var channels: [Int32] = []
    for unit in 0..<units {
      let row = weights.values[unit * depth..<(unit + 1) * depth]
      let sum = row.reduce(0 as Int32) { $0 &+ $1 }
      let factor = factors[unit] / Double(1 << left)
      // Sums that saturate must have the least or greatest result.
      guard left == 0 || factor == 0 || factor > 0x1p-21,
        let scaling = known?.factor == factor
          ? known?.scaling : SingleRounding(factor, results: results)
      else {
        throw .scale(
          node: n.index, channel: unit, factor: factors[unit],
          reach: row.reduce(Double(weights.bias[unit].magnitude)) {
            $0 + 255 * Double($1.magnitude)
          })
      }
      known = (factor, scaling)
      channels += [weights.bias[unit] &- x.zero &* sum, scaling.multiplier, scaling.shift]
    }
    let (packed, offset) = weights.packed
    let isWide = offset != nil || left > 0
    let head = [layer.window.outputCount, depth, units].map { Int32($0) }
    let fitsDSP =
      target != .portable && !isWide && units.isMultiple(of: 2) && depth.isMultiple(of: 8)
    let record = blob.append(
      head + [y.zero, range.lowerBound, range.upperBound]
        + (isWide ? [offset ?? 0, Int32(left)] : []) + channels,
      fitsDSP ? DSPWeights.convolution(packed, outputs: units, taps: depth) : packed)
    append(n, fitsDSP ? .connectDSP : isWide ? .connectWide : .connect, record, lead: nil)
  }

  // MARK: - Constants

  struct Weights {
    /// The weights less their zero point.
    private(set) var values: [Int32]
    let scales: [Float]
    let bias: [Int32]

    mutating func clear(_ index: Int) { values[index] = 0 }

    /// Exchanges rows and columns.
    mutating func transpose(rows: Int, columns: Int) {
      let before = values
      for row in 0..<rows {
        for column in 0..<columns {
          values[column * rows + row] = before[row * columns + column]
        }
      }
    }

    /// The weights as signed bytes, and what must be added to each if they need nine bits.
    var packed: (bytes: [UInt8], offset: Int32?) {
      let offset = max((values.max() ?? 0) - 127, 0) + min((values.min() ?? 0) + 128, 0)
      return (
        values.map { UInt8(truncatingIfNeeded: $0 - offset) }, offset == 0 ? nil : offset
      )
    }
  }

  func constant(_ n: Node, _ operand: Int) throws(CompileError) -> Range<Int> {
    let tensor = n.input(operand)
    guard tensor >= 0, isConstant(tensor) else {
      throw .notConstant(node: n.index, operand: operand)
    }
    return model.buffers[graph.tensors[tensor].buffer]
  }

  func integers(_ n: Node, _ operand: Int) throws(CompileError) -> [Int32] {
    guard n.input(operand) >= 0, graph.tensors[n.input(operand)].type == .int32 else {
      throw .unsupported(["\(n.name) whose input \(operand) is not int32"])
    }
    let start = try constant(n, operand).lowerBound
    return (0..<shape(n.input(operand)).elementCount).map { integer(at: start + 4 * $0) }
  }

  /// Throws unless a layer has as many biases as channels.
  func expectBias(_ n: Node, _ count: Int, expected: Int) throws(CompileError) {
    guard count == expected else {
      throw .inconsistent(
        node: n.index, reason: "the bias has \(count) elements, \(expected) expected")
    }
  }

  func integer(at offset: Int) -> Int32 {
    var value: UInt32 = 0
    for i in 0..<4 { value |= UInt32(model.bytes[offset + i]) << UInt32(8 * i) }
    return Int32(bitPattern: value)
  }

  func weights(
    _ n: Node, channels: Int, axis: Int, hasBias: Bool = true
  ) throws(CompileError) -> Weights {
    let tensor = graph.tensors[n.input(1)]
    guard let map = tensor.quantization,
      map.isPerTensor || (map.scales.count == channels && map.axis == axis),
      map.scales.allSatisfy({ $0 >= 0 && $0.isFinite })
    else { throw .quantization(node: n.index, operand: 1) }
    let range = try constant(n, 1)
    let count = shape(n.input(1)).elementCount
    guard tensor.type == .int8 || tensor.type == .uint8, range.count >= count else {
      throw .unsupported(["\(n.name) with weights of \(tensor.type)"])
    }
    guard !map.isPerTensor || (-128...255).contains(map.zeroPoint) else {
      throw .quantization(node: n.index, operand: 1)
    }
    let zero = map.isPerTensor ? Int32(map.zeroPoint) : 0
    let values = (0..<count).map { index in
      let byte = model.bytes[range.lowerBound + index]
      return (tensor.type == .int8 ? Int32(Int8(bitPattern: byte)) : Int32(byte)) &- zero
    }
    var bias = [Int32](repeating: 0, count: channels)
    if hasBias, n.input(2) >= 0 {
      let stored = try integers(n, 2)
      guard stored.count >= channels else {
        throw .inconsistent(
          node: n.index, reason: "the bias has \(stored.count) elements, \(channels) expected")
      }
      bias = Array(stored.prefix(channels))
    }
    return Weights(
      values: values,
      scales: map.isPerTensor ? [Float](repeating: map.scale, count: channels) : map.scales,
      bias: bias)
  }
}
