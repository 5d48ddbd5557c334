//===--- ModelMetadata.swift - metadata of a model ------------------------===//
//
// TensorFlow Lite metadata (schema 1.5, identifier `M001`): names, how to prepare inputs and read
// outputs, and the associated files.
//===----------------------------------------------------------------------===//

/// The metadata of a model.
public struct ModelMetadata: Sendable {
  /// The model's name for people; empty if the file has none.
  public internal(set) var name: String
  /// What the model does, in sentences for people; may be empty.
  public internal(set) var description: String
  /// The model's version, in any format.
  public internal(set) var version: String
  /// The person or organization that made the model; may be empty.
  public internal(set) var author: String
  /// The terms under which the model may be used.
  public internal(set) var license: String
  /// The version of the metadata schema that a reader needs, or empty.
  public internal(set) var minimumParserVersion: String
  /// The metadata of each described subgraph; the first is the main one.
  public internal(set) var subgraphs: [SubgraphMetadata]
  /// The files associated with the whole model.
  public internal(set) var associatedFiles: [AssociatedFile]
  /// The archive appended to the model.
  package let archive: AppendedArchive
}

/// The metadata of a subgraph.
public struct SubgraphMetadata: Sendable, Equatable {
  /// The subgraph's name, which need not be the one in the graph; may be empty.
  public internal(set) var name: String
  /// What the subgraph does, in sentences for people; may be empty.
  public internal(set) var description: String
  /// The metadata of each input, in the order of the subgraph's inputs.
  public internal(set) var inputs: [TensorMetadata]
  /// The metadata of each output, in the order of the subgraph's outputs.
  public internal(set) var outputs: [TensorMetadata]
  /// The files associated with the whole subgraph.
  public internal(set) var associatedFiles: [AssociatedFile]
  /// Steps that process all inputs together.
  public internal(set) var inputProcessUnits: [ProcessUnit]
  /// Steps that process all outputs together.
  public internal(set) var outputProcessUnits: [ProcessUnit]
  /// Inputs that form one value, for example the tokens and the mask of a text.
  public internal(set) var inputGroups: [TensorGroup]
  /// Outputs that form one result, for example the boxes, classes and scores of a detector.
  public internal(set) var outputGroups: [TensorGroup]
  /// Metadata in formats defined by the model's authors.
  public internal(set) var customMetadata: [CustomMetadata]
}

/// Metadata in a format defined by its author.
public struct CustomMetadata: Sendable, Equatable {
  /// The name that identifies the data.
  public let name: String
  /// The metadata as it is in the file, which only readers of this format understand.
  public let data: [UInt8]
}

/// Tensors that belong together.
public struct TensorGroup: Sendable, Equatable {
  /// The group's name, for example `detection_result`; may be empty.
  public let name: String
  /// The names of the group's tensors, as in their `TensorMetadata`.
  public let tensorNames: [String]
}

/// The metadata of an input or output.
public struct TensorMetadata: Sendable, Equatable {
  /// The tensor's name in the metadata, which need not be the one in the graph.
  public internal(set) var name: String
  /// What the elements mean, in sentences for people; may be empty.
  public internal(set) var description: String
  /// A name for each axis, or none.
  public internal(set) var dimensionNames: [String]
  /// The meaning of the elements, or `nil` if unknown.
  public internal(set) var content: TensorContent?
  /// The axes of the content, or `nil` for all axes except the batch.
  public internal(set) var contentAxes: ClosedRange<Int>?
  /// The processing steps of the elements, at most one of each kind.
  public internal(set) var processUnits: [ProcessUnit]
  /// The largest values: one for all channels, or one for each.
  public internal(set) var maxima: [Float]
  /// The smallest values: one for all channels, or one for each.
  public internal(set) var minima: [Float]
  /// The files associated with the tensor, such as its labels.
  public internal(set) var associatedFiles: [AssociatedFile]

  /// The normalization of an input, or `nil`.
  public var normalization: Normalization? {
    for case .normalization(let options) in processUnits { return options }
    return nil
  }

  /// The calibration of scores, or `nil`.
  public var scoreCalibration: ScoreCalibration? {
    for case .scoreCalibration(let options) in processUnits { return options }
    return nil
  }

  /// The score below which results should be dropped, or `nil`.
  public var scoreThreshold: Float? {
    for case .scoreThreshold(let threshold) in processUnits { return threshold }
    return nil
  }
}

