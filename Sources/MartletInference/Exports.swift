//===--- Exports.swift - what comes with `import MartletInference` --------===//
//
// All that an operator of one's own is written with, which `MartletGraph` and `MartletTensor` hold; of a
// model what reading it speaks of. The parts of its metadata stay in `MartletModel`: names as common as
// `Normalization`, `ColorSpace` or `TensorGroup` are no program's trouble.
//
// Checked   Tests/MartletOperatorTests/ExportsTests.swift
//===----------------------------------------------------------------------===//

@_exported public import enum MartletFlatBuffers.FlatBufferError
@_exported public import MartletGraph
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
