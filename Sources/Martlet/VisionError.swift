//===--- VisionError.swift - why a picture could not be looked at ---------===//
//
// Checked   Tests/MartletTests
//===----------------------------------------------------------------------===//

@_exported public import MartletImage
@_exported public import MartletInference
@_exported public import MartletModel

/// What a model has to be for the job that it is given.
public enum ModelRequirement: Sendable, Hashable {
  case inputCount(found: Int)
  case outputCount(found: Int)
  /// [1, height, width, 3], neither side zero.
  case inputShape(found: Shape)
  case inputType(found: ElementType)
  case outputShape(found: Shape)
  case outputType(found: ElementType)
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
    case .outputQuantization: "the output holds integers without a scale"
    }
  }
}
