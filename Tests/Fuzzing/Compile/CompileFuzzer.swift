//===--- CompileFuzzer.swift - fuzzes the compiler of models --------------===//
//
// A libFuzzer target with the inputs of `ModelFuzzer`: models, and recipes of graphs. Each model is
// compiled for all targets. What is small enough runs, as the generated code would call the kernels,
// and the results are compared with the interpreter's.
//
// Oracles   No trap, and no access outside the memory. Compiling takes at most a second of processor
//           time, plus one for each megabyte of the file. The interpreter accepts what the compiler
//           accepts, and its reference kernels give the same bytes; any NaN equals any other, and any zero.
// Run       .ci/fuzz compile
//===----------------------------------------------------------------------===//

import Glibc
import MartletInference
import MartletModel

@testable import MartletCompiler

/// Tests one input.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ data: UnsafePointer<UInt8>, _ size: Int) -> CInt {
  let bytes = [UInt8](UnsafeBufferPointer(start: data, count: size))
  check(Recipe(bytes).map { GraphWriter.model($0, of: compiledCodes) } ?? bytes)
  return 0
}

/// The codes in the schema of operators that are compiled.
private let compiledCodes: Set<Int> = [
  0, 1, 2, 3, 4, 6, 9, 14, 17, 18, 19, 20, 21, 22, 25, 28, 34, 39, 40, 41, 43, 45, 54, 65, 70, 97,
  98, 114, 117,
]

private func check(_ bytes: [UInt8]) {
  guard let model = try? Model(bytes: bytes) else { return }
  let compiled = CompileTarget.allCases.map { target in
    let start = clock()
    let result = try? CompiledModel(model, name: "Model", for: target, weights: .inline)
    let seconds = Double(clock() - start) / Double(CLOCKS_PER_SEC)
    guard seconds <= 1 + Double(bytes.count) * 1e-6 else {
      fatalError("compiling for \(target.rawValue) took \(seconds) seconds")
    }
    return result
  }
  guard compiled.contains(where: { $0 != nil }) else { return }
  do {
    // The limits of the tool.
    _ = try PreparedModel(model: model)
  } catch {
    fatalError("the interpreter refuses what was compiled: \(error)")
  }
  let options = Interpreter.Options(
    kernels: .reference, memoryLimit: 4 << 20, workLimit: 1 << 22)
  guard let interpreter = try? Interpreter(model: model, options: options) else { return }
  let runs = compiled.map { $0.map { CompiledRun($0) } }
  var random = SplitMix64(seed: bytes.reduce(UInt64(bytes.count)) { ($0 ^ UInt64($1)) &* 0x1B3 })
  // Twice, because models may have a state.
  for run in 0..<2 {
    var inputs: [[UInt8]] = []
    for index in interpreter.inputs.indices {
      let elements = drawn(interpreter.inputs[index], &random)
      inputs.append(elements)
      try? interpreter.setInput(index, to: elements)
    }
    guard (try? interpreter.invoke()) != nil else { return }
    let expected = interpreter.outputs.indices.map { (try? interpreter.output($0)) ?? [] }
    for (target, compiled) in zip(CompileTarget.allCases, runs) {
      guard let found = compiled?(inputs, outputByteCounts: expected.map(\.count)) else { continue }
      for (index, tensor) in interpreter.outputs.enumerated()
      where !areEqual(found[index], expected[index], tensor.type) {
        fatalError(
          """
          run \(run) for \(target.rawValue) of \
          \(model.subgraphs[0].operators.map { "\($0.code)" }): output \(index) is \
          \(found[index]), the interpreter's \(expected[index])
          """)
      }
    }
  }
}

/// Random elements of a tensor. Floats are finite and in -4..<4: the contract says nothing of others.
private func drawn(_ tensor: InterfaceTensor, _ random: inout SplitMix64) -> [UInt8] {
  let count = tensor.shape.elementCount
  guard tensor.type == .float32 else {
    return (0..<count * tensor.type.bitWidth / 8).map { _ in
      UInt8(truncatingIfNeeded: random.next())
    }
  }
  let specials: [Float] = [0, -0.0, .leastNonzeroMagnitude]
  return (0..<count).flatMap { _ in
    let word = random.next()
    let plain = Float(Int32(truncatingIfNeeded: word)) * 0x1p-29
    let number = word >> 40 & 127 < 3 ? specials[Int(word >> 40 & 127)] : plain
    return withUnsafeBytes(of: number.bitPattern.littleEndian) { Array($0) }
  }
}

private func areEqual(_ a: [UInt8], _ b: [UInt8], _ type: ElementType) -> Bool {
  guard a != b else { return true }
  guard type == .float32, a.count == b.count else { return false }
  func number(_ bytes: [UInt8], at index: Int) -> Float {
    Float(
      bitPattern: (0..<4).reduce(0) { $0 | UInt32(bytes[4 * index + $1]) << UInt32(8 * $1) })
  }
  return (0..<a.count / 4).allSatisfy { index in
    let (x, y) = (number(a, at: index), number(b, at: index))
    return x == y || x.isNaN && y.isNaN
  }
}
