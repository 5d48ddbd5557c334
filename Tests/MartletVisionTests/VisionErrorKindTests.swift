import MartletCodecs
import MartletVision
import Testing

@Suite struct VisionErrorKindTests {
  @Test(
    arguments: [
      (.file(path: "a", .notFound), .inputOutput), (.notDownloaded(name: "a"), .inputOutput),
      (.file(path: "a", .tooLarge(limit: 1)), .limitExceeded),
      (.manifest(path: "a", .content), .invalidModel), (.model(.format("a")), .invalidModel),
      (.unsuitable(.detector(outputs: [])), .unsupportedModel), (.noPixels, .invalidImage),
      (.pixelFormat(code: 1), .unsupportedImage), (.calledOnMainThread, .invalidCall),
      (.tooManyBoxes(found: 2, limit: 1), .invalidCall),
      (.notIncluded(trait: "Faces"), .invalidCall), (.cancelled, .cancelled),
      (.frameDropped, .busy), (.tooManyImages, .busy),
      (.imageFile(.unknownFormat(firstBytes: [])), .invalidImage),
      (.imageFile(.unknownFormat(firstBytes: [0x25])), .unsupportedImage),
      (.imageFile(.interrupted(.deadlineExceeded)), .timedOut),
      (.imageFile(.interrupted(.cancelled)), .cancelled),
      (.imageFile(.jpeg(.notJPEG)), .invalidImage),
      (.imageFile(.jpeg(.unsupportedProcess(marker: 0xC9, offset: 2))), .unsupportedImage),
      (.imageFile(.tiff(.stopped(.interrupted(.deadlineExceeded)))), .timedOut),
      (.imageFile(.png(.stopped(.tooMuchWork(limit: 1)))), .limitExceeded),
      (.imageFile(.gif(.memory(.init(needed: 2, limit: 1)))), .limitExceeded),
    ] as [(VisionError, VisionError.Kind)])
  func errorsHaveTheKindThatCallersDecideOn(_ error: VisionError, _ kind: VisionError.Kind) {
    #expect(error.kind == kind)
  }
}
