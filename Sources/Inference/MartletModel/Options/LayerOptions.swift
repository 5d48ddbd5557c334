//===--- LayerOptions.swift - options of layers ---------------------------===//
//
// Options of layers that compute: convolution, pooling, resizing and similar ones.
// Names, field numbers and defaults are those of the schema.
//
// Contract  Indices of subgraphs are valid, and enumerations have values of the schema. Extents,
//           strides and axes are checked by the operator that uses them, not here.
// Checked   Tests/MartletModelTests/OperatorOptionsTests.swift
//===----------------------------------------------------------------------===//

package struct Conv2DOptions: Sendable, Equatable {
  package var padding = Padding.same
  package var strideWidth = 0
  package var strideHeight = 0
  package var dilationWidth = 1
  package var dilationHeight = 1
  package var activation = Activation.none
  package var quantizedBiasType: UInt8 = 0
}

extension Conv2DOptions {
  private enum Field {
    static let padding = 0
    static let strideWidth = 1
    static let strideHeight = 2
    static let activation = 3
    static let dilationWidth = 4
    static let dilationHeight = 5
    static let quantizedBiasType = 6
  }

  init(_ table: SchemaTable) throws(ModelError) {
    padding = try table.padding(Field.padding)
    strideWidth = try table.int32(Field.strideWidth)
    strideHeight = try table.int32(Field.strideHeight)
    dilationWidth = try table.int32(Field.dilationWidth, default: 1)
    dilationHeight = try table.int32(Field.dilationHeight, default: 1)
    activation = try table.activation(Field.activation)
    quantizedBiasType = try table.uint8(Field.quantizedBiasType)
  }
}

package struct DepthwiseConv2DOptions: Sendable, Equatable {
  package var padding = Padding.same
  package var strideWidth = 0
  package var strideHeight = 0
  package var depthMultiplier = 0
  package var dilationWidth = 1
  package var dilationHeight = 1
  package var activation = Activation.none
}

extension DepthwiseConv2DOptions {
  private enum Field {
    static let padding = 0
    static let strideWidth = 1
    static let strideHeight = 2
    static let depthMultiplier = 3
    static let activation = 4
    static let dilationWidth = 5
    static let dilationHeight = 6
  }

  init(_ table: SchemaTable) throws(ModelError) {
    padding = try table.padding(Field.padding)
    strideWidth = try table.int32(Field.strideWidth)
    strideHeight = try table.int32(Field.strideHeight)
    depthMultiplier = try table.int32(Field.depthMultiplier)
    dilationWidth = try table.int32(Field.dilationWidth, default: 1)
    dilationHeight = try table.int32(Field.dilationHeight, default: 1)
    activation = try table.activation(Field.activation)
  }
}

package struct TransposeConvOptions: Sendable, Equatable {
  package var padding = Padding.same
  package var strideWidth = 0
  package var strideHeight = 0
  package var activation = Activation.none
  package var quantizedBiasType: UInt8 = 0
}

extension TransposeConvOptions {
  private enum Field {
    static let padding = 0
    static let strideWidth = 1
    static let strideHeight = 2
    static let activation = 3
    static let quantizedBiasType = 4
  }

  init(_ table: SchemaTable) throws(ModelError) {
    padding = try table.padding(Field.padding)
    strideWidth = try table.int32(Field.strideWidth)
    strideHeight = try table.int32(Field.strideHeight)
    activation = try table.activation(Field.activation)
    quantizedBiasType = try table.uint8(Field.quantizedBiasType)
  }
}

package struct Conv3DOptions: Sendable, Equatable {
  package var padding = Padding.same
  package var strideDepth = 0
  package var strideWidth = 0
  package var strideHeight = 0
  package var activation = Activation.none
  package var dilationDepth = 1
  package var dilationWidth = 1
  package var dilationHeight = 1
}

extension Conv3DOptions {
  private enum Field {
    static let padding = 0
    static let strideDepth = 1
    static let strideWidth = 2
    static let strideHeight = 3
    static let activation = 4
    static let dilationDepth = 5
    static let dilationWidth = 6
    static let dilationHeight = 7
  }

  init(_ table: SchemaTable) throws(ModelError) {
    padding = try table.padding(Field.padding)
    strideDepth = try table.int32(Field.strideDepth)
    strideWidth = try table.int32(Field.strideWidth)
    strideHeight = try table.int32(Field.strideHeight)
    activation = try table.activation(Field.activation)
    dilationDepth = try table.int32(Field.dilationDepth, default: 1)
    dilationWidth = try table.int32(Field.dilationWidth, default: 1)
    dilationHeight = try table.int32(Field.dilationHeight, default: 1)
  }
}

