//===--- VisionError.swift - why an image could not be looked at ----------===//

public import MartletCodecs

/// What a model must have for its task.
@nonexhaustive
public enum ModelRequirement: Sendable, Equatable {
  /// One input; the associated value lists the actual inputs.
  case inputCount(found: [String])
  /// At least this many outputs.
  case outputCount(found: Int, needed: Int)
  /// An input of shape [1, height, width, 3] without empty sides.
  case inputShape(tensor: String, found: Shape)
  /// An input of uint8, int8 or float32.
  case inputType(tensor: String, found: ElementType)
  /// A classifier output of shape [1, classes] or [1, 1, 1, classes], constant over runs.
  case outputShape(tensor: String, found: Shape)
  /// An output of uint8, int8 or float32.
  case outputType(tensor: String, found: ElementType)
  /// The metadata describes one input, or none.
  case inputMetadataCount(found: Int)
  /// The metadata describes every output, or none.
  case outputMetadataCount(found: Int, outputs: Int)
  /// The input is an RGB image according to the metadata.
  case inputContent(tensor: String, found: TensorContent)
  /// A calibration for each class, if scores are calibrated.
  case calibrationCount(tensor: String, found: Int, classes: Int)
  /// A normalization for a float input, from the metadata or the caller.
  case normalization(tensor: String)
  /// One mean and deviation for all channels of the input, or one for each of the three.
  case normalizationCount(tensor: String, found: Int)
  /// As many labels as classes.
  case labelCount(tensor: String, found: Int, classes: Int)
  /// A scale for an integer output.
  case outputQuantization(tensor: String)
  /// Outputs that are all integers or all floats.
  case mixedOutputs(integers: String, floats: String)
  /// A class with this name.
  case label(String)
  /// A classifier; this model is a detector with this head.
  case classifier(DetectorHead?)
  /// A detector: outputs with a form of ``DetectorHead``.
  case detector(outputs: [Shape])
  /// A detector with the head that the options name.
  case detectorHead(DetectorHead, outputs: [Shape])
  /// The given head, while the values of a run are those of others.
  case otherHead(DetectorHead, fitting: [DetectorHead])
  /// One of these heads, all of which fit the file and the values of a run.
  case detectorHeads([DetectorHead])
  /// A detector whose anchors and decoding are in the file.
  case anchors(UndecodedOutputs)
  /// A model that is not compiled for an accelerator, whose code is in this custom operator.
  case accelerator(operator: String)
  /// A scale with which an output of scores from 0 to 1 has more than a few values.
  case scoreScale(tensor: String, scale: Float)
  /// A score from 0 to 1 of a detector's box.
  case score(tensor: String, box: Int, label: Int, found: Float)
  /// [1, n, 4] for a detector's boxes, [1, n] for their classes and scores, [1] for their number,
  /// after each run.
  case detectionShape(tensor: String, found: Shape)
  /// An output with this many numbers, for a face network.
  case faceOutput(count: Int)
  /// Finite results: no score or detection count is NaN or infinite.
  case finiteOutput(tensor: String, index: Int, found: Float)
  /// Levels of [1, rows, columns, 1] and [1, rows, columns, 16] with cells of 8, 16 or 32 pixels,
  /// for a face detector.
  case faceLevel(found: Shape)
}

/// Why a file could not be read.
@nonexhaustive
public enum FileProblem: Sendable, Hashable {
  /// There is no file at this path.
  case notFound
  /// The process has no permission to read the file.
  case permissionDenied
  /// Reading failed.
  case unreadable
  /// The file is larger than the limit.
  case tooLarge(limit: Int)
}

/// Why a file is not an AutoML Vision Edge manifest of a classifier.
@nonexhaustive
public enum ManifestProblem: Sendable, Hashable {
  /// It is not a JSON object with the strings `modelType`, `modelFile` and `labelsFile`.
  case content
  /// The model type is not `IMAGE_LABELING`.
  case modelType(found: String)
}

