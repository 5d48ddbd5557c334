//===--- CompiledRun.swift - runs the layers of a compiled model ----------===//
//
// Calls the kernels that generated code calls, with the same addresses, without compiling it.
//===----------------------------------------------------------------------===//

import MartletCompiled

@testable import MartletCompiler

extension CompiledModel {
  /// Runs the model; each input has the bytes of the tensor as stored.
  func run(_ inputs: [[UInt8]], outputByteCounts: [Int]) -> [[UInt8]] {
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: max(arenaByteCount, 4), alignment: 16)
    defer { memory.deallocate() }
    let buffers = (inputs.map(\.count) + outputByteCounts).map {
      UnsafeMutableRawPointer.allocate(byteCount: max($0, 4), alignment: 16)
    }
    defer { for buffer in buffers { buffer.deallocate() } }
    for (input, buffer) in zip(inputs, buffers) {
      UnsafeMutableRawBufferPointer(start: buffer, count: input.count).copyBytes(from: input)
    }
    weights.withUnsafeBufferPointer { bytes in
      guard let weights = bytes.baseAddress else { return }
      for layer in lowering.layers {
        var addresses: [UnsafeMutableRawPointer] = []
        var record = UnsafeRawPointer(memory)
        var numbers: [Int] = []
        for argument in layer.arguments {
          switch argument {
          case .value(let value, _):
            switch lowering.values[value].place {
            case .arena: addresses.append(memory + offsets[value, default: 0])
            case .input(let index): addresses.append(buffers[index])
            case .output(let index): addresses.append(buffers[inputs.count + index])
            }
          case .record(let offset): record = UnsafeRawPointer(weights) + offset
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
    case .convolveDSP: DSP.convolve(record, a[0], scratch: a[1], to: a[2])
    case .convolveLinearDSP: DSP.convolveLinear(record, a[0], scratch: a[1], to: a[2])
    case .convolveDepthwiseDSP: DSP.convolveDepthwise(record, a[0], scratch: a[1], to: a[2])
    case .connect: Portable.connect(record, a[0], to: a[1])
    case .flipSigns: MartletCompiled.Layer.flipSigns(a[0], count: n[0], to: a[1])
    case .lookUp: MartletCompiled.Layer.lookUp(record, a[0], count: n[0], to: a[1])
    case .add: MartletCompiled.Layer.add(record, a[0], a[1], count: n[0], to: a[2])
    case .mean: MartletCompiled.Layer.mean(record, a[0], to: a[1])
    case .averagePool:
      MartletCompiled.Layer.averagePool(record, a[0], zero: Int32(n[0]), to: a[1])
    case .maxPool: MartletCompiled.Layer.maxPool(record, a[0], to: a[1])
    case .softmax:
      MartletCompiled.Layer.softmax(record, a[0], rows: n[0], depth: n[1], to: a[1])
    case .resizeNearest: MartletCompiled.Layer.resizeNearest(record, a[0], to: a[1])
    }
  }
}