package struct FullyConnectedOptions: Sendable, Equatable {
  package var activation = Activation.none
  package var weightsFormat = FullyConnectedWeightsFormat.normal
  package var keepDimensions = false
  package var asymmetricQuantizeInputs = false
  package var quantizedBiasType: UInt8 = 0
}

extension FullyConnectedOptions {
  private enum Field {
    static let activation = 0
    static let weightsFormat = 1
    static let keepDimensions = 2
    static let asymmetricQuantizeInputs = 3
    static let quantizedBiasType = 4
  }

  init(_ table: SchemaTable) throws(ModelError) {
    activation = try table.activation(Field.activation)
    weightsFormat = try table.option(Field.weightsFormat, .weightsFormat)
    keepDimensions = try table.bool(Field.keepDimensions)
    asymmetricQuantizeInputs = try table.bool(Field.asymmetricQuantizeInputs)
    quantizedBiasType = try table.uint8(Field.quantizedBiasType)
  }
}

package struct BatchMatMulOptions: Sendable, Equatable {
  package var adjointX = false
  package var adjointY = false
  package var asymmetricQuantizeInputs = false
}

extension BatchMatMulOptions {
  private enum Field {
    static let adjointX = 0
    static let adjointY = 1
    static let asymmetricQuantizeInputs = 2
  }

  init(_ table: SchemaTable) throws(ModelError) {
    adjointX = try table.bool(Field.adjointX)
    adjointY = try table.bool(Field.adjointY)
    asymmetricQuantizeInputs = try table.bool(Field.asymmetricQuantizeInputs)
  }
}

package struct Pool2DOptions: Sendable, Equatable {
  package var padding = Padding.same
  package var strideWidth = 0
  package var strideHeight = 0
  package var filterWidth = 0
  package var filterHeight = 0
  package var activation = Activation.none
}

extension Pool2DOptions {
  private enum Field {
    static let padding = 0
    static let strideWidth = 1
    static let strideHeight = 2
    static let filterWidth = 3
    static let filterHeight = 4
    static let activation = 5
  }

  init(_ table: SchemaTable) throws(ModelError) {
    padding = try table.padding(Field.padding)
    strideWidth = try table.int32(Field.strideWidth)
    strideHeight = try table.int32(Field.strideHeight)
    filterWidth = try table.int32(Field.filterWidth)
    filterHeight = try table.int32(Field.filterHeight)
    activation = try table.activation(Field.activation)
  }
}

package struct SoftmaxOptions: Sendable, Equatable {
  package var beta: Float = 0
}

extension SoftmaxOptions {
  private enum Field {
    static let beta = 0
  }

  init(_ table: SchemaTable) throws(ModelError) {
    beta = try table.float(Field.beta)
  }
}

package struct LocalResponseNormalizationOptions: Sendable, Equatable {
  package var radius = 0
  package var bias: Float = 0
  package var alpha: Float = 0
  package var beta: Float = 0
}

extension LocalResponseNormalizationOptions {
  private enum Field {
    static let radius = 0
    static let bias = 1
    static let alpha = 2
    static let beta = 3
  }

  init(_ table: SchemaTable) throws(ModelError) {
    radius = try table.int32(Field.radius)
    bias = try table.float(Field.bias)
    alpha = try table.float(Field.alpha)
    beta = try table.float(Field.beta)
  }
}

package struct ResizeOptions: Sendable, Equatable {
  package var alignCorners = false
  package var halfPixelCenters = false
}

extension ResizeOptions {
  private enum BilinearField {
    static let alignCorners = 2
    static let halfPixelCenters = 3
  }

  private enum NearestField {
    static let alignCorners = 0
    static let halfPixelCenters = 1
  }

  init(bilinear table: SchemaTable) throws(ModelError) {
    alignCorners = try table.bool(BilinearField.alignCorners)
    halfPixelCenters = try table.bool(BilinearField.halfPixelCenters)
  }

  init(nearestNeighbor table: SchemaTable) throws(ModelError) {
    alignCorners = try table.bool(NearestField.alignCorners)
    halfPixelCenters = try table.bool(NearestField.halfPixelCenters)
  }
}
