//===--- ModelFuzzer.swift - fuzzes models --------------------------------===//
//
// A libFuzzer target with two kinds of inputs:
//
//   models   the bytes of a `.tflite` file. Mutations replace the schema's numbers (extents, types,
//            scales, options, indices), exchange tables, and flip bytes.
//   recipes  (first byte `Recipe.mark`) decisions that describe a graph of operators whose tensors
//            mostly fit each other. Mutated files rarely contain such graphs.
//
// Each model is read with its metadata and archive and prepared with low memory and work limits. It
// is run twice, resized and run again, with both kernel sets.
//
// Oracles   No trap, no access outside the memory, no hang, no use beyond the limits (checked by
//           the sanitizers and libFuzzer). A second run and a run with three workers return the
//           same bytes. If the graph has no floats, both kernel sets return the same bytes.
// Run       .ci/fuzz
//===----------------------------------------------------------------------===//

import MartletInference
import MartletModel

/// Tests one input.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ data: UnsafePointer<UInt8>, _ size: Int) -> CInt {
  let bytes = [UInt8](UnsafeBufferPointer(start: data, count: size))
  check(Recipe(bytes).map { GraphWriter.model($0) } ?? bytes)
  return 0
}

// MARK: - Checks

/// The limits for a model while it is fuzzed.
private let memoryLimit = 4 << 20
private let workLimit = 1 << 22

/// Runs the chunks of three workers sequentially, last first, so that findings are reproducible.
private let threeWorkers = Workers(count: 3) { chunks, body in
  for index in (0..<chunks).reversed() { body(index) }
}

private func check(_ bytes: [UInt8]) {
  guard let model = try? Model(bytes: bytes) else { return }
  readMetadata(of: model)
  let seed = bytes.reduce(UInt64(bytes.count)) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  let reference = outputs(of: model, seed, .reference, .serial)
  let fast = outputs(of: model, seed, .fast, .serial)
  let chunked = outputs(of: model, seed, .fast, threeWorkers)
  expectEqual(fast, chunked, "three workers differ from one", model)
  if model.isIntegral {
    expectEqual(reference, fast, "fast kernels differ from reference kernels", model)
  }
}

/// Stops the program if two runs both succeeded with different results.
private func expectEqual(
  _ one: [[[UInt8]]], _ other: [[[UInt8]]], _ what: String, _ model: Model
) {
  for (run, results) in zip(one, other).enumerated() where results.0 != results.1 {
    let nodes = model.subgraphs.map { graph in graph.operators.map { "\($0.code)" } }
    fatalError("\(what) in run \(run) of \(nodes): \(results.0), \(results.1)")
  }
}

private func readMetadata(of model: Model) {
  guard let metadata = try? model.readMetadata() else { return }
  for graph in metadata.subgraphs {
    for tensor in graph.inputs + graph.outputs {
      _ = try? metadata.labels(of: tensor, locale: "en")
      _ = try? metadata.labels(of: tensor, type: .tensorValueLabels)
      _ = try? metadata.scoreCalibrations(of: tensor)
    }
  }
  for file in metadata.associatedFiles { _ = try? metadata.contents(ofFile: file.name) }
}

/// The bytes of all outputs after a run, and after a run with a resized input. An array is missing
/// if the model is rejected.
private func outputs(
  of model: Model, _ seed: UInt64, _ kernels: KernelSet, _ workers: Workers
) -> [[[UInt8]]] {
  let options = Interpreter.Options(
    kernels: kernels, workers: workers, memoryLimit: memoryLimit, loopLimit: 1000,
    workLimit: workLimit)
  guard let interpreter = try? Interpreter(model: model, options: options) else { return [] }
  var random = SplitMix64(seed: seed)
  guard let first = run(interpreter, &random) else { return [] }
  if model.isStateless, let again = rerun(interpreter) {
    expectEqual([first], [again], "a second run differs from the first", model)
  }
  guard resize(interpreter, &random), let second = run(interpreter, &random) else { return [first] }
  return [first, second]
}

private func run(_ interpreter: Interpreter, _ random: inout SplitMix64) -> [[UInt8]]? {
  for (index, input) in interpreter.inputs.enumerated() {
    try? interpreter.withInput(index) { fill($0, input.type, &random) }
  }
  return rerun(interpreter)
}

private func rerun(_ interpreter: Interpreter) -> [[UInt8]]? {
  guard (try? interpreter.invoke()) != nil else { return nil }
  return interpreter.outputs.indices.map { (try? interpreter.output($0)) ?? [] }
}

/// Changes an extent of input 0; `false` if that is rejected.
private func resize(_ interpreter: Interpreter, _ random: inout SplitMix64) -> Bool {
  guard var extents = interpreter.inputs.first?.shape.dimensions, !extents.isEmpty else {
    return false
  }
  let choices = [0, 1, 2, 3, 7, 64, 1 << 20, Int(Int32.max), -1]
  extents[Int(random.next() % UInt64(extents.count))] =
    choices[Int(random.next() % UInt64(choices.count))]
  return (try? interpreter.resizeInput(0, to: extents)) != nil
}

/// Bytes that are plausible for the type: small indices, Booleans 0 or 1, some nonfinite floats.
private func fill(
  _ memory: UnsafeMutableRawBufferPointer, _ type: ElementType, _ random: inout SplitMix64
) {
  let width = max(type.bitWidth / 8, 1)
  for offset in stride(from: 0, to: memory.count / width * width, by: width) {
    var word = random.next()
    switch type {
    case .bool: word &= 1
    case .int32, .int64:
      let small = Int64(word & 7) - (word >> 8 & 7 == 0 ? 4 : 0)
      if word >> 16 & 31 > 0 { word = UInt64(bitPattern: small) }
    case .float32:
      let specials: [Float] = [.nan, .infinity, -.infinity, 0, -0.0, .leastNonzeroMagnitude, 3e38]
      let plain = Float(Int32(truncatingIfNeeded: word)) * 0x1p-29
      word = UInt64((word >> 40 & 63 < 7 ? specials[Int(word >> 40 & 63)] : plain).bitPattern)
    default: break
    }
    withUnsafeBytes(of: word.littleEndian) {
      UnsafeMutableRawBufferPointer(rebasing: memory[offset..<offset + min(width, 8)])
        .copyBytes(from: $0.prefix(width))
    }
  }
}

extension Model {
  /// Whether no tensor has floats, so that all kernels must agree bit for bit.
  fileprivate var isIntegral: Bool {
    let integers: Set<ElementType> = [.int8, .uint8, .int16, .int32, .int64, .bool, .uint32]
    return subgraphs.allSatisfy { $0.tensors.allSatisfy { integers.contains($0.type) } }
  }

  /// Whether no state is kept between runs.
  fileprivate var isStateless: Bool {
    subgraphs.allSatisfy { graph in
      graph.tensors.allSatisfy { !$0.isVariable && $0.type != .resource }
        && graph.operators.allSatisfy { $0.code != .builtin(.varHandle) }
    }
  }
}
