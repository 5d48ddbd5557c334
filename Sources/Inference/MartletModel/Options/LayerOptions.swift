//===--- LayerOptions.swift - options of layers ---------------------------===//
//
// Options of layers that compute: convolution, pooling, resizing and similar ones.
// Names, the numbers of fields and defaults are those of the schema.
//
// Contract  Indices of subgraphs are valid, and enumerations have values of the schema. Extents,
//           strides and axes are checked by the operator that uses them, not here.
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
  init(_ table: SchemaTable) throws(ModelError) {
    padding = try table.padding(0)
    strideWidth = try table.int32(1)
    strideHeight = try table.int32(2)
    dilationWidth = try table.int32(4, default: 1)
    dilationHeight = try table.int32(5, default: 1)
    activation = try table.activation(3)
    quantizedBiasType = try table.uint8(6)
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
  init(_ table: SchemaTable) throws(ModelError) {
    padding = try table.padding(0)
    strideWidth = try table.int32(1)
    strideHeight = try table.int32(2)
    depthMultiplier = try table.int32(3)
    dilationWidth = try table.int32(5, default: 1)
    dilationHeight = try table.int32(6, default: 1)
    activation = try table.activation(4)
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
  init(_ table: SchemaTable) throws(ModelError) {
    padding = try table.padding(0)
    strideWidth = try table.int32(1)
    strideHeight = try table.int32(2)
    activation = try table.activation(3)
    quantizedBiasType = try table.uint8(4)
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
  init(_ table: SchemaTable) throws(ModelError) {
    padding = try table.padding(0)
    strideDepth = try table.int32(1)
    strideWidth = try table.int32(2)
    strideHeight = try table.int32(3)
    activation = try table.activation(4)
    dilationDepth = try table.int32(5, default: 1)
    dilationWidth = try table.int32(6, default: 1)
    dilationHeight = try table.int32(7, default: 1)
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
  init(_ table: SchemaTable) throws(ModelError) {
    activation = try table.activation(0)
    weightsFormat = try table.option(1, .weightsFormat)
    keepDimensions = try table.bool(2)
    asymmetricQuantizeInputs = try table.bool(3)
    quantizedBiasType = try table.uint8(4)
  }
}

package struct BatchMatMulOptions: Sendable, Equatable {
  package var adjointX = false
  package var adjointY = false
  package var asymmetricQuantizeInputs = false
}

extension BatchMatMulOptions {
  init(_ table: SchemaTable) throws(ModelError) {
    adjointX = try table.bool(0)
    adjointY = try table.bool(1)
    asymmetricQuantizeInputs = try table.bool(2)
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
  init(_ table: SchemaTable) throws(ModelError) {
    padding = try table.padding(0)
    strideWidth = try table.int32(1)
    strideHeight = try table.int32(2)
    filterWidth = try table.int32(3)
    filterHeight = try table.int32(4)
    activation = try table.activation(5)
  }
}

package struct SoftmaxOptions: Sendable, Equatable {
  package var beta: Float = 0
}

extension SoftmaxOptions {
  init(_ table: SchemaTable) throws(ModelError) {
    beta = try table.float(0)
  }
}

package struct LocalResponseNormalizationOptions: Sendable, Equatable {
  package var radius = 0
  package var bias: Float = 0
  package var alpha: Float = 0
  package var beta: Float = 0
}

extension LocalResponseNormalizationOptions {
  init(_ table: SchemaTable) throws(ModelError) {
    radius = try table.int32(0)
    bias = try table.float(1)
    alpha = try table.float(2)
    beta = try table.float(3)
  }
}

package struct ResizeOptions: Sendable, Equatable {
  package var alignCorners = false
  package var halfPixelCenters = false
}

extension ResizeOptions {
  init(bilinear table: SchemaTable) throws(ModelError) {
    alignCorners = try table.bool(2)
    halfPixelCenters = try table.bool(3)
  }

  init(nearestNeighbor table: SchemaTable) throws(ModelError) {
    alignCorners = try table.bool(0)
    halfPixelCenters = try table.bool(1)
  }
}
