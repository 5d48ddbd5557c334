//===--- VisionError.swift - why a picture could not be looked at ---------===//
//
// Checked   Tests/MartletTests/ErrorCodeTests.swift, and by the suite of each type that throws
//===----------------------------------------------------------------------===//

public import MartletCodecs
@_exported public import MartletImage
@_exported public import MartletInference
@_exported public import MartletModel

/// What a model has to be for the job that it is given.
public enum ModelRequirement: Sendable, Hashable {
  /// Just one input.
  case inputCount(found: Int)
  /// At least as many outputs as the job needs.
  case outputCount(found: Int)
  /// [1, height, width, 3], neither side zero.
  case inputShape(found: Shape)
  /// An input of uint8, int8 or float32.
  case inputType(found: ElementType)
  /// [1, classes] or [1, 1, 1, classes] of a classifier, and the same after each run.
  case outputShape(found: Shape)
  /// An output of uint8, int8 or float32.
  case outputType(found: ElementType)
  /// The metadata speaks of one input, or of none.
  case inputMetadataCount(found: Int)
  /// The metadata speaks of every output, or of none.
  case outputMetadataCount(found: Int, outputs: Int)
  /// The metadata says that the input is no picture, or not in RGB.
  case inputContent
  /// A classifier whose scores are to be calibrated has a calibration for each class.
  case calibrationCount(found: Int, classes: Int)
  /// A float input, for which neither the metadata nor the caller says how pixels are to be
  /// normalised.
  case normalization
  /// There are labels, but not as many as classes.
  case labelCount(found: Int, classes: Int)
  /// An integer output without scale.
  case outputQuantization
  /// Outputs that are all integers, or all floats.
  case mixedOutputs
}

/// Why a file could not be read.
public enum FileProblem: Sendable, Hashable {
  /// There is no file of this name.
  case notFound
  /// The file may not be read.
  case permissionDenied
  /// Reading failed.
  case unreadable
}

/// Why a model could not be used, or a picture not be looked at.
public enum VisionError: Error, Equatable, Sendable {
  /// A file could not be read.
  case file(path: String, FileProblem)
  /// The bytes are no TensorFlow Lite model.
  case model(ModelError)
  /// The model's metadata is damaged.
  case metadata(MetadataError)
  /// The model can't be run.
  case inference(InferenceError)
  /// The model can be run, but not for this job.
  case unsuitable(ModelRequirement)
  /// The bytes are no picture.
  case picture(ImageFileError)
  /// The picture can't be brought to the model's size.
  case image(ImageError)
  /// What the picture was made from holds no pixels.
  case noPixels
  /// The picture's pixels are of a format that is not read, by its code in Core Video.
  case pixelFormat(code: UInt32)
  /// `results(in:)` was called on the main thread, and the options ask for this error then.
  case calledOnMainThread
  /// The task was cancelled before the picture was looked at.
  case cancelled
}

extension VisionError: CustomStringConvertible {
  /// One sentence.
  public var description: String {
    switch self {
    case .file(let path, .notFound): "there is no file \(path)"
    case .file(let path, .permissionDenied): "the file \(path) may not be read"
    case .file(let path, .unreadable): "the file \(path) cannot be read"
    case .model(let error): "\(error)"
    case .metadata(let error): "\(error)"
    case .inference(let error): "\(error)"
    case .unsuitable(let requirement): "\(requirement)"
    case .picture(let error): "\(error)"
    case .image(let error): "\(error)"
    case .noPixels: "the picture was made from something that holds no pixels"
    case .pixelFormat(let code): "pixels of Core Video's format \(code) are not read"
    case .calledOnMainThread: "results(in:) was called on the main thread"
    case .cancelled: "the task was cancelled"
    }
  }
}

extension ModelRequirement: CustomStringConvertible {
  /// One sentence.
  public var description: String {
    switch self {
    case .inputCount(let found): "the model has \(found) inputs, 1 needed"
    case .outputCount(let found): "the model has \(found) outputs, which is not what is needed"
    case .inputShape(let found): "the input's shape is \(found), [1, height, width, 3] needed"
    case .inputType(let found): "the input's type is \(found), uint8, int8 or float32 needed"
    case .outputShape(let found):
      "the output's shape is \(found), [1, classes] or [1, 1, 1, classes] needed"
    case .outputType(let found): "the output's type is \(found), uint8, int8 or float32 needed"
    case .normalization: "the input is float32, and no metadata says how to normalise pixels"
    case .labelCount(let found, let classes): "there are \(found) labels for \(classes) classes"
    case .inputMetadataCount(let found): "the metadata speaks of \(found) inputs, there is 1"
    case .outputMetadataCount(let found, let outputs):
      "the metadata speaks of \(found) outputs, there are \(outputs)"
    case .inputContent: "the metadata says that the input is no picture in RGB"
    case .calibrationCount(let found, let classes):
      "there are \(found) score calibrations for \(classes) classes"
    case .outputQuantization: "the output holds integers without a scale"
    case .mixedOutputs: "some outputs hold integers and others floats"
    }
  }
}
