//===--- ArithmeticOptions.swift - options of arithmetic ------------------===//
//
// Options of elementwise operators: arithmetic, activations, casts, random numbers.
// Names, the numbers of fields and defaults are those of the schema.
//
// Contract  Indices of subgraphs are valid, and enumerations have values of the schema. Extents,
//           strides and axes are checked by the operator that uses them, not here.
//===----------------------------------------------------------------------===//

/// ADD, SUB: `potScaleInt16` applies to 16-bit tensors only.
package struct AddOptions: Sendable, Equatable {
  package var activation = Activation.none
  package var potScaleInt16 = true
}

extension AddOptions {
  init(_ table: SchemaTable) throws(ModelError) {
    activation = try table.activation(0)
    potScaleInt16 = try table.bool(1, default: true)
  }
}

/// MUL, DIV: only a fused activation.
package struct ActivationOptions: Sendable, Equatable {
  package var activation = Activation.none
}

extension ActivationOptions {
  init(_ table: SchemaTable) throws(ModelError) {
    activation = try table.activation(0)
  }
}

package struct LeakyReluOptions: Sendable, Equatable {
  package var alpha: Float = 0
}

extension LeakyReluOptions {
  init(_ table: SchemaTable) throws(ModelError) {
    alpha = try table.float(0)
  }
}

package struct GeluOptions: Sendable, Equatable {
  package var approximate = false
}

extension GeluOptions {
  init(_ table: SchemaTable) throws(ModelError) {
    approximate = try table.bool(0)
  }
}

package struct FakeQuantOptions: Sendable, Equatable {
  package var minimum: Float = 0
  package var maximum: Float = 0
  package var bitCount = 0
  package var narrowRange = false
}

extension FakeQuantOptions {
  init(_ table: SchemaTable) throws(ModelError) {
    minimum = try table.float(0)
    maximum = try table.float(1)
    bitCount = try table.int32(2)
    narrowRange = try table.bool(3)
  }
}

/// CAST: raw values of `ElementType`. Operators use the types of the tensors instead.
package struct CastOptions: Sendable, Equatable {
  package var inputType: UInt8 = 0
  package var outputType: UInt8 = 0
}

extension CastOptions {
  init(_ table: SchemaTable) throws(ModelError) {
    inputType = try table.uint8(0)
    outputType = try table.uint8(1)
  }
}

package struct CumsumOptions: Sendable, Equatable {
  package var exclusive = false
  package var reverse = false
}

extension CumsumOptions {
  init(_ table: SchemaTable) throws(ModelError) {
    exclusive = try table.bool(0)
    reverse = try table.bool(1)
  }
}

package struct ReducerOptions: Sendable, Equatable {
  package var keepDimensions = false
}

extension ReducerOptions {
  init(_ table: SchemaTable) throws(ModelError) {
    keepDimensions = try table.bool(0)
  }
}

package struct ArgOptions: Sendable, Equatable {
  package var outputType: UInt8 = 0
}

extension ArgOptions {
  init(_ table: SchemaTable, default type: UInt8 = 0) throws(ModelError) {
    outputType = try table.uint8(0, default: type)
  }
}

package struct RandomOptions: Sendable, Equatable {
  package var seed: Int64 = 0
  package var seed2: Int64 = 0
}

extension RandomOptions {
  init(_ table: SchemaTable) throws(ModelError) {
    seed = try table.int64(0)
    seed2 = try table.int64(1)
  }
}

package struct BucketizeOptions: Sendable, Equatable {
  package var boundaries: [Float] = []
}

extension BucketizeOptions {
  init(_ table: SchemaTable) throws(ModelError) {
    boundaries = try table.floats(0) ?? []
  }
}