/// The meaning of a tensor's elements.
public enum TensorContent: Sendable, Equatable {
  case feature
  /// An image, and its size if the tensor's shape does not fix it.
  case image(colorSpace: ColorSpace, width: Int?, height: Int?)
  /// Boxes. `order` has the position of each number of the layout; empty means the usual order.
  case boundingBox(layout: BoundingBoxLayout, coordinates: BoundingBoxCoordinates, order: [Int])
  case audio(sampleRate: Int, channelCount: Int)
  /// An unknown kind of content, by its tag in the schema.
  case other(tag: Int)
}

/// The colors of an image tensor.
public enum ColorSpace: UInt8, Sendable, Equatable {
  case unknown = 0
  case rgb = 1
  case grayscale = 2
}

/// The meaning of the four numbers of a box.
public enum BoundingBoxLayout: UInt8, Sendable, Equatable {
  case unknown = 0
  /// Left, top, right, bottom.
  case boundaries = 1
  /// Left, top, width, height.
  case upperLeft = 2
  /// Center x, center y, width, height.
  case center = 3
}

/// The unit of a box's numbers.
public enum BoundingBoxCoordinates: UInt8, Sendable, Equatable {
  /// Fractions of the image's width and height.
  case ratio = 0
  case pixel = 1
}

/// A step before or after the graph.
public enum ProcessUnit: Sendable, Equatable {
  case normalization(Normalization)
  case scoreCalibration(ScoreCalibration)
  /// Drop results below this score.
  case scoreThreshold(Float)
  case bertTokenizer(vocabularies: [AssociatedFile])
  case sentencePieceTokenizer(models: [AssociatedFile], vocabularies: [AssociatedFile])
  case regexTokenizer(delimiter: String, vocabularies: [AssociatedFile])
  /// An unknown kind of step, by its tag in the schema.
  case other(tag: Int)
}

/// `(x - mean) / standardDeviation`, with one pair for all channels or one for each.
public struct Normalization: Sendable, Equatable {
  /// The finite means, at least one; as many as standard deviations.
  public let means: [Float]
  /// The finite standard deviations, large enough that division by them does not overflow.
  public let standardDeviations: [Float]

  /// Creates a normalization with these means and standard deviations.
  ///
  /// - Throws: `MetadataError` if the counts differ, or a value is not finite or is too small.
  public init(means: [Float], standardDeviations: [Float]) throws(MetadataError) {
    guard means.count == standardDeviations.count, !means.isEmpty else {
      throw .normalizationCount(means: means.count, standardDeviations: standardDeviations.count)
    }
    for (index, mean) in means.enumerated() where !mean.isFinite { throw .mean(index: index) }
    for (index, deviation) in standardDeviations.enumerated()
    where !(deviation.isFinite && deviation.magnitude >= Float.ulpOfOne) {
      throw .standardDeviation(index: index)
    }
    self.means = means
    self.standardDeviations = standardDeviations
  }
}

/// The calibration of raw scores. An associated file holds the parameters of each class.
public struct ScoreCalibration: Sendable, Equatable {
  /// The transformation applied to a score first.
  public let transformation: ScoreTransformation
  /// The score of classes without parameters, and of scores below the class's minimum.
  public let defaultScore: Float
}

/// The transformation of a score before its calibration.
public enum ScoreTransformation: UInt8, Sendable, Equatable {
  case identity = 0
  case log = 1
  /// log(x) - log(1 - x).
  case inverseLogistic = 2
}

/// A file associated with a model.
public struct AssociatedFile: Sendable, Equatable {
  /// The file's name in the archive.
  public let name: String
  /// A description of the file.
  public let description: String
  /// The kind of contents.
  public let type: AssociatedFileType
  /// The language tag, such as `en` or `en-US`; empty for none.
  public let locale: String
  /// The file's version, in any format.
  public let version: String
}

/// The kind of contents of an associated file.
public enum AssociatedFileType: UInt8, Sendable, Equatable {
  case unknown = 0
  case descriptions = 1
  /// One label per line, for each index along an axis.
  case tensorAxisLabels = 2
  /// One label per line, for each value of the tensor.
  case tensorValueLabels = 3
  case tensorAxisScoreCalibration = 4
  case vocabulary = 5
  case scannIndexFile = 6
}
