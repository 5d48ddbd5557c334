//===--- KernelBenchmarks.swift - single layers ---------------------------===//
//
// The layers in which networks spend most of their time, with the fast kernel and with the
// reference kernel that it must match. They show the speedup and the distance from the peak.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletKernels
import MartletReference

struct KernelBenchmarks {
  let workers: Workers

  var all: [Benchmark] {
    let connected = FullyConnected(rows: 1, depth: 1024, units: 1000)
    var all: [Benchmark] = []
    if let axis = WindowAxis(input: 14, filter: 1, stride: 1, isSame: true) {
      let layer = Convolution(
        window: SlidingWindow(batches: 1, rows: axis, columns: axis), inputDepth: 256,
        filterDepth: 256, outputDepth: 256)
      all += pairs("convolution 1x1 14x14x256 to 256 float32") { floats(layer, $0) }
      all += pairs("convolution 1x1 14x14x256 to 256 int8") { bytes(layer, $0) }
    }
    if let axis = WindowAxis(input: 56, filter: 3, stride: 1, isSame: true) {
      let layer = DepthwiseConvolution(
        window: SlidingWindow(batches: 1, rows: axis, columns: axis), inputDepth: 64,
        multiplier: 1)
      all += pairs("depthwise 3x3 56x56x64 float32") { floats(layer, $0) }
      all += pairs("depthwise 3x3 56x56x64 int8") { bytes(layer, $0) }
    }
    if let layer = Convolution(connected) {
      all += pairs("fully connected 1024 to 1000 float32") { floats(layer, $0) }
    }
    return all + pairs("fully connected 1024 to 1000 int8") { bytes(connected, $0) }
  }

  private enum Kernel: String {
    case fast = ""
    case reference = " (reference)"
  }

  /// A benchmark for the fast kernel and one for the reference kernel.
  private func pairs(
    _ name: String, _ work: @escaping (Kernel) -> Work
  ) -> [Benchmark] {
    [Kernel.fast, .reference].map { kernel in
      Benchmark(name: "kernel/" + name + kernel.rawValue) { work(kernel) }
    }
  }

  private static let zeroPoint: Int32 = -5
  private static let byteZero = ByteZeroPoint(isSigned: true, zeroPoint: zeroPoint)
  private static let byteRange: ClosedRange<Int32> = -128...127
  private static let scale = 0.0007

  private func requantizer(_ channels: Int) -> Requantizer {
    Requantizer(
      multipliers: Array(
        repeating: FixedPointMultiplier(KernelBenchmarks.scale), count: channels),
      zeroPoint: 3, range: KernelBenchmarks.byteRange)
  }
}

// MARK: - Convolutions

extension KernelBenchmarks {
  private func floats(_ layer: Convolution, _ kernel: Kernel) -> Work {
    let o = Operands(floats: layer.extents)
    let unit = Work.Unit.multiplyAdds(layer.multiplyAdds, of: .float32)
    guard kernel == .fast else {
      return Work(unit: unit) {
        Reference.convolve(
          o.x.elements, filter: o.w.elements, bias: o.b.elements, layer, clampedTo: 0...6,
          into: o.y.elements)
      }
    }
    let convolve = Float32Convolution(
      layer, filter: o.w.constant, bias: o.b.constant, clampedTo: 0...6, workers: workers.count)
    let scratch = Buffer(floats: convolve.scratchCount, seed: 5)
    return Work(unit: unit) { [workers] in
      convolve(o.x.elements, scratch: scratch.elements, into: o.y.elements, workers: workers)
    }
  }

  private func bytes(_ layer: Convolution, _ kernel: Kernel) -> Work {
    let o = Operands(bytes: layer.extents)
    let requantizer = requantizer(layer.outputDepth)
    let unit = Work.Unit.multiplyAdds(layer.multiplyAdds, of: .int16)
    guard kernel == .fast else {
      return Work(unit: unit) {
        Reference.convolve(
          o.x.elements, offset: -KernelBenchmarks.zeroPoint, filter: o.w.elements, offset: 0,
          bias: o.b.elements, layer, requantizer: requantizer, into: o.y.elements)
      }
    }
    let convolve = QuantizedConvolution(
      layer, zero: KernelBenchmarks.byteZero, filter: ByteWeights(o.w.constant, offset: 0),
      bias: o.b.constant, requantizer: .fixed(requantizer), workers: workers.count)
    let scratch = Buffer(biases: convolve.scratchCount, seed: 5)
    return Work(unit: unit) { [workers] in
      convolve(o.x.raw, scratch: scratch.elements, into: o.y.raw, workers: workers)
    }
  }
}

// MARK: - Depthwise convolutions

extension KernelBenchmarks {
  private func floats(_ layer: DepthwiseConvolution, _ kernel: Kernel) -> Work {
    let o = Operands(floats: layer.extents)
    let unit = Work.Unit.multiplyAdds(layer.multiplyAdds, of: .float32)
    guard kernel == .fast else {
      return Work(unit: unit) {
        Reference.convolve(
          o.x.elements, filter: o.w.elements, bias: o.b.elements, layer, clampedTo: 0...6,
          into: o.y.elements)
      }
    }
    let convolve = Float32DepthwiseConvolution(layer, clampedTo: 0...6, workers: workers.count)
    return Work(unit: unit) { [workers] in
      convolve(
        o.x.elements, filter: o.w.elements, bias: o.b.elements, into: o.y.elements, workers: workers
      )
    }
  }

