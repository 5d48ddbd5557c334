//===--- InferenceExports.swift - re-exported declarations ----------------===//
//
// All declarations of `MartletOperators` and `MartletBase` that a custom operator needs, and those of
// a model that reading it uses. The parts of a model's metadata stay in `MartletModel`, because
// names such as `Normalization`, `ColorSpace` or `TensorGroup` would often conflict.
//===----------------------------------------------------------------------===//

@_exported public import enum MartletModel.FlatBufferError
@_exported public import MartletOperators
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
