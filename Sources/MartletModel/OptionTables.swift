//===--- OptionTables.swift - the schema's option tables as structs -------===//
//
// One struct a table. Names are the schema's; defaults are the schema's. Recurrent layers and
// control flow are in RecurrentOptions.swift.
//
// Checked   Tests/MartletModelTests/OperatorOptionsTests.swift
//===----------------------------------------------------------------------===//

package struct Conv2DOptions: Sendable, Hashable {
  package var padding = Padding.same
  package var strideWidth = 0
  package var strideHeight = 0
  package var dilationWidth = 1
  package var dilationHeight = 1
  package var activation = Activation.none
  package var quantizedBiasType: UInt8 = 0
}

package struct DepthwiseConv2DOptions: Sendable, Hashable {
  package var padding = Padding.same
  package var strideWidth = 0
  package var strideHeight = 0
  package var depthMultiplier = 0
  package var dilationWidth = 1
  package var dilationHeight = 1
  package var activation = Activation.none
}

package struct Pool2DOptions: Sendable, Hashable {
  package var padding = Padding.same
  package var strideWidth = 0
  package var strideHeight = 0
  package var filterWidth = 0
  package var filterHeight = 0
  package var activation = Activation.none
}

package struct FullyConnectedOptions: Sendable, Hashable {
  package var activation = Activation.none
  package var weightsFormat = FullyConnectedWeightsFormat.normal
  package var keepDimensions = false
  package var asymmetricQuantizeInputs = false
  package var quantizedBiasType: UInt8 = 0
}

package struct SoftmaxOptions: Sendable, Hashable {
  package var beta: Float = 0
}

package struct ConcatenationOptions: Sendable, Hashable {
  package var axis = 0
  package var activation = Activation.none
}

/// ADD, SUB: `potScaleInt16` is meaningful for 16-bit tensors alone.
package struct AddOptions: Sendable, Hashable {
  package var activation = Activation.none
  package var potScaleInt16 = true
}

/// MUL, DIV: a fused activation and nothing else.
package struct ActivationOptions: Sendable, Hashable {
  package var activation = Activation.none
}

package struct ReshapeOptions: Sendable, Hashable {
  /// The new extents, or `nil` where the file gives none.
  package var newShape: [Int]?
}

package struct ResizeOptions: Sendable, Hashable {
  package var alignCorners = false
  package var halfPixelCenters = false
}

package struct ReducerOptions: Sendable, Hashable {
  package var keepDimensions = false
}

package struct GatherOptions: Sendable, Hashable {
  package var axis = 0
  package var batchDimensions = 0
}

package struct StridedSliceOptions: Sendable, Hashable {
  package var beginMask = 0
  package var endMask = 0
  package var ellipsisMask = 0
  package var newAxisMask = 0
  package var shrinkAxisMask = 0
  package var offset = false
}

package struct ArgOptions: Sendable, Hashable {
  package var outputType: UInt8 = 0
}

package struct MirrorPadOptions: Sendable, Hashable {
  package var mode = MirrorPadMode.reflect
}

package struct PackOptions: Sendable, Hashable {
  package var valuesCount = 0
  package var axis = 0
}

package struct SplitOptions: Sendable, Hashable {
  package var splitCount = 0
}

package struct SqueezeOptions: Sendable, Hashable {
  package var dimensions: [Int] = []
}

package struct TransposeConvOptions: Sendable, Hashable {
  package var padding = Padding.same
  package var strideWidth = 0
  package var strideHeight = 0
  package var activation = Activation.none
  package var quantizedBiasType: UInt8 = 0
}

package struct BlockOptions: Sendable, Hashable {
  package var blockSize = 0
}

package struct LeakyReluOptions: Sendable, Hashable {
  package var alpha: Float = 0
}

package struct Conv3DOptions: Sendable, Hashable {
  package var padding = Padding.same
  package var strideDepth = 0
  package var strideWidth = 0
  package var strideHeight = 0
  package var activation = Activation.none
  package var dilationDepth = 1
  package var dilationWidth = 1
  package var dilationHeight = 1
}

package struct LocalResponseNormalizationOptions: Sendable, Hashable {
  package var radius = 0
  package var bias: Float = 0
  package var alpha: Float = 0
  package var beta: Float = 0
}

/// CAST: raw values of `ElementType`; the tensors' own types are what counts.
package struct CastOptions: Sendable, Hashable {
  package var inputType: UInt8 = 0
  package var outputType: UInt8 = 0
}

package struct SparseToDenseOptions: Sendable, Hashable {
  package var validateIndices = false
}

package struct FakeQuantOptions: Sendable, Hashable {
  package var minimum: Float = 0
  package var maximum: Float = 0
  package var bitCount = 0
  package var narrowRange = false
}

package struct OneHotOptions: Sendable, Hashable {
  package var axis = 0
}

package struct ReverseSequenceOptions: Sendable, Hashable {
  package var sequenceAxis = 0
  package var batchAxis = 0
}

package struct BatchMatMulOptions: Sendable, Hashable {
  package var adjointX = false
  package var adjointY = false
  package var asymmetricQuantizeInputs = false
}

package struct CumsumOptions: Sendable, Hashable {
  package var exclusive = false
  package var reverse = false
}

package struct BucketizeOptions: Sendable, Hashable {
  package var boundaries: [Float] = []
}

package struct GeluOptions: Sendable, Hashable {
  package var approximate = false
}

package struct RandomOptions: Sendable, Hashable {
  package var seed: Int64 = 0
  package var seed2: Int64 = 0
}

package struct SkipGramOptions: Sendable, Hashable {
  package var ngramSize = 0
  package var maximumSkipSize = 0
  package var includeAllNgrams = false
}

package struct EmbeddingLookupSparseOptions: Sendable, Hashable {
  package var combiner = Combiner.sum
}

package struct LSHProjectionOptions: Sendable, Hashable {
  package var type = LSHProjectionType.unknown
}

package struct ConcatEmbeddingsOptions: Sendable, Hashable {
  package var channelCount = 0
  package var columnsPerChannel: [Int] = []
  package var embeddingDimensionsPerChannel: [Int] = []
}
