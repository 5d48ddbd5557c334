//===--- SortedLookupOperator.swift - HASHTABLE_LOOKUP --------------------===//
//
// Inputs  0 lookups: int32, [n]; 1 keys: int32, [rows], ascending; 2 values: any type, [rows, ...]
// Outputs 0 y: [n, ...], the values' type: zeros if the key is not found; 1 hits: uint8, [n], 1 if
//         it is found.
// Source  LiteRT 2.3.0 `hashtable_lookup.cc`, which rejects a table without rows.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletModel
import MartletReference

/// The inputs.
private enum Input {
  static let lookups = 0
  static let keys = 1
  static let values = 2
}

extension Registration {
  static let hashtableLookup = Registration(
    .hashtableLookup, versions: 1...1,
    traits: OperatorTraits(strings: StringOperands(from: 2, count: 1, results: .first))
  ) { p throws(InferenceError) in
    try p.expect(inputs: 3...3, outputs: 2...2)
    try p.shape(ofInput: Input.lookups, ranks: 1...1)
    let lookups = try p.input(Input.lookups, as: Int32.self)
    let keys = try p.input(Input.keys, as: Int32.self)
    let shape = try p.shape(ofInput: Input.values, ranks: 1...Shape.maximumRank)
    try p.expectCount(shape[0], input: Input.keys)
    let values = try p.inputBytes(Input.values)
    let y = try p.outputBytes(
      0, typedAs: Input.values,
      shape: try p.shape([lookups.count] + shape.dimensions.dropFirst()))
    let hits = try p.output(1, as: UInt8.self, shape: lookups.shape)
    let run = shape.product(1..<shape.rank) * values.elementSize
    return { e in
      Reference.lookUp(
        e[lookups], among: e[keys], values: e[values], run: run, into: e[y], hits: e[hits])
    }
  }
}
