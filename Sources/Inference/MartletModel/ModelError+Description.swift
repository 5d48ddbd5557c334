//===--- ModelError+Description.swift - the errors in words ---------------===//

extension ModelPlace: CustomStringConvertible {
  /// The place in words, for error messages: `tensor 3 of subgraph 0`.
  public var description: String {
    switch self {
    case .model: "the model"
    case .operatorCode(let index): "operator code \(index)"
    case .buffer(let index): "buffer \(index)"
    case .metadata(let index): "metadata entry \(index)"
    case .signature(let index): "signature \(index)"
    case .subgraph(let index): "subgraph \(index)"
    case .tensor(let index, let subgraph): "tensor \(index) of subgraph \(subgraph)"
    case .operation(let index, let subgraph): "operator \(index) of subgraph \(subgraph)"
    }
  }
}

extension ModelReference: CustomStringConvertible {
  /// A noun.
  public var description: String {
    switch self {
    case .operatorCode: "operator code"
    case .buffer: "buffer"
    case .subgraph: "subgraph"
    case .tensor: "tensor"
    case .axis: "axis"
    }
  }
}

extension ModelPart: CustomStringConvertible {
  /// A noun.
  public var description: String {
    switch self {
    case .subgraphs: "subgraphs"
    case .zeroPoints: "zero points"
    case .quantizedAxes: "quantized axes"
    case .customCode: "name"
    case .signatureKey: "key"
    case .sparseIndices: "sparse indices"
    }
  }
}

extension ModelOption: CustomStringConvertible {
  /// A noun.
  public var description: String {
    switch self {
    case .padding: "padding"
    case .activation: "activation"
    case .mirrorPadMode: "mirror mode"
    case .reduceWindowFunction: "function of a window"
    case .weightsFormat: "weights format"
    case .combiner: "combiner"
    case .lstmKernel: "LSTM kernel"
    case .lshProjectionType: "LSH projection"
    case .elementType: "element type"
    case .sparseFormat: "sparse format"
    case .sparseIndexType: "sparse index type"
    }
  }
}

extension ModelError: CustomStringConvertible {
  /// The error in one sentence.
  public var description: String {
    switch self {
    case .format(let name): "expected a TensorFlow Lite model (.tflite), found \(name)"
    case .flatBuffer(.truncated(_, _, size: 0)):
      "expected a TensorFlow Lite model, found an empty file"
    case .flatBuffer(.identifier(let found, let expected)):
      "the file is not a TensorFlow Lite model: \(FlatBufferError.identifier(found: found, expected: expected))"
    case .flatBuffer(let error): "the file is damaged: \(error)"
    case .version(let found, let expected): "the schema version is \(found), expected \(expected)"
    case .missing(let part, let place): "\(place) has no \(part)"
    case .unknownOperator(let index, let code):
      "operator code \(index) is \(code), which is unknown"
    case .unknownValue(let option, let place, let found):
      "\(place) has the unknown \(option) \(found)"
    case .indexOutOfRange(let reference, let place, let index, let count):
      "\(place) refers to \(reference) \(index) of \(count)"
    case .outsideFile(let place, let offset, let count, let fileSize):
      "\(place) takes \(count) bytes at \(offset) of a file of \(fileSize)"
    case .externalData(let place, let buffer):
      "\(place) keeps its elements in external buffer \(buffer)"
    case .rank(let place, let found, let limit): "\(place) has \(found) axes of at most \(limit)"
    case .extent(let place, let axis, let found): "axis \(axis) of \(place) has extent \(found)"
    case .tooLarge(let place, let rank):
      "\(place) has more bytes over its \(rank) axes than can be counted"
    case .dataSize(let place, let found, let expected):
      "\(place) has \(found) bytes of data, expected \(expected)"
    case .zeroPointCount(let place, let found, let expected):
      "\(place) has \(found) zero points, expected \(expected)"
    case .scaleCount(let place, let found, let expected):
      "\(place) has \(found) scales, expected \(expected)"
    case .scale(let place, let index): "scale \(index) of \(place) is negative or not finite"
    case .zeroPoint(let place, let index, let found):
      "zero point \(index) of \(place) is \(found), beyond 32 bits"
    case .blockSize(let place, let found): "\(place) is quantized in blocks of \(found)"
    case .sparseType(let place, let bitWidth):
      "\(place) is sparse and has elements of \(bitWidth) bits"
    case .sparseAxes(let place, let found, let expected):
      "the sparse layout of \(place) names \(found) axes of \(expected)"
    case .sparseSegments(let place, let level, let found, let expected):
      "sparse level \(level) of \(place) has a segment bound of \(found) for \(expected)"
    case .sparseIndex(let place, let level, let found):
      "sparse level \(level) of \(place) has the index \(found), outside its axis"
    }
  }
}
