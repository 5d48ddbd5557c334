//===--- ModelError.swift - errors of reading a model ---------------------===//
//
// Checked   Tests/MartletModelTests/ModelTests.swift
//===----------------------------------------------------------------------===//

@_exported public import MartletFlatBuffers
@_exported public import MartletTensor

/// A part of a model, by its place in the file.
public enum ModelPlace: Sendable, Equatable {
  case model
  case operatorCode(Int)
  case buffer(Int)
  case metadata(Int)
  case signature(Int)
  case subgraph(Int)
  case tensor(Int, subgraph: Int)
  case operation(Int, subgraph: Int)
}

/// What an index in a model points at.
public enum ModelReference: Sendable, Equatable {
  case operatorCode
  case buffer
  case subgraph
  case tensor
  case axis
}

/// A part that a model must have, or must have some of.
public enum ModelPart: Sendable, Equatable {
  case subgraphs
  case zeroPoints
  case quantizedAxes
  case customCode
  case signatureKey
  case sparseIndices
}

/// An option whose value is one of a list.
public enum ModelOption: Sendable, Equatable {
  case padding
  case activation
  case mirrorPadMode
  case weightsFormat
  case combiner
  case lstmKernel
  case lshProjectionType
  case elementType
  case sparseFormat
  case sparseIndexType
}

/// Why bytes could not become a model.
///
/// Each case says where, and carries the two numbers that disagree.
public enum ModelError: Error, Equatable, Sendable {
  /// The bytes are a file of another format, in words: `a PNG picture`.
  case format(String)
  /// The bytes are not a FlatBuffer with the identifier `TFL3`.
  case flatBuffer(FlatBufferError)
  /// The schema version is not the one that this reader knows.
  case version(found: Int, expected: Int)
  /// Something that must be there is left out, or empty.
  case missing(ModelPart, ModelPlace)
  /// An operator code that no schema names.
  case unknownOperator(index: Int, code: Int)
  /// An option, or a type, has a value that no schema names.
  case unknownValue(ModelOption, ModelPlace, found: Int)
  /// An index leads outside what it points at.
  case indexOutOfRange(ModelReference, ModelPlace, index: Int, count: Int)
  /// A range of the file ends outside it.
  case outsideFile(ModelPlace, offset: UInt64, count: UInt64, fileSize: Int)
  /// The elements lie in another file.
  case externalData(ModelPlace, buffer: Int)
  /// A tensor has more axes than permitted.
  case rank(ModelPlace, found: Int, limit: Int)
  /// An extent of a tensor is negative.
  case extent(ModelPlace, axis: Int, found: Int)
  /// A tensor's number of bytes overflows: it has `rank` axes.
  case tooLarge(ModelPlace, rank: Int)
  /// A constant has fewer bytes than its shape and type ask for.
  case dataSize(ModelPlace, found: Int, expected: Int)
  /// There are not as many zero points as scales.
  case zeroPointCount(ModelPlace, found: Int, expected: Int)
  /// There are neither one scale nor as many as the axis has slices.
  case scaleCount(ModelPlace, found: Int, expected: Int)
  /// The scale of slice `index` is negative, infinite or not a number. Zero is permitted: converters
  /// write it for slices whose weights are all zero.
  case scale(ModelPlace, index: Int)
  /// The zero point of slice `index` does not fit 32 bits.
  case zeroPoint(ModelPlace, index: Int, found: Int64)
  /// A block of quantised elements has an impossible size.
  case blockSize(ModelPlace, found: Int)
  /// A sparse tensor has elements of less than a byte: how its blocks are packed is nowhere said.
  case sparseType(ModelPlace, bitWidth: Int)
  /// A sparse layout does not name as many axes, or levels, as it must.
  case sparseAxes(ModelPlace, found: Int, expected: Int)
  /// The segments of a sparse level decrease, do not start at zero, or do not end at the number of
  /// its indices.
  case sparseSegments(ModelPlace, level: Int, found: Int, expected: Int)
  /// An index of a sparse level is negative, or a dense level has a negative size.
  case sparseIndex(ModelPlace, level: Int, found: Int)
}
