//===--- DetectorCalls.swift - the ways to ask a detector -----------------===//
//
// On the caller's thread, with a callback, or in a task: the same for detectors of whatever they find.
//
// Contract  May be used from any number of tasks at once. Frames of a stream that come with `detect` are looked
//           at one after another, in the order of the calls.
// Checked   Tests/MartletTests/ObjectDetectorCallsTests.swift, Tests/MartletTests/FaceDetectorTests.swift
//===----------------------------------------------------------------------===//

import Foundation
import MartletVision
import Synchronization

/// Asks a detector that is made when the first picture comes.
final class DetectorCalls<Found: Sendable>: Sendable {
  /// What is found in a picture.
  typealias Look = @Sendable (Picture) throws(VisionError) -> [Found]
  /// Prepares networks.
  typealias Make = @Sendable () throws(VisionError) -> Look

  private let make: Make
  /// A function that is the value of a `Mutex` itself is wrapped anew by every access, and in the end calling
  /// it overflows the stack (swiftlang/swift#91348); one in a structure is not.
  private let prepared = Mutex<Prepared?>(nil)
  private let refusesMainThread: Bool
  /// Where work is done that nobody waits for on their thread.
  private let queue: DispatchQueue

  init(isStream: Bool, refusesMainThread: Bool, make: @escaping Make) {
    self.make = make
    self.refusesMainThread = refusesMainThread
    queue = DispatchQueue(
      label: "martlet.detector", qos: .userInitiated, attributes: isStream ? [] : .concurrent)
  }

  /// The detector, made by `other` or else as it was said at first if there is none yet.
  @discardableResult
  func prepare(_ other: Make? = nil) throws(VisionError) -> Look {
    try prepared.withLock { prepared throws(VisionError) in
      if let prepared { return prepared }
      let made = Prepared(look: try (other ?? make)())
      prepared = made
      return made
    }.look
  }

  /// A detector that is ready.
  private struct Prepared {
    let look: Look
  }

  /// What is in a picture, found on the calling thread.
  func results(in image: some MLKitCompatibleImage) throws(VisionError) -> [Found] {
    if refusesMainThread, MainQueue.isCurrent { throw .calledOnMainThread }
    return try prepare()(try image.image())
  }

  /// What is in a picture, found on the detector's queue.
  func found(in image: some MLKitCompatibleImage) async throws(VisionError) -> [Found] {
    guard !Task.isCancelled else { throw .cancelled }
    let result = await withCheckedContinuation { continuation in
      detect(image) { continuation.resume(returning: $0) }
    }
    return try result.get()
  }

  /// Takes the picture as it is now, and looks at it on the detector's queue.
  func detect(
    _ image: some MLKitCompatibleImage,
    then finish: @escaping @Sendable (Result<[Found], VisionError>) -> Void
  ) {
    let taken = Result { () throws(VisionError) in try image.image() }
    queue.async { [self] in
      finish(Result { () throws(VisionError) in try prepare()(try taken.get()) })
    }
  }
}

extension Result where Success: Sendable {
  /// Calls a callback with the value and no error, or with no value and the error.
  func deliver(_ completion: (Success?, (any Error)?) -> Void) {
    switch self {
    case .success(let value): completion(value, nil)
    case .failure(let error): completion(nil, error)
    }
  }
}