  private func bytes(_ layer: DepthwiseConvolution, _ kernel: Kernel) -> Work {
    let o = Operands(bytes: layer.extents)
    let requantizer = requantizer(layer.outputDepth)
    let unit = Work.Unit.multiplyAdds(layer.multiplyAdds, of: .int16)
    let fast = QuantizedConvolution(
      layer, zero: KernelBenchmarks.byteZero, filter: ByteWeights(o.w.constant, offset: 0),
      bias: o.b.constant, requantizer: requantizer, workers: workers.count)
    guard kernel == .fast, let fast else {
      return Work(unit: unit) {
        Reference.convolve(
          o.x.elements, offset: -KernelBenchmarks.zeroPoint, filter: o.w.elements, offset: 0,
          bias: o.b.elements, layer, requantizer: requantizer, into: o.y.elements)
      }
    }
    let scratch = Buffer(biases: fast.scratchCount, seed: 5)
    return Work(unit: unit) { [workers] in
      fast(o.x.raw, scratch: scratch.elements, into: o.y.raw, workers: workers)
    }
  }
}

// MARK: - Fully connected layers

extension KernelBenchmarks {
  private func bytes(_ layer: FullyConnected, _ kernel: Kernel) -> Work {
    let o = Operands(bytes: layer.extents)
    let requantizer = RealRequantizer(
      factors: Array(repeating: KernelBenchmarks.scale, count: layer.units), zeroPoint: 3,
      range: KernelBenchmarks.byteRange)
    let unit = Work.Unit.multiplyAdds(layer.multiplyAdds, of: .int16)
    guard kernel == .fast, let convolution = Convolution(layer) else {
      return Work(unit: unit) {
        Reference.convolve(
          o.x.elements, offset: -KernelBenchmarks.zeroPoint, filter: o.w.elements, offset: 0,
          bias: o.b.elements, layer, requantizer: requantizer, into: o.y.elements)
      }
    }
    let connect = QuantizedConvolution(
      convolution, zero: KernelBenchmarks.byteZero, filter: ByteWeights(o.w.constant, offset: 0),
      bias: o.b.constant, requantizer: .real(requantizer), workers: workers.count)
    let scratch = Buffer(biases: connect.scratchCount, seed: 5)
    return Work(unit: unit) { [workers] in
      connect(o.x.raw, scratch: scratch.elements, into: o.y.raw, workers: workers)
    }
  }
}

// MARK: - Operands

/// The element counts of a layer's inputs, weights, channels and outputs.
private struct Extents {
  let inputs, weights, channels, outputs: Int
}

/// The memory of a layer.
private struct Operands<Value: BitwiseCopyable, Bias: BitwiseCopyable> {
  let x: Buffer<Value>
  let w: Buffer<Value>
  let b: Buffer<Bias>
  let y: Buffer<Value>
}

extension Operands<Float, Float> {
  init(floats extents: Extents) {
    x = Buffer(floats: extents.inputs, seed: 1)
    w = Buffer(floats: extents.weights, seed: 2)
    b = Buffer(floats: extents.channels, seed: 3)
    y = Buffer(floats: extents.outputs, seed: 4)
  }
}

extension Operands<Int8, Int32> {
  init(bytes extents: Extents) {
    x = Buffer(bytes: extents.inputs, seed: 1)
    w = Buffer(bytes: extents.weights, seed: 2)
    b = Buffer(biases: extents.channels, seed: 3)
    y = Buffer(bytes: extents.outputs, seed: 4)
  }
}

extension SlidingWindow {
  fileprivate var inputCount: Int { batches * rows.input * columns.input }
  fileprivate var taps: Int { rows.filter * columns.filter }
}

extension Convolution {
  fileprivate var extents: Extents {
    Extents(
      inputs: window.inputCount * inputDepth, weights: weightCount, channels: outputDepth,
      outputs: window.outputCount * outputDepth)
  }
  fileprivate var weightCount: Int { outputDepth * window.taps * filterDepth }
  fileprivate var multiplyAdds: Int { window.outputCount * weightCount }
}

extension DepthwiseConvolution {
  fileprivate var extents: Extents {
    Extents(
      inputs: window.inputCount * inputDepth, weights: weightCount, channels: outputDepth,
      outputs: window.outputCount * outputDepth)
  }
  fileprivate var weightCount: Int { outputDepth * window.taps }
  fileprivate var multiplyAdds: Int { window.outputCount * weightCount }
}

extension FullyConnected {
  fileprivate var extents: Extents {
    Extents(
      inputs: rows * depth, weights: units * depth, channels: units, outputs: rows * units)
  }
  fileprivate var multiplyAdds: Int { rows * units * depth }
}
