import Foundation
import Testing

@testable import Martlet
@testable import MartletMLKit

/// Error codes: those of ML Kit for Android and of TensorFlow Lite Support.
@Suite struct ErrorCodeTests {
  @Test func errorCodesMatchMLKit() {
    #expect(
      MLKitErrorCode.allCases.map(\.rawValue) == [1, 3, 4, 5, 7, 8, 9, 13, 15, 100, 101, 102])
    #expect(MLKitErrorCode.notFound.rawValue == 5)
    #expect(MLKitErrorCode.failedPrecondition.rawValue == 9)
    #expect(MLKitErrorCode.internal.rawValue == 13)
    #expect(MLKitErrorCode.modelIncompatible.rawValue == 100)
  }

  @Test func errorCodesMatchTFLiteSupport() {
    let groups = [
      [1, 2, 3, 4, 5], [100, 101, 102], [200, 201, 202, 203, 204, 205, 206, 208, 209],
      [300, 301, 302], [400, 401, 403], [500, 501],
    ]
    #expect(TFLiteSupportCode.allCases.map(\.rawValue) == groups.flatMap { $0 })
    #expect(TFLiteSupportCode.metadataMissingNormalization.rawValue == 208)
    #expect(TFLiteSupportCode.metadataContentProperties.rawValue == 209)
    #expect(TFLiteSupportCode.outputType.rawValue == 401)
  }

  static let cases: [(VisionError, MLKitErrorCode, TFLiteSupportCode?)] = [
    (.file(path: "a", .notFound), .notFound, .fileNotFound),
    (.file(path: "a", .permissionDenied), .permissionDenied, .filePermissionDenied),
    (.file(path: "a", .unreadable), .dataLoss, .fileRead),
    (.manifest(path: "a", .content), .invalidArgument, .invalidArgument),
    (
      .labels(path: "a", .byteCount(found: 2, limit: 1)), .invalidArgument, .invalidArgument
    ),
    (.unsuitable(.classifier(.yolov8)), .modelIncompatible, .outputDimensions),
    (
      .unsuitable(.accelerator(operator: "ethos-u")), .modelIncompatible, .outputDimensions
    ),
    (.metadata(.anchors), .modelIncompatible, .metadataContentProperties),
    (.unsuitable(.label("x")), .modelIncompatible, .invalidArgument),
    (.metadata(.missingFile(name: "a")), .modelIncompatible, .associatedFileNotFound),
    (.metadata(.calibrationFields(line: 0, found: 2)), .modelIncompatible, .metadataCalibration),
    (
      .metadata(.contentAxes(first: 2, last: 1)), .modelIncompatible, .metadataContentProperties
    ),
    (
      .inference(.unsupportedOperator(node: 0, name: "CONV_2D", version: 99)), .modelIncompatible,
      .unsupportedBuiltinOperator
    ),
    (
      .inference(
        .inSubgraph(index: 1, .unsupportedOperator(node: 0, name: "Mine", version: 1))),
      .modelIncompatible, .unsupportedCustomOperator
    ),
    (.inference(.tooLarge(node: 0, bytes: 2, limit: 1)), .resourceExhausted, .error),
    (.inference(.tooMuchWork(node: 0, work: 2, limit: 1)), .resourceExhausted, .error),
    (.inference(.deadlineExceeded(node: 0)), .deadlineExceeded, .error),
    (.inference(.inSubgraph(index: 1, .cancelled(node: 0))), .cancelled, .error),
    (.inference(.options(node: 0)), .modelIncompatible, .error),
    (.unsuitable(.outputCount(found: 0, needed: 1)), .modelIncompatible, .outputCount),
    (.unsuitable(.outputType(tensor: "scores", found: .int64)), .modelIncompatible, .outputType),
    (.imageFile(.unknownFormat(firstBytes: [])), .invalidArgument, .imageProcessing),
    (
      .image(.invalidSize(width: 0, height: 0)), .invalidArgument, .imageProcessingInvalidArgument
    ),
    (.noPixels, .invalidArgument, .imageProcessing),
    (.pixelFormat(code: 1), .invalidArgument, .imageProcessingInvalidArgument),
    (.calledOnMainThread, .failedPrecondition, nil), (.cancelled, .cancelled, nil),
    (.frameDropped, .resourceExhausted, nil), (.tooManyImages, .resourceExhausted, nil),
    (.tooManyBoxes(found: 101, limit: 100), .resourceExhausted, nil),
    (.notIncluded(trait: "Faces"), .failedPrecondition, nil),
  ]

  @Test(arguments: cases)
  func everyErrorHasItsCodes(
    _ error: VisionError, _ code: MLKitErrorCode, _ support: TFLiteSupportCode?
  ) {
    #expect(error.code == code)
    #expect(error.supportCode == support)
  }

  @Test func errorBridgesToNSError() throws {
    let error: any Error = VisionError.unsuitable(.normalization(tensor: "picture"))
    let bridged = error as NSError
    #expect(bridged.domain == "martlet.vision")
    #expect(bridged.domain == VisionError.errorDomain)
    #expect(bridged.code == 100)
    #expect(
      bridged.localizedDescription == "\(VisionError.unsuitable(.normalization(tensor: "picture")))"
    )
    let underlying = try #require(bridged.userInfo[NSUnderlyingErrorKey] as? NSError)
    #expect(underlying.domain == TFLiteSupportCode.errorDomain)
    #expect(underlying.code == 208)
  }

  @Test func errorUnknownToTFLiteSupportHasNoUnderlyingError() {
    let bridged = VisionError.cancelled as any Error as NSError
    #expect(bridged.code == 1)
    #expect(bridged.userInfo[NSUnderlyingErrorKey] == nil)
    #expect(VisionError.cancelled.localizedDescription == "the task was cancelled")
  }

  @Test(arguments: cases)
  func everyErrorIsOneSentence(
    _ error: VisionError, _: MLKitErrorCode, _: TFLiteSupportCode?
  ) {
    #expect(error.localizedDescription == error.description)
    #expect(error.description.count > 10)
    #expect(!error.description.contains("\n"))
  }
}
