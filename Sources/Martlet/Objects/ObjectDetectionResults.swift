//===--- ObjectDetectionResults.swift - a sequence of frames, and of results ===//
//
// Contract  One result for each frame, in their order. A frame is taken when its result is asked for:
//           who asks slowly is not sent frames faster.
// Checked   Tests/MartletTests/ObjectDetectionResultsTests.swift
//===----------------------------------------------------------------------===//

/// What was found in one frame of a sequence.
public struct ObjectDetectionResult<Frame: MLKitCompatibleImage>: Sendable {
  /// The frame's place in the sequence, from 0.
  public let index: Int
  /// The frame itself, to draw on.
  public let frame: Frame
  /// The objects in it, by falling prominence.
  public let objects: [Object]
}

extension ObjectDetectionResult: Equatable where Frame: Equatable {}
extension ObjectDetectionResult: Hashable where Frame: Hashable {}
extension ObjectDetectionResult: Encodable where Frame: Encodable {}
extension ObjectDetectionResult: Decodable where Frame: Decodable {}

/// The results of a detector over a sequence of frames.
public struct ObjectDetectionResults<Frames: AsyncSequence>: AsyncSequence
where Frames.Element: MLKitCompatibleImage {
  /// What was found in one frame.
  public typealias Element = ObjectDetectionResult<Frames.Element>

  let detector: ObjectDetector
  let frames: Frames

  /// Looks at one frame after another.
  public struct AsyncIterator: AsyncIteratorProtocol {
    let detector: ObjectDetector
    var frames: Frames.AsyncIterator
    var index = 0

    /// The next frame's result, or `nil` behind the last frame.
    ///
    /// - Throws: What the frames throw, or `VisionError`.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(any Error) -> Element? {
      guard let frame = try await frames.next(isolation: actor) else { return nil }
      defer { index += 1 }
      return Element(index: index, frame: frame, objects: try await detector.objects(in: frame))
    }
  }

  /// An iterator over the results.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(detector: detector, frames: frames.makeAsyncIterator())
  }
}

extension ObjectDetectionResults: Sendable where Frames: Sendable {}

extension ObjectDetector {
  /// The objects in each of a sequence of frames. Beyond ML Kit.
  ///
  /// ```swift
  /// for try await result in detector.results(over: frames) {
  ///   draw(result.objects, on: result.frame)
  /// }
  /// ```
  public func results<Frames: AsyncSequence>(
    over frames: Frames
  ) -> ObjectDetectionResults<Frames> where Frames.Element: MLKitCompatibleImage {
    ObjectDetectionResults(detector: self, frames: frames)
  }
}
