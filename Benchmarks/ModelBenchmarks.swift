//===--- ModelBenchmarks.swift - whole networks ---------------------------===//
//
// The shipped networks and those of a folder, with pseudorandom inputs: floats in -1..<1, small
// whole numbers for types that may be indices, and arbitrary bytes for others.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletCommandLine
import MartletInference
import MartletModel
import MartletWeights

enum ModelBenchmarks {
  /// A network, which is read only if it is requested.
  struct Network {
    let name: String
    let model: () throws -> Model
  }

  /// The shipped networks, and those of a folder.
  static func networks(in folder: FilePath?) throws(FileError) -> [Network] {
    let shipped = ShippedModel.allCases.map { model in
      Network(name: "model/shipped \(model)") { try Model(bytes: model.bytes) }
    }
    guard let folder else { return shipped }
    return try shipped
      + Files.list(folder).filter { $0.hasSuffix(".tflite") }.map { file in
        Network(name: "model/\(file.stem)") {
          try Model(bytes: Files.read(folder / file))
        }
      }
  }

  /// One benchmark per network.
  static func all(of networks: [Network], workers: Workers) -> [Benchmark] {
    networks.map { network in
      Benchmark(name: network.name, isSteady: true) { try work(of: network, workers: workers) }
    }
  }

  /// Creates an interpreter and runs it once.
  static func interpreter(of network: Network, workers: Workers) throws -> Interpreter {
    let interpreter = try Interpreter(model: network.model(), options: .init(workers: workers))
    try fillInputs(of: interpreter)
    try interpreter.invoke()
    return interpreter
  }

  /// Stores values made from a seed in all inputs.
  static func fillInputs(of interpreter: Interpreter) throws {
    for (index, input) in interpreter.inputs.enumerated() {
      try interpreter.withInput(index) { fill($0, of: input.type, seed: UInt64(index)) }
    }
  }

  private static func work(of network: Network, workers: Workers) throws -> Work {
    let interpreter = try interpreter(of: network, workers: workers)
    let total = interpreter.multiplyAdds
    let quantized = interpreter.nodeSummaries.reduce(0) { sum, node in
      node.type == .int8 || node.type == .uint8 ? sum + node.multiplyAdds : sum
    }
    return Work(
      unit: total == 0
        ? .none : .multiplyAdds(total, of: 2 * quantized > total ? .int16 : .float32),
      arenaByteCount: interpreter.arenaByteCount
    ) { try interpreter.invoke() }
  }

  private static func fill(
    _ memory: UnsafeMutableRawBufferPointer, of type: ElementType, seed: UInt64
  ) {
    var random = SplitMix64(seed: seed)
    func each<T: BitwiseCopyable>(_ make: (UInt64) -> T) {
      for index in memory.bindMemory(to: T.self).indices {
        memory.storeBytes(
          of: make(random.next()), toByteOffset: index * MemoryLayout<T>.stride, as: T.self)
      }
    }
    switch type {
    case .float32: each { Float(Int64(bitPattern: $0) >> 40) * 0x1p-23 }
    case .float64: each { Double(Int64(bitPattern: $0) >> 11) * 0x1p-52 }
    case .int32, .uint32: each { Int32($0 % 8) }
    case .int64, .uint64: each { Int64($0 % 8) }
    case .bool: each { UInt8($0 >> 63) }
    default: each { UInt8($0 >> 56) }
    }
  }
}
