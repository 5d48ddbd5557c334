//===--- VisionError.swift - why an image could not be looked at ----------===//
//
// Checked   Tests/MartletTests/ErrorCodeTests.swift, and by the suite of each type that throws
//===----------------------------------------------------------------------===//

public import MartletCodecs

/// What a model has to be for the job that it is given.
public enum ModelRequirement: Sendable, Equatable {
  /// Just one input; these there are.
  case inputCount(found: [String])
  /// At least as many outputs as the job needs.
  case outputCount(found: Int, needed: Int)
  /// [1, height, width, 3], neither side zero.
  case inputShape(tensor: String, found: Shape)
  /// An input of uint8, int8 or float32.
  case inputType(tensor: String, found: ElementType)
  /// [1, classes] or [1, 1, 1, classes] of a classifier, and the same after each run.
  case outputShape(tensor: String, found: Shape)
  /// An output of uint8, int8 or float32.
  case outputType(tensor: String, found: ElementType)
  /// The metadata describes one input, or none.
  case inputMetadataCount(found: Int)
  /// The metadata describes every output, or none.
  case outputMetadataCount(found: Int, outputs: Int)
  /// The metadata says that the input is no image, or not in RGB.
  case inputContent(tensor: String, found: TensorContent)
  /// A classifier whose scores are to be calibrated has a calibration for each class.
  case calibrationCount(tensor: String, found: Int, classes: Int)
  /// A float input, for which neither the metadata nor the caller says how pixels are to be
  /// normalized.
  case normalization(tensor: String)
  /// One mean and deviation for all channels of the input, or one for each of three.
  case normalizationCount(tensor: String, found: Int)
  /// There are labels, but not as many as classes.
  case labelCount(tensor: String, found: Int, classes: Int)
  /// An integer output without scale.
  case outputQuantization(tensor: String)
  /// Outputs that are all integers, or all floats.
  case mixedOutputs(integers: String, floats: String)
  /// A class of this name.
  case label(String)
  /// A classifier; the model is a detector.
  case classifier
  /// A detector: `TFLite_Detection_PostProcess`, whose four results are outputs.
  case detector
  /// [1, n, 4] for a detector's boxes, [1, n] for their classes and scores, [1] for their number,
  /// after each run.
  case detectionShape(tensor: String, found: Shape)
  /// An output of so many numbers, of a network that looks at faces.
  case faceOutput(count: Int)
  /// Results that are finite numbers: no class has a score of NaN or infinity, and no detector such a count.
  case finiteOutput(tensor: String, index: Int, found: Float)
  /// Levels of [1, rows, columns, 1] and [1, rows, columns, 16], with 8, 16 or 32 pixels of the input to a
  /// cell, of a detector of faces.
  case faceLevel(found: Shape)
}

/// Why a file could not be read.
public enum FileProblem: Sendable, Hashable {
  /// There is no file of this name.
  case notFound
  /// The file cannot be read without permission.
  case permissionDenied
  /// Reading failed.
  case unreadable
  /// The file has more bytes than are read of it.
  case tooLarge(limit: Int)
}

/// Why a file is no AutoML Vision Edge manifest of a classifier.
public enum ManifestProblem: Sendable, Hashable {
  /// It is no JSON object with the texts `modelType`, `modelFile` and `labelsFile`.
  case content
  /// The model is of another type than `IMAGE_LABELING`.
  case modelType(found: String)
}

/// Why a model could not be used, or an image not be looked at.
public enum VisionError: Error, Equatable, Sendable {
  /// A file could not be read.
  case file(path: String, FileProblem)
  /// A remote model is used before it has been downloaded.
  case notDownloaded(name: String)
  /// The file is no manifest of a classifier.
  case manifest(path: String, ManifestProblem)
  /// The file is no list of labels.
  case labels(path: String, TextError)
  /// The bytes are no TensorFlow Lite model.
  case model(ModelError)
  /// The model's metadata is damaged.
  case metadata(MetadataError)
  /// The model cannot be run.
  case inference(InferenceError)
  /// The model can be run, but not for this job.
  case unsuitable(ModelRequirement)
  /// The bytes are no image.
  case picture(ImageFileError)
  /// The image cannot be brought to the model's size.
  case image(ImageError)
  /// What the image was made from holds no pixels.
  case noPixels
  /// The image's pixels are of a format that is not read, by its code in Core Video.
  case pixelFormat(code: UInt32)
  /// `results(in:)` was called on the main thread, and the options select this error then.
  case calledOnMainThread
  /// The task was cancelled before the result was there.
  case cancelled
  /// The frame of a stream was dropped because the frames that wait would take more than 64 MiB.
  case frameDropped
  /// A stream was asked to begin with more boxes than it tracks.
  case tooManyBoxes(found: Int, limit: Int)
}

extension VisionError {
  /// Why a network could not be prepared or run.
  init(_ error: InferenceError) {
    if case .cancelled = error.innermost { self = .cancelled } else { self = .inference(error) }
  }
}

