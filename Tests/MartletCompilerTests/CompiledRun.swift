//===--- CompiledRun.swift - runs the layers of a compiled model ----------===//
//
// Calls the kernels that generated code calls, with the same addresses, without compiling it. Also
// part of `.ci/fuzz compile`.
//===----------------------------------------------------------------------===//

import MartletCompiled

@testable import MartletCompiler

/// A compiled model with memory for its runs.
final class CompiledRun {
  private let model: CompiledModel
  private let memory: UnsafeMutableRawPointer

  init(_ model: CompiledModel) {
    self.model = model
    let count = max(model.arenaByteCount, 4)
    memory = .allocate(byteCount: count, alignment: 16)
    // Layers must not rely on what the memory holds.
    memory.initializeMemory(as: UInt8.self, repeating: 0xA5, count: count)
    for state in model.states {
      MartletCompiled.Layer.fill(memory + state.offset, count: state.byteCount, byte: state.byte)
    }
  }

  deinit { memory.deallocate() }

  /// Runs the model; each input has the bytes of the tensor as stored.
  func callAsFunction(_ inputs: [[UInt8]], outputByteCounts: [Int]) -> [[UInt8]] {
    let buffers = (inputs.map(\.count) + outputByteCounts).map {
      UnsafeMutableRawPointer.allocate(byteCount: max($0, 4), alignment: 16)
    }
    defer { for buffer in buffers { buffer.deallocate() } }
    for (input, buffer) in zip(inputs, buffers) {
      UnsafeMutableRawBufferPointer(start: buffer, count: input.count).copyBytes(from: input)
    }
    model.weights.withUnsafeBufferPointer { bytes in
      let weights = bytes.baseAddress.map { UnsafeRawPointer($0) } ?? UnsafeRawPointer(memory)
      for layer in model.lowering.layers {
        var addresses: [UnsafeMutableRawPointer] = []
        var record = weights
        var numbers: [Int] = []
        for argument in layer.arguments {
          switch argument {
          case .value(let value, _):
            switch model.lowering.values[value].place {
            case .arena: addresses.append(memory + model.offsets[value, default: 0])
            case .input(let index): addresses.append(buffers[index])
            case .output(let index): addresses.append(buffers[inputs.count + index])
            }
          case .record(let offset): record = weights + offset
          case .constant(let offset):
            addresses.append(UnsafeMutableRawPointer(mutating: weights + offset))
          case .number(_, let number): numbers.append(number)
          }
        }
        call(layer.kernel, record, addresses, numbers)
      }
    }
    return zip(outputByteCounts, buffers[inputs.count...]).map { count, buffer in
      Array(UnsafeRawBufferPointer(start: buffer, count: count))
    }
  }

  private func call(
    _ kernel: Kernel, _ record: UnsafeRawPointer, _ a: [UnsafeMutableRawPointer], _ n: [Int]
  ) {
    switch kernel {
    case .convolve: Portable.convolve(record, a[0], scratch: a[1], to: a[2])
    case .convolveDepthwise: Portable.convolveDepthwise(record, a[0], scratch: a[1], to: a[2])
    case .convolveWide: Portable.convolveWide(record, a[0], scratch: a[1], to: a[2])
    case .convolveDepthwiseWide:
      Portable.convolveDepthwiseWide(record, a[0], scratch: a[1], to: a[2])
    case .convolveDSP: DSP.convolve(record, a[0], scratch: a[1], to: a[2])
    case .convolveLinearDSP: DSP.convolveLinear(record, a[0], scratch: a[1], to: a[2])
    case .convolveWideDSP: DSP.convolveWide(record, a[0], scratch: a[1], to: a[2])
    case .convolveLinearWideDSP: DSP.convolveLinearWide(record, a[0], scratch: a[1], to: a[2])
    case .convolveDepthwiseDSP: DSP.convolveDepthwise(record, a[0], scratch: a[1], to: a[2])
    case .convolveHelium: Helium.convolve(record, a[0], scratch: a[1], to: a[2])
    case .convolveDepthwiseHelium:
      Helium.convolveDepthwise(record, a[0], scratch: a[1], to: a[2])
    case .convolveDepthwiseWideDSP:
      DSP.convolveDepthwiseWide(record, a[0], scratch: a[1], to: a[2])
    case .connect: Portable.connect(record, a[0], to: a[1])
    case .connectWide: Portable.connectWide(record, a[0], to: a[1])
    case .connectDSP: DSP.connect(record, a[0], to: a[1])
    case .flipSigns: MartletCompiled.Layer.flipSigns(a[0], count: n[0], to: a[1])
    case .lookUp: MartletCompiled.Layer.lookUp(record, a[0], count: n[0], to: a[1])
    case .add: MartletCompiled.Layer.add(record, a[0], a[1], count: n[0], to: a[2])
    case .mean: MartletCompiled.Layer.mean(record, a[0], to: a[1])
    case .averagePool:
      MartletCompiled.Layer.averagePool(record, a[0], zero: Int32(n[0]), to: a[1])
    case .maxPool: MartletCompiled.Layer.maxPool(record, a[0], to: a[1])
    case .softmax:
      MartletCompiled.Layer.softmax(record, a[0], rows: n[0], depth: n[1], to: a[1])
    case .addRepeated:
      MartletCompiled.Layer.addRepeated(record, a[0], a[1], count: n[0], to: a[2])
    case .multiply: MartletCompiled.Layer.multiply(record, a[0], a[1], count: n[0], to: a[2])
    case .copyRows:
      MartletCompiled.Layer.copyRows(
        a[0], rows: n[0], run: n[1], offset: n[2], pitch: n[3], to: a[1])
    case .copyRuns: MartletCompiled.Layer.copyRuns(record, a[0], to: a[1])
    case .pad: MartletCompiled.Layer.pad(record, a[0], to: a[1])
    case .resizeNearest: MartletCompiled.Layer.resizeNearest(record, a[0], to: a[1])
    default: callFloats(kernel, record, a, n)
    }
  }

