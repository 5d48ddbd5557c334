//===--- OperatorOptions.swift - what an operator was told ----------------===//
//
// The option tables of the TensorFlow Lite schema as Swift values: one struct a table, one case a
// struct. Names are the schema's; defaults are the schema's.
//
// Checked   Tests/MartletModelTests/OperatorOptionsTests.swift
//===----------------------------------------------------------------------===//

/// How a sliding window meets the border.
package enum Padding: UInt8, Sendable, Hashable {
  case same = 0
  case valid = 1
}

/// The function applied to an operator's result before it is stored.
package enum Activation: UInt8, Sendable, Hashable {
  case none = 0
  case relu = 1
  case reluN1To1 = 2
  case relu6 = 3
  case tanh = 4
  case signBit = 5
}

/// How MIRROR_PAD reflects.
package enum MirrorPadMode: UInt8, Sendable, Hashable {
  case reflect = 0
  case symmetric = 1
}

/// The layout of fully connected weights.
package enum FullyConnectedWeightsFormat: UInt8, Sendable, Hashable {
  case normal = 0
  case shuffled4x16Int8 = 1
}

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

/// The options of an operator, as the schema's union `BuiltinOptions` holds them.
package enum OperatorOptions: Sendable, Hashable {
  /// No option table in the file.
  case none
  /// A table that says nothing (PAD, TRANSPOSE, EXP and the like), or one that this reader leaves
  /// alone; the number is the union's tag.
  case other(tag: UInt8)
  case conv2D(Conv2DOptions)
  case depthwiseConv2D(DepthwiseConv2DOptions)
  case pool2D(Pool2DOptions)
  case fullyConnected(FullyConnectedOptions)
  case softmax(SoftmaxOptions)
  case concatenation(ConcatenationOptions)
  case add(AddOptions)
  case sub(AddOptions)
  case mul(ActivationOptions)
  case div(ActivationOptions)
  case l2Norm(ActivationOptions)
  case reshape(ReshapeOptions)
  case resizeBilinear(ResizeOptions)
  case resizeNearestNeighbor(ResizeOptions)
  case reducer(ReducerOptions)
  case gather(GatherOptions)
  case stridedSlice(StridedSliceOptions)
  case argMax(ArgOptions)
  case argMin(ArgOptions)
  case mirrorPad(MirrorPadOptions)
  case pack(PackOptions)
  case unpack(PackOptions)
  case split(SplitOptions)
  case splitV(SplitOptions)
  case squeeze(SqueezeOptions)
  case transposeConv(TransposeConvOptions)
  case spaceToDepth(BlockOptions)
  case depthToSpace(BlockOptions)
  case leakyRelu(LeakyReluOptions)
}