/// Why a model could not be used, or why an image could not be processed.
@nonexhaustive
public enum VisionError: Error, Equatable, Sendable {
  /// A file could not be read.
  case file(path: String, FileProblem)
  /// A remote model is used before it has been downloaded.
  case notDownloaded(name: String)
  /// The file is not a manifest of a classifier.
  case manifest(path: String, ManifestProblem)
  /// The file is not a list of labels.
  case labels(path: String, TextError)
  /// The file is not a valid TensorFlow Lite model.
  case model(ModelError)
  /// The model's metadata is damaged.
  case metadata(MetadataError)
  /// The model cannot be run.
  case inference(InferenceError)
  /// The model can be run, but does not suit the task.
  case unsuitable(ModelRequirement)
  /// The bytes are not a supported image file.
  case imageFile(ImageFileError)
  /// The image cannot be resized to the model's input, or a region lies outside of it.
  case image(ImageError)
  /// The image was created from a source without pixels.
  case noPixels
  /// The pixel format is not supported; the associated value is Core Video's code.
  case pixelFormat(code: UInt32)
  /// `results(in:)` was called on the main thread, which the options forbid.
  case calledOnMainThread
  /// The task was canceled.
  case cancelled
  /// The frame was dropped because waiting frames would take more than 64 MiB.
  case frameDropped
  /// The image was refused because waiting images would take more than 256 MiB.
  case tooManyImages
  /// A stream was started with more boxes than it can track.
  case tooManyBoxes(found: Int, limit: Int)
  /// The networks for the task belong to a trait of the package that this program does not enable.
  case notIncluded(trait: String)
}

extension VisionError {
  /// Why an image file could not be decoded.
  package init(_ error: ImageFileError) {
    if case .interrupted(.cancelled) = error { self = .cancelled } else { self = .imageFile(error) }
  }

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
      "the manifest \(path) is not a JSON object with modelType, modelFile and labelsFile"
    case .manifest(let path, .modelType(let found)):
      "the modelType of the manifest \(path) is \(found), expected IMAGE_LABELING"
    case .labels(let path, let error): "the labels file \(path) cannot be read: \(error)"
    case .model(let error): "\(error)"
    case .metadata(let error): "\(error)"
    case .inference(let error): "\(error)"
    case .unsuitable(let requirement): "\(requirement)"
    case .imageFile(let error): "\(error)"
    case .image(let error): "\(error)"
    case .noPixels: "the image has no pixels: it was created from a source without pixels"
    case .pixelFormat(let code): "unsupported Core Video pixel format \(code)"
    case .calledOnMainThread: "results(in:) was called on the main thread"
    case .cancelled: "the task was cancelled"
    case .frameDropped:
      """
      the frame was dropped: newer frames came while the detector was busy, and 64 MiB of frames \
      wait at most; wait for each result before the next frame, or use objects(in:), faces(in:) \
      or objects(over:)
      """
    case .tooManyImages:
      """
      the image was not processed: others wait for the detector, and 256 MiB of images wait at most; \
      wait for results before the next image, or use objects(in:) or faces(in:)
      """
    case .tooManyBoxes(let found, let limit):
      "found \(found) boxes to track, expected at most \(limit); start a second stream for the others"
    case .notIncluded(let trait):
      "this program was built without the networks for this: enable the trait \(trait) of martlet"
    }
  }
}

