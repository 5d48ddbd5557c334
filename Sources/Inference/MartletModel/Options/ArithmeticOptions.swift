//===--- ArithmeticOptions.swift - options of arithmetic ------------------===//
//
// Options of elementwise operators: arithmetic, activations, casts, random numbers.
// Names, field numbers and defaults are those of the schema.
//
// Contract  Indices of subgraphs are valid, and enumerations have values of the schema. Extents,
//           strides and axes are checked by the operator that uses them, not here.
// Checked   Tests/MartletModelTests/OperatorOptionsTests.swift
//===----------------------------------------------------------------------===//

/// ADD, SUB: `potScaleInt16` applies to 16-bit tensors only.
package struct AddOptions: Sendable, Equatable {
  package var activation = Activation.none
  package var potScaleInt16 = true
}

extension AddOptions {
  private enum Field {
    static let activation = 0
    static let potScaleInt16 = 1
  }

  init(_ table: SchemaTable) throws(ModelError) {
    activation = try table.activation(Field.activation)
    potScaleInt16 = try table.bool(Field.potScaleInt16, default: true)
  }
}

/// MUL, DIV: only a fused activation.
package struct ActivationOptions: Sendable, Equatable {
  package var activation = Activation.none
}

extension ActivationOptions {
  private enum Field {
    static let activation = 0
  }

  init(_ table: SchemaTable) throws(ModelError) {
    activation = try table.activation(Field.activation)
  }
}

package struct LeakyReluOptions: Sendable, Equatable {
  package var alpha: Float = 0
}

extension LeakyReluOptions {
  private enum Field {
    static let alpha = 0
  }

  init(_ table: SchemaTable) throws(ModelError) {
    alpha = try table.float(Field.alpha)
  }
}

package struct GeluOptions: Sendable, Equatable {
  package var approximate = false
}

extension GeluOptions {
  private enum Field {
    static let approximate = 0
  }

  init(_ table: SchemaTable) throws(ModelError) {
    approximate = try table.bool(Field.approximate)
  }
}

package struct FakeQuantOptions: Sendable, Equatable {
  package var minimum: Float = 0
  package var maximum: Float = 0
  package var bitCount = 0
  package var narrowRange = false
}

extension FakeQuantOptions {
  private enum Field {
    static let minimum = 0
    static let maximum = 1
    static let bitCount = 2
    static let narrowRange = 3
  }

  init(_ table: SchemaTable) throws(ModelError) {
    minimum = try table.float(Field.minimum)
    maximum = try table.float(Field.maximum)
    bitCount = try table.int32(Field.bitCount)
    narrowRange = try table.bool(Field.narrowRange)
  }
}

/// CAST: raw values of `ElementType`. Operators use the types of the tensors instead.
package struct CastOptions: Sendable, Equatable {
  package var inputType: UInt8 = 0
  package var outputType: UInt8 = 0
}

extension CastOptions {
  private enum Field {
    static let inputType = 0
    static let outputType = 1
  }

  init(_ table: SchemaTable) throws(ModelError) {
    inputType = try table.uint8(Field.inputType)
    outputType = try table.uint8(Field.outputType)
  }
}

package struct CumsumOptions: Sendable, Equatable {
  package var exclusive = false
  package var reverse = false
}

extension CumsumOptions {
  private enum Field {
    static let exclusive = 0
    static let reverse = 1
  }

  init(_ table: SchemaTable) throws(ModelError) {
    exclusive = try table.bool(Field.exclusive)
    reverse = try table.bool(Field.reverse)
  }
}

package struct ReducerOptions: Sendable, Equatable {
  package var keepDimensions = false
}

extension ReducerOptions {
  private enum Field {
    static let keepDimensions = 0
  }

  init(_ table: SchemaTable) throws(ModelError) {
    keepDimensions = try table.bool(Field.keepDimensions)
  }
}

package struct ArgOptions: Sendable, Equatable {
  package var outputType: UInt8 = 0
}

extension ArgOptions {
  private enum Field {
    static let outputType = 0
  }

  init(_ table: SchemaTable, default type: UInt8 = 0) throws(ModelError) {
    outputType = try table.uint8(Field.outputType, default: type)
  }
}

package struct RandomOptions: Sendable, Equatable {
  package var seed: Int64 = 0
  package var seed2: Int64 = 0
}

extension RandomOptions {
  private enum Field {
    static let seed = 0
    static let seed2 = 1
  }

  init(_ table: SchemaTable) throws(ModelError) {
    seed = try table.int64(Field.seed)
    seed2 = try table.int64(Field.seed2)
  }
}

package struct BucketizeOptions: Sendable, Equatable {
  package var boundaries: [Float] = []
}

extension BucketizeOptions {
  private enum Field {
    static let boundaries = 0
  }

  init(_ table: SchemaTable) throws(ModelError) {
    boundaries = try table.floats(Field.boundaries) ?? []
  }
}