  private func callFloats(
    _ kernel: Kernel, _ record: UnsafeRawPointer, _ a: [UnsafeMutableRawPointer], _ n: [Int]
  ) {
    switch kernel {
    case .convolveFloats: Floats.convolve(record, a[0], to: a[1])
    case .convolveDepthwiseFloats: Floats.convolveDepthwise(record, a[0], to: a[1])
    case .averageFloats: Floats.averagePool(record, a[0], to: a[1])
    case .maxFloats: Floats.maxPool(record, a[0], to: a[1])
    case .addFloats: Floats.add(record, a[0], a[1], count: n[0], to: a[2])
    case .subtractFloats: Floats.subtract(record, a[0], a[1], count: n[0], to: a[2])
    case .multiplyFloats: Floats.multiply(record, a[0], a[1], count: n[0], to: a[2])
    case .preluFloats: Floats.prelu(record, a[0], a[1], count: n[0], to: a[2])
    case .clampFloats: Floats.clamp(record, a[0], count: n[0], to: a[1])
    case .leakyReluFloats: Floats.leakyRelu(record, a[0], count: n[0], to: a[1])
    case .hardSwishFloats: Floats.hardSwish(a[0], count: n[0], to: a[1])
    case .logisticFloats: Floats.logistic(a[0], count: n[0], to: a[1])
    case .tanhFloats: Floats.tanh(a[0], count: n[0], to: a[1])
    case .softmaxFloats: Floats.softmax(record, a[0], rows: n[0], depth: n[1], to: a[1])
    case .quantizeFloats: Floats.quantize(record, a[0], count: n[0], to: a[1])
    case .dequantizeBytes: Floats.dequantize(record, a[0], count: n[0], to: a[1])
    default: callShorts(kernel, record, a, n)
    }
  }

  private func callShorts(
    _ kernel: Kernel, _ record: UnsafeRawPointer, _ a: [UnsafeMutableRawPointer], _ n: [Int]
  ) {
    switch kernel {
    case .convolveHybrid: Hybrid.convolve(record, a[0], scratch: a[1], to: a[2])
    case .convolveDepthwiseHybrid:
      Hybrid.convolveDepthwise(record, a[0], scratch: a[1], to: a[2])
    case .connectHybrid: Hybrid.connect(record, a[0], rows: n[0], scratch: a[1], to: a[2])
    case .quantizeShorts: Floats.quantizeShorts(record, a[0], count: n[0], to: a[1])
    case .dequantizeShorts: Floats.dequantizeShorts(record, a[0], count: n[0], to: a[1])
    case .convolveShorts: Shorts.convolve(record, a[0], to: a[1])
    case .convolveDepthwiseShorts: Shorts.convolveDepthwise(record, a[0], to: a[1])
    case .connectShorts: Shorts.connect(record, a[0], to: a[1])
    case .averageShorts: Shorts.averagePool(record, a[0], to: a[1])
    case .maxShorts: Shorts.maxPool(record, a[0], to: a[1])
    case .meanShorts: Shorts.mean(record, a[0], to: a[1])
    case .addShorts: Shorts.add(record, a[0], a[1], count: n[0], to: a[2])
    case .multiplyShorts: Shorts.multiply(record, a[0], a[1], count: n[0], to: a[2])
    case .leakyReluShorts: Shorts.leakyRelu(record, a[0], count: n[0], to: a[1])
    case .softmaxShorts: Shorts.softmax(record, a[0], rows: n[0], depth: n[1], to: a[1])
    case .bytesFromShorts: Shorts.toBytes(record, a[0], count: n[0], to: a[1])
    case .shortsFromShorts: Shorts.toShorts(record, a[0], count: n[0], to: a[1])
    case .integersFromShorts: Shorts.toIntegers(record, a[0], count: n[0], to: a[1])
    case .shortsFromBytes: Shorts.fromBytes(record, a[0], count: n[0], to: a[1])
    case .softmaxToShorts:
      MartletCompiled.Layer.softmaxShorts(record, a[0], rows: n[0], depth: n[1], to: a[1])
    case .svdf: MartletCompiled.Layer.svdf(record, a[0], state: a[1], to: a[2])
    case .svdfBytes: MartletCompiled.Layer.svdfBytes(record, a[0], state: a[1], to: a[2])
    default: fatalError("no call of \(kernel)")
    }
  }
}
