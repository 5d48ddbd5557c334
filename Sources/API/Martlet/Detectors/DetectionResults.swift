//===--- DetectionResults.swift - results of a sequence of frames ---------===//
//
// Contract  One result for each frame, in order. A frame is taken when its result is requested, so
//           a slow consumer slows the sequence down.
//===----------------------------------------------------------------------===//

/// The detections in one frame of a sequence.
public struct DetectionResult<Frame: MLKitCompatibleImage, Found: Sendable>: Sendable {
  /// The frame's index in the sequence, from 0.
  public let index: Int
  /// The frame, for example to draw on.
  public let frame: Frame
  /// The objects or faces in the frame, sorted by decreasing salience.
  public let found: [Found]
}

extension DetectionResult where Found == Object {
  /// The objects in the frame, sorted by decreasing salience.
  public var objects: [Object] { found }
}

extension DetectionResult where Found == Face {
  /// The faces in the frame, sorted by decreasing salience.
  public var faces: [Face] { found }
}

extension DetectionResult: Equatable where Frame: Equatable, Found: Equatable {}
extension DetectionResult: Hashable where Frame: Hashable, Found: Hashable {}
extension DetectionResult: Encodable where Frame: Encodable, Found: Encodable {}
extension DetectionResult: Decodable where Frame: Decodable, Found: Decodable {}

extension DetectionResult: CustomStringConvertible where Found: CustomStringConvertible {
  /// The frame's index, and one line for each object or face.
  public var description: String {
    let lines = found.map { "\n  \($0)" }.joined()
    return "frame \(index): \(found.isEmpty ? "nothing" : "\(found.count)") found" + lines
  }
}

/// The results of a detector over a sequence of frames.
public struct DetectionResults<Frames: AsyncSequence, Found: Sendable>: AsyncSequence
where Frames.Element: MLKitCompatibleImage {
  /// The detections in one frame.
  public typealias Element = DetectionResult<Frames.Element, Found>

  let calls: DetectorCalls<Found>
  let frames: Frames

  /// Processes one frame at a time.
  public struct AsyncIterator: AsyncIteratorProtocol {
    let calls: DetectorCalls<Found>
    var frames: Frames.AsyncIterator
    var index = 0

    /// Returns the next frame's result, or `nil` after the last frame.
    ///
    /// - Throws: The error of the sequence, or `VisionError`.
    public mutating func next() async throws -> Element? {
      guard let frame = try await frames.next() else { return nil }
      defer { index += 1 }
      return Element(index: index, frame: frame, found: try await calls.found(in: frame))
    }

    /// Returns the next frame's result on the caller's actor, or `nil` after the last frame.
    ///
    /// - Throws: The error of the sequence, or `VisionError`.
    @available(macOS 15, iOS 18, *)
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(any Error) -> Element? {
      guard let frame = try await frames.next(isolation: actor) else { return nil }
      defer { index += 1 }
      return Element(index: index, frame: frame, found: try await calls.found(in: frame))
    }
  }

  /// An iterator over the results.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(calls: calls, frames: frames.makeAsyncIterator())
  }
}

extension DetectionResults: Sendable where Frames: Sendable {}
