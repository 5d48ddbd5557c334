//===--- Exports.swift - what comes with `import MartletInference` --------===//
//
// The types that reading, preparing and running a model speak of, and those that an operator of one's
// own is written with.
//
// Checked   Tests/MartletOperatorTests/OwnOperatorTests.swift
//===----------------------------------------------------------------------===//

@_exported public import enum MartletFlatBuffers.FlatBufferError
@_exported public import struct MartletGraph.Evaluation
@_exported public import typealias MartletGraph.Evaluate
@_exported public import enum MartletGraph.InferenceError
@_exported public import enum MartletGraph.KernelSet
@_exported public import struct MartletGraph.Operand
@_exported public import enum MartletGraph.OperandPlace
@_exported public import struct MartletGraph.OptionTable
@_exported public import struct MartletGraph.Preparation
@_exported public import struct MartletGraph.Registration
@_exported public import struct MartletGraph.TensorInfo
@_exported public import enum MartletModel.ArchiveError
@_exported public import enum MartletModel.BuiltinOperator
@_exported public import enum MartletModel.FlexBuffer
@_exported public import enum MartletModel.MetadataError
@_exported public import struct MartletModel.Model
@_exported public import enum MartletModel.ModelError
@_exported public import struct MartletModel.ModelMetadata
@_exported public import enum MartletModel.ModelOption
@_exported public import enum MartletModel.ModelPart
@_exported public import enum MartletModel.ModelPlace
@_exported public import enum MartletModel.ModelReference
@_exported public import enum MartletModel.OperatorCode
@_exported public import struct MartletRuntime.Workers
@_exported public import enum MartletTensor.ElementType
@_exported public import struct MartletTensor.Quantization
@_exported public import struct MartletTensor.Shape
@_exported public import protocol MartletTensor.TensorElement
