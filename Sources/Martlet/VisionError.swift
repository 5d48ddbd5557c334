//===--- VisionError.swift - why a picture could not be looked at ---------===//
//
// Checked   Tests/MartletTests
//===----------------------------------------------------------------------===//

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
  /// A float input whose metadata does not say how pixels are to be normalised.
  case normalization
  /// The file names labels that are not as many as the classes.
  case labelCount(found: Int, classes: Int)
  /// An integer output without scale.
  case outputQuantization
}

/// Why a model could not be used, or a picture not be looked at.
public enum VisionError: Error, Equatable, Sendable {
  /// The bytes are no TensorFlow Lite model.
  case model(ModelError)
  /// The model's metadata is damaged.
  case metadata(MetadataError)
  /// The model can't be run.
  case inference(InferenceError)
  /// The model can be run, but not for this job.
  case unsuitable(ModelRequirement)
  /// The picture can't be brought to the model's size.
  case image(ImageError)
}

extension VisionError: CustomStringConvertible {
  /// One sentence.
  public var description: String {
    switch self {
    case .model(let error): "\(error)"
    case .metadata(let error): "\(error)"
    case .inference(let error): "\(error)"
    case .unsuitable(let requirement): "\(requirement)"
    case .image(let error): "\(error)"
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
    case .outputShape(let found): "the output's shape is \(found), which is not what is needed"
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
    }
  }
}