extension VisionError: CustomStringConvertible {
  /// The error in one sentence.
  public var description: String {
    switch self {
    case .file(let path, .notFound): "there is no file \(path)"
    case .file(let path, .permissionDenied): "permission to read the file \(path) is denied"
    case .file(let path, .unreadable): "the file \(path) cannot be read"
    case .file(let path, .tooLarge(let limit)):
      "the file \(path) is larger than the limit of \(limit) bytes; use a smaller file"
    case .notDownloaded(let name): "the model \(name) is not downloaded"
    case .manifest(let path, .content):
      "the manifest \(path) is no JSON object with modelType, modelFile and labelsFile"
    case .manifest(let path, .modelType(let found)):
      "the manifest \(path) is of a model of type \(found), IMAGE_LABELING needed"
    case .labels(let path, let error): "the file \(path) is no list of labels: \(error)"
    case .model(let error): "\(error)"
    case .metadata(let error): "\(error)"
    case .inference(let error): "\(error)"
    case .unsuitable(let requirement): "\(requirement)"
    case .picture(let error): "\(error)"
    case .image(let error): "\(error)"
    case .noPixels: "the image was made from something that holds no pixels"
    case .pixelFormat(let code): "unsupported Core Video pixel format \(code)"
    case .calledOnMainThread: "results(in:) was called on the main thread"
    case .cancelled: "the task was cancelled"
    case .frameDropped:
      """
      the frame was dropped: newer frames came while the detector was busy, and 64 MiB of frames \
      wait at most; wait for each result before the next frame, or use objects(in:), faces(in:) \
      or results(over:)
      """
    case .tooManyBoxes(let found, let limit):
      "\(found) boxes to track, at most \(limit) expected; begin a second stream for the others"
    }
  }
}

extension ModelRequirement: CustomStringConvertible {
  /// The error in one sentence.
  public var description: String {
    switch self {
    case .inputCount(let found):
      "the model has \(found.count) inputs (\(found.joined(separator: ", "))), 1 needed"
    case .outputCount(let found, let needed):
      "the model has \(found) outputs, at least \(needed) needed"
    case .inputShape(let tensor, let found):
      "the shape of the input \"\(tensor)\" is \(found), [1, height, width, 3] needed"
    case .inputType(let tensor, let found):
      "the type of the input \"\(tensor)\" is \(found), uint8, int8 or float32 needed"
    case .outputShape(let tensor, let found):
      """
      the shape of the output \"\(tensor)\" is \(found), [1, classes] or [1, 1, 1, classes] \
      needed
      """
    case .outputType(let tensor, let found):
      "the type of the output \"\(tensor)\" is \(found), uint8, int8 or float32 needed"
    case .inputMetadataCount(let found): "the metadata describes \(found) inputs, 1 needed"
    case .outputMetadataCount(let found, let outputs):
      "the metadata describes \(found) outputs, \(outputs) needed"
    default: numbers
    }
  }

  /// The same, of what elements mean.
  private var numbers: String {
    switch self {
    case .inputContent(let tensor, let found):
      """
      the metadata says that the input \"\(tensor)\" holds \(found.words), an RGB image is \
      needed
      """
    case .normalization(let tensor):
      """
      the input \"\(tensor)\" is float32 and no metadata says how to normalize pixels: mean and \
      standard deviation needed
      """
    case .normalizationCount(let tensor, let found):
      "the metadata gives \(found) means for the input \"\(tensor)\", 1 or 3 needed"
    case .labelCount(let tensor, let found, let classes):
      "there are \(found) labels for the output \"\(tensor)\", \(classes) needed"
    case .calibrationCount(let tensor, let found, let classes):
      "there are \(found) score calibrations for the output \"\(tensor)\", \(classes) needed"
    case .outputQuantization(let tensor):
      "the output \"\(tensor)\" holds integers without a scale, one needed"
    case .mixedOutputs(let integers, let floats):
      """
      the output \"\(integers)\" holds integers and the output \"\(floats)\" floats, one kind for all \
      needed
      """
    case .label(let name): "no class of the model is called \"\(name)\""
    case .classifier:
      "the model is a detector (it ends in TFLite_Detection_PostProcess), a classifier needed"
    case .detector:
      "the model's outputs are not those of TFLite_Detection_PostProcess, all four needed"
    case .detectionShape(let tensor, let found):
      "the output \"\(tensor)\" came with the shape \(found), a row for each box needed"
    case .finiteOutput(let tensor, let index, let found):
      """
      element \(index) of the output \"\(tensor)\" is \(found), a finite number needed; check the \
      normalization of the input and the model's weights
      """
    case .faceOutput(let count): "no output has \(count) numbers"
    case .faceLevel(let found):
      "a level came with the shape \(found), cells of 8, 16 or 32 pixels with 1 and 16 numbers needed"
    default: ""
    }
  }
}

extension TensorContent {
  /// What a tensor holds, in words.
  fileprivate var words: String {
    switch self {
    case .feature: "features"
    case .image(.grayscale, _, _): "a gray image"
    case .image(.rgb, _, _): "an RGB image"
    case .image: "an image in unknown colors"
    case .boundingBox: "boxes"
    case .audio: "audio"
    case .other(let tag): "something of kind \(tag)"
    }
  }
}
