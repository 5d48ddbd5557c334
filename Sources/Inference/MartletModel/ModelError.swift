//===--- ModelError.swift - errors of reading a model ---------------------===//

@_exported public import MartletBase

/// The location of a part of a model in its file.
@nonexhaustive
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
@nonexhaustive
public enum ModelReference: Sendable, Equatable {
  case operatorCode
  case buffer
  case subgraph
  case tensor
  case axis
}

/// A part that a model must have, or must have some of.
@nonexhaustive
public enum ModelPart: Sendable, Equatable {
  case subgraphs
  case zeroPoints
  case quantizedAxes
  case customCode
  case signatureKey
  case sparseIndices
}

/// An option whose value is one of a list.
@nonexhaustive
public enum ModelOption: Sendable, Equatable {
  case padding
  case activation
  case mirrorPadMode
  case reduceWindowFunction
  case weightsFormat
  case combiner
  case lstmKernel
  case lshProjectionType
  case elementType
  case sparseFormat
  case sparseIndexType
}

/// An error of reading a model from bytes.
///
/// Cases carry the place, and the values found and expected.
@nonexhaustive
public enum ModelError: Error, Equatable, Sendable {
  /// The bytes are a file of another format, named in words: `a PNG image`.
  case format(String)
  /// The bytes are not a FlatBuffer with the identifier `TFL3`.
  case flatBuffer(FlatBufferError)
  /// The schema version is not supported.
  case version(found: Int, expected: Int)
  /// A required part is missing or empty.
  case missing(ModelPart, ModelPlace)
  /// An operator code that no schema names.
  case unknownOperator(index: Int, code: Int)
  /// An option, or a type, has a value that no schema names.
  case unknownValue(ModelOption, ModelPlace, found: Int)
  /// An index is out of range.
  case indexOutOfRange(ModelReference, ModelPlace, index: Int, count: Int)
  /// A range ends beyond the end of the file.
  case outsideFile(ModelPlace, offset: UInt64, count: UInt64, fileSize: Int)
  /// The elements are stored in another file.
  case externalData(ModelPlace, buffer: Int)
  /// A tensor has more axes than permitted.
  case rank(ModelPlace, found: Int, limit: Int)
  /// An extent of a tensor is negative.
  case extent(ModelPlace, axis: Int, found: Int)
  /// The byte count of a tensor of `rank` axes overflows `Int`.
  case tooLarge(ModelPlace, rank: Int)
  /// A constant has fewer bytes than its shape and type require.
  case dataSize(ModelPlace, found: Int, expected: Int)
  /// The numbers of zero points and scales differ.
  case zeroPointCount(ModelPlace, found: Int, expected: Int)
  /// The number of scales is neither one nor the extent of the quantized axis.
  case scaleCount(ModelPlace, found: Int, expected: Int)
  /// The scale of slice `index` is negative, infinite or not a number. Zero is permitted: converters
  /// write it for slices whose weights are all zero.
  case scale(ModelPlace, index: Int)
  /// The zero point of slice `index` does not fit 32 bits.
  case zeroPoint(ModelPlace, index: Int, found: Int64)
  /// The block size of a quantized tensor is invalid.
  case blockSize(ModelPlace, found: Int)
  /// A sparse tensor has elements of less than a byte; the schema does not define their packing.
  case sparseType(ModelPlace, bitWidth: Int)
  /// A sparse layout has the wrong number of axes or levels.
  case sparseAxes(ModelPlace, found: Int, expected: Int)
  /// The segments of a sparse level decrease, do not start at zero, or do not end at the number of
  /// its indices.
  case sparseSegments(ModelPlace, level: Int, found: Int, expected: Int)
  /// An index of a sparse level is negative, or a dense level has a negative size.
  case sparseIndex(ModelPlace, level: Int, found: Int)
}
