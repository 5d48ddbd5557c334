//===--- VisionError+Codes.swift - error codes and `NSError` --------------===//
//
// Contract  As `NSError`, an error has the domain `VisionError.errorDomain`, ML Kit's code and the
//           description; the underlying error has TFLite Support's code, if there is one.
//===----------------------------------------------------------------------===//

public import Foundation
import MartletVision

extension VisionError {
  /// ML Kit's code.
  public var code: MLKitErrorCode {
    switch self {
    case .file(_, .notFound), .notDownloaded: .notFound
    case .file(_, .permissionDenied): .permissionDenied
    case .file(_, .unreadable): .dataLoss
    case .file(_, .tooLarge): .resourceExhausted
    case .inference(let error): error.code
    case .model, .metadata, .unsuitable: .modelIncompatible
    case .imageFile(.interrupted(.deadlineExceeded)): .deadlineExceeded
    case .imageFile, .image, .noPixels, .pixelFormat, .manifest, .labels: .invalidArgument
    case .calledOnMainThread, .notIncluded: .failedPrecondition
    case .cancelled: .cancelled
    case .frameDropped, .tooManyImages, .tooManyBoxes: .resourceExhausted
    }
  }

  /// TensorFlow Lite Support's code, or `nil` if that library has no matching code.
  public var supportCode: TFLiteSupportCode? {
    switch self {
    case .file(_, .notFound), .notDownloaded: .fileNotFound
    case .file(_, .permissionDenied): .filePermissionDenied
    case .file(_, .unreadable), .file(_, .tooLarge): .fileRead
    case .manifest, .labels: .invalidArgument
    case .model: .invalidFlatBuffer
    case .metadata(let error): error.supportCode
    case .inference(let error): error.supportCode
    case .unsuitable(let requirement): requirement.supportCode
    case .imageFile, .noPixels: .imageProcessing
    case .image, .pixelFormat: .imageProcessingInvalidArgument
    case .calledOnMainThread, .cancelled, .frameDropped, .tooManyImages, .tooManyBoxes,
      .notIncluded:
      nil
    }
  }
}

extension MetadataError {
  fileprivate var supportCode: TFLiteSupportCode {
    switch self {
    case .flatBuffer: .metadataSchemaVersion
    case .archive, .text: .associatedFileZip
    case .missingFile: .associatedFileNotFound
    case .repeatedProcessUnit, .normalizationCount, .mean, .standardDeviation:
      .metadataProcessUnits
    case .contentAxes, .anchors: .metadataContentProperties
    case .labelCount: .metadataLabelCount
    case .calibrationFields, .calibrationNumber: .metadataCalibration
    }
  }
}

extension InferenceError {
  /// ML Kit's code. It differs if the model exceeds the limits of the options, or was stopped.
  fileprivate var code: MLKitErrorCode {
    switch innermost {
    case .tooLarge, .nesting, .nestedNodes, .loopLimit, .tooMuchWork: .resourceExhausted
    case .deadlineExceeded: .deadlineExceeded
    case .cancelled: .cancelled
    case .unsupportedOperator, .unsupportedType, .operandCount, .missingOperand, .type, .rank,
      .extent, .elementCount, .options, .option, .quantization, .zeroPoint, .notVariable,
      .valueNotKnown, .indexOutOfRange, .divisionByZero, .readBeforeWritten, .writtenTwice,
      .noSuchSubgraph, .noSuchTensor, .byteCount, .outputNeverWritten, .invalidShape, .recursion,
      .resource, .unassignedVariable, .variable, .emptyTable, .strings, .noSuchSignature,
      .noSuchName, .computation, .inSubgraph:
      .modelIncompatible
    }
  }

  fileprivate var supportCode: TFLiteSupportCode {
    guard case .unsupportedOperator(_, let name, _) = innermost else { return .error }
    return BuiltinOperator.allCases.contains { "\($0)" == name }
      ? .unsupportedBuiltinOperator : .unsupportedCustomOperator
  }
}

extension ModelRequirement {
  fileprivate var supportCode: TFLiteSupportCode {
    switch self {
    case .inputCount: .inputCount
    case .inputShape: .inputDimensions
    case .inputType: .inputType
    case .inputMetadataCount, .outputMetadataCount, .labelCount: .metadataInconsistency
    case .label: .invalidArgument
    case .inputContent: .metadataContentProperties
    case .normalization: .metadataMissingNormalization
    case .normalizationCount: .metadataProcessUnits
    case .calibrationCount: .metadataLabelCount
    case .outputCount, .detector: .outputCount
    case .outputShape, .detectionShape, .faceOutput, .faceLevel, .classifier, .detectorHead,
      .otherHead, .detectorHeads, .anchors, .accelerator:
      .outputDimensions
    case .outputType, .outputQuantization, .mixedOutputs, .finiteOutput, .scoreScale, .score:
      .outputType
    }
  }
}

// MARK: - As NSError

extension TFLiteSupportCode {
  /// The domain of TFLite Support's codes as `NSError`.
  public static let errorDomain = "org.tensorflow.lite.support"
}

extension VisionError: CustomNSError {
  /// The domain as `NSError`.
  public static let errorDomain = "martlet.vision"

  /// ML Kit's code.
  public var errorCode: Int { code.rawValue }

  /// The description, and TFLite Support's code as `NSUnderlyingErrorKey`.
  public var errorUserInfo: [String: Any] {
    var information: [String: Any] = [NSLocalizedDescriptionKey: description]
    if let supportCode {
      information[NSUnderlyingErrorKey] = NSError(
        domain: TFLiteSupportCode.errorDomain, code: supportCode.rawValue,
        userInfo: [NSLocalizedDescriptionKey: description])
    }
    return information
  }
}
