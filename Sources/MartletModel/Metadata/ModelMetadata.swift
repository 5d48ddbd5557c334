//===--- ModelMetadata.swift - metadata of a model ------------------------===//
//
// TensorFlow Lite metadata (schema 1.5, identifier `M001`): names, how inputs are to be prepared,
// how outputs are to be read, and which files go with them.
//
// Checked   Tests/MartletModelTests/ModelMetadataTests.swift
//===----------------------------------------------------------------------===//

/// What a model says of itself.
public struct ModelMetadata: Sendable {
  /// The model's name.
  public internal(set) var name: String
  /// What the model does.
  public internal(set) var description: String
  /// The model's version, as its makers count.
  public internal(set) var version: String
  /// Who made the model.
  public internal(set) var author: String
  /// The terms under which the model may be used.
  public internal(set) var license: String
  /// The version of the metadata schema that a reader needs, or empty.
  public internal(set) var minimumParserVersion: String
  /// One for each subgraph that is described; the first is the main one.
  public internal(set) var subgraphs: [SubgraphMetadata]
  /// The files that go with the model as a whole.
  public internal(set) var associatedFiles: [AssociatedFile]
  /// The files that travel with the model.
  package let archive: AppendedArchive
}

/// What is said of a subgraph.
public struct SubgraphMetadata: Sendable, Equatable {
  /// The subgraph's name.
  public internal(set) var name: String
  /// What the subgraph does.
  public internal(set) var description: String
  /// One for each of the subgraph's inputs.
  public internal(set) var inputs: [TensorMetadata]
  /// One for each of the subgraph's outputs.
  public internal(set) var outputs: [TensorMetadata]
  /// The files that go with the subgraph as a whole.
  public internal(set) var associatedFiles: [AssociatedFile]
  /// Steps that work on all inputs together.
  public internal(set) var inputProcessUnits: [ProcessUnit]
  /// Steps that work on all outputs together.
  public internal(set) var outputProcessUnits: [ProcessUnit]
  /// Inputs that belong together.
  public internal(set) var inputGroups: [TensorGroup]
  /// Outputs that belong together.
  public internal(set) var outputGroups: [TensorGroup]
  /// What only the model's makers understand.
  public internal(set) var customMetadata: [CustomMetadata]
}

/// Bytes that only their writer understands.
public struct CustomMetadata: Sendable, Equatable {
  /// What tells one from another.
  public let name: String
  /// The bytes.
  public let data: [UInt8]
}

/// Tensors that belong together.
public struct TensorGroup: Sendable, Equatable {
  /// The group's name.
  public let name: String
  /// The names of its tensors.
  public let tensorNames: [String]
}

/// What is said of an input or output.
public struct TensorMetadata: Sendable, Equatable {
  /// The tensor's name.
  public internal(set) var name: String
  /// What the tensor holds.
  public internal(set) var description: String
  /// A name for each axis, or none.
  public internal(set) var dimensionNames: [String]
  /// What the elements mean, or `nil` where nothing is said.
  public internal(set) var content: TensorContent?
  /// The axes that the content takes, or `nil` for all but the batch.
  public internal(set) var contentAxes: ClosedRange<Int>?
  /// How the elements are to be processed, at most one of a kind.
  public internal(set) var processUnits: [ProcessUnit]
  /// The largest values, one for all channels or for each.
  public internal(set) var maxima: [Float]
  /// The smallest values, one for all channels or for each.
  public internal(set) var minima: [Float]
  /// The files that go with the tensor: its labels, for one.
  public internal(set) var associatedFiles: [AssociatedFile]

  /// How inputs are to be normalised.
  public var normalization: Normalization? {
    for case .normalization(let options) in processUnits { return options }
    return nil
  }

  /// How scores are to be calibrated.
  public var scoreCalibration: ScoreCalibration? {
    for case .scoreCalibration(let options) in processUnits { return options }
    return nil
  }

  /// The score below which results are not worth showing.
  public var scoreThreshold: Float? {
    for case .scoreThreshold(let threshold) in processUnits { return threshold }
    return nil
  }
}

/// What a tensor's elements mean.
public enum TensorContent: Sendable, Equatable {
  case feature
  /// An image, and its size where the tensor's shape leaves it open.
  case image(colorSpace: ColorSpace, width: Int?, height: Int?)
  /// Boxes: `order` says where each number of the layout lies, empty for the usual order.
  case boundingBox(layout: BoundingBoxLayout, coordinates: BoundingBoxCoordinates, order: [Int])
  case audio(sampleRate: Int, channelCount: Int)
  /// A meaning that this reader does not know, by its number in the schema.
  case other(tag: Int)
}

/// The colours of an image tensor.
public enum ColorSpace: UInt8, Sendable, Equatable {
  case unknown = 0
  case rgb = 1
  case grayscale = 2
}

/// How four numbers make a box.
public enum BoundingBoxLayout: UInt8, Sendable, Equatable {
  case unknown = 0
  /// Left, top, right, bottom.
  case boundaries = 1
  /// Left, top, width, height.
  case upperLeft = 2
  /// Centre x, centre y, width, height.
  case center = 3
}

/// The unit of a box's numbers.
public enum BoundingBoxCoordinates: UInt8, Sendable, Equatable {
  /// Parts of the image's width and height.
  case ratio = 0
  case pixel = 1
}

/// A step outside the graph, before or behind it.
public enum ProcessUnit: Sendable, Equatable {
  case normalization(Normalization)
  case scoreCalibration(ScoreCalibration)
  /// Results below this score are to be dropped.
  case scoreThreshold(Float)
  case bertTokenizer(vocabularies: [AssociatedFile])
  case sentencePieceTokenizer(models: [AssociatedFile], vocabularies: [AssociatedFile])
  case regexTokenizer(delimiter: String, vocabularies: [AssociatedFile])
  /// A step that this reader does not know, by its number in the schema.
  case other(tag: Int)
}

/// `(x - mean) / standardDeviation`, for all channels or for each.
public struct Normalization: Sendable, Equatable {
  /// As many as standard deviations, at least one; finite.
  public let means: [Float]
  /// Finite, and never so small that dividing by them overflows.
  public let standardDeviations: [Float]

  /// A normalisation with these numbers.
  ///
  /// - Throws: `MetadataError` where they are not as many, not finite, or can't be divided by.
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

/// How raw scores become comparable ones; the parameters of each class lie in an associated file.
public struct ScoreCalibration: Sendable, Equatable {
  /// What is done to a score first.
  public let transformation: ScoreTransformation
  /// The score of classes without parameters, and of those below their smallest score.
  public let defaultScore: Float
}

/// What is done to a score before it is calibrated.
public enum ScoreTransformation: UInt8, Sendable, Equatable {
  case identity = 0
  case log = 1
  /// log(x) - log(1 - x).
  case inverseLogistic = 2
}

/// A file that goes with a model.
public struct AssociatedFile: Sendable, Equatable {
  /// The name under which the archive holds it.
  public let name: String
  /// What the file is.
  public let description: String
  /// What the file holds.
  public let type: AssociatedFileType
  /// A language, as `en` or `en-US`; empty for none.
  public let locale: String
  /// The file's version, as its makers count.
  public let version: String
}

/// What a file that goes with a model holds.
public enum AssociatedFileType: UInt8, Sendable, Equatable {
  case unknown = 0
  case descriptions = 1
  /// A label a line, one for each index along an axis.
  case tensorAxisLabels = 2
  /// A label a line, one for each value of the tensor.
  case tensorValueLabels = 3
  case tensorAxisScoreCalibration = 4
  case vocabulary = 5
  case scannIndexFile = 6
}