extension ModelRequirement: CustomStringConvertible {
  /// The error in one sentence.
  public var description: String {
    switch self {
    case .inputCount(let found):
      "the model has \(found.count) inputs (\(found.joined(separator: ", "))), expected 1"
    case .outputCount(let found, let needed):
      "the model has \(found) outputs, expected at least \(needed)"
    case .inputShape(let tensor, let found):
      "the shape of the input \"\(tensor)\" is \(found), expected [1, height, width, 3]"
    case .inputType(let tensor, let found):
      "the type of the input \"\(tensor)\" is \(found), expected uint8, int8 or float32"
    case .outputShape(let tensor, let found):
      """
      the shape of the output \"\(tensor)\" is \(found), expected [1, classes] or \
      [1, 1, 1, classes]
      """
    case .outputType(let tensor, let found):
      "the type of the output \"\(tensor)\" is \(found), expected uint8, int8 or float32"
    case .inputMetadataCount(let found): "the metadata describes \(found) inputs, expected 1"
    case .outputMetadataCount(let found, let outputs):
      "the metadata describes \(found) outputs, expected \(outputs)"
    case .inputContent(let tensor, let found):
      """
      the input \"\(tensor)\" is \(found.words) according to the metadata, expected an RGB image
      """
    case .normalization(let tensor):
      """
      the input \"\(tensor)\" is float32 without normalization in the metadata, expected mean \
      and standard deviation; pass them as options
      """
    case .normalizationCount(let tensor, let found):
      "the metadata has \(found) means for the input \"\(tensor)\", expected 1 or 3"
    case .labelCount(let tensor, let found, let classes):
      "there are \(found) labels for the output \"\(tensor)\", expected \(classes)"
    case .calibrationCount(let tensor, let found, let classes):
      "there are \(found) score calibrations for the output \"\(tensor)\", expected \(classes)"
    case .outputQuantization(let tensor):
      "the output \"\(tensor)\" holds integers without a scale, expected a scale"
    case .mixedOutputs(let integers, let floats):
      """
      the output \"\(integers)\" holds integers and the output \"\(floats)\" floats, expected \
      one kind
      """
    case .label(let name): "the model has no class \"\(name)\""
    case .classifier(let head):
      "the model is a detector (\(head?.rawValue ?? "of several forms")), expected a classifier"
    case .detector(let outputs):
      """
      the model's outputs \(outputs.words) are not those of a detector, expected one of the heads \
      \(DetectorHead.allCases.words)
      """
    case .detectorHead(let head, let outputs):
      """
      the model's outputs \(outputs.words) cannot be read as the head \(head.rawValue); leave out \
      the option, or choose another head
      """
    case .otherHead(let head, let fitting):
      """
      the values of a run are not those of the head \(head.rawValue), but of \(fitting.words); leave out \
      the option detectorHead, or choose another head
      """
    case .detectorHeads(let heads):
      """
      the model's outputs can be read as the heads \(heads.words); choose one with the option \
      detectorHead, or give the names of the classes
      """
    case .anchors(let outputs): "the model's outputs are \(outputs)"
    case .accelerator(let name):
      InferenceError.advice(forAcceleratorOperator: name)
        ?? "the operator \(name) runs on an accelerator only"
    case .scoreScale(let tensor, let scale):
      """
      the output \"\(tensor)\" holds integers with the scale \(scale), which cannot represent scores \
      of 0–1 (one scale for pixels and scores); export it with float outputs or with boxes of 0–1
      """
    case .score(let tensor, let box, let label, let found):
      """
      the score of box \(box) and class \(label) in the output \"\(tensor)\" is \(found), expected \
      0–1; choose another head with the option detectorHead
      """
    case .detectionShape(let tensor, let found):
      "the shape of the output \"\(tensor)\" is \(found), expected a row for each box"
    case .finiteOutput(let tensor, let index, let found):
      """
      element \(index) of the output \"\(tensor)\" is \(found), expected a finite number; check the \
      normalization of the input and the model's weights
      """
    case .faceOutput(let count): "no output has \(count) numbers"
    case .faceLevel(let found):
      "the shape of a level is \(found), expected cells of 8, 16 or 32 pixels with 1 and 16 numbers"
    }
  }
}

extension [DetectorHead] {
  fileprivate var words: String { map { $0.rawValue }.joined(separator: ", ") }
}

extension [Shape] {
  fileprivate var words: String { map { "\($0)" }.joined(separator: ", ") }
}

extension TensorContent {
  /// The content of a tensor.
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
