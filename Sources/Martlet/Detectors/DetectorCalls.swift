//===--- DetectorCalls.swift - the ways to ask a detector -----------------===//
//
// On the caller's thread, with a callback, or in a task: the same for detectors of whatever they find.
//
// Contract  May be used from any number of tasks at once. Each completion is called once. Frames of
//           a stream that come with `detect` or `found` are processed one after another, in the
//           order of the calls. Frames of `detect` that wait take at most `waitingLimit` bytes: the
//           oldest are dropped for a newer one. Frames of `found` are never dropped: their tasks
//           wait. All detectors share as many threads as there are processors.
// Checked   Tests/MartletTests/DetectorCallsTests.swift, ObjectDetectorCallsTests.swift,
//           FaceDetectorTests.swift
//===----------------------------------------------------------------------===//

import Foundation
import MartletVision
import Synchronization

/// Asks a detector that is made when the first image comes.
final class DetectorCalls<Found: Sendable>: Sendable {
  /// What is found in an image.
  typealias Look = @Sendable (Picture) throws(VisionError) -> [Found]
  /// Prepares networks.
  typealias Make = @Sendable () throws(VisionError) -> Look

  private let make: Make
  /// A function that is the value of a `Mutex` itself is wrapped anew by every access, and in the end calling
  /// it overflows the stack (swiftlang/swift#91348); one in a structure is not.
  private let prepared = Mutex<Prepared?>(nil)
  private let refusesMainThread: Bool
  private let isStream: Bool
  private let waiting = Mutex(Waiting())

  init(isStream: Bool, refusesMainThread: Bool, make: @escaping Make) {
    self.make = make
    self.refusesMainThread = refusesMainThread
    self.isStream = isStream
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

  /// What is in an image, found on the calling thread.
  func results(in image: some MLKitCompatibleImage) throws(VisionError) -> [Found] {
    if refusesMainThread, MainQueue.isCurrent { throw .calledOnMainThread }
    return try prepare()(try image.image())
  }

  /// The result for an image, computed on a thread of the detectors.
  func found(in image: some MLKitCompatibleImage) async throws(VisionError) -> [Found] {
    guard !Task.isCancelled else { throw .cancelled }
    let cancellation = CallCancellation()
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        add(
          Call(image, cancellation, mayBeDropped: false) { continuation.resume(returning: $0) })
      }
    } onCancel: {
      cancellation.cancel()
    }
    return try result.get()
  }

  /// Takes the image as it is now, and processes it on a thread of the detectors. A frame of a
  /// stream is dropped if it waits and newer ones need its memory.
  func detect(
    _ image: some MLKitCompatibleImage,
    then finish: @escaping @Sendable (Result<[Found], VisionError>) -> Void
  ) {
    add(Call(image, CallCancellation(), mayBeDropped: true, finish))
  }

  private func add(_ call: Call) {
    guard isStream else { return detectorThreads.addOperation { [self] in perform(call) } }
    let (begins, dropped) = waiting.withLock { $0.add(call) }
    for call in dropped { call.finish(.failure(.frameDropped)) }
    if begins { detectorThreads.addOperation { [self] in performNext() } }
  }

  private func perform(_ call: Call) {
    call.finish(
      call.cancellation {
        Result { () throws(VisionError) in try prepare()(try call.image.get()) }
      })
  }

  /// Processes the oldest frame that waits, then lets other detectors have the thread.
  private func performNext() {
    perform(waiting.withLock { $0.takeFirst() })
    let continues = waiting.withLock { waiting in
      waiting.isBusy = !waiting.calls.isEmpty
      return waiting.isBusy
    }
    if continues { detectorThreads.addOperation { [self] in performNext() } }
  }

  /// An image, and what is done with the result.
  private struct Call: Sendable {
    let image: Result<Picture, VisionError>
    let cancellation: CallCancellation
    /// What counts towards `waitingLimit`; 0 for calls that are never dropped.
    let byteCount: Int
    let finish: @Sendable (Result<[Found], VisionError>) -> Void

    init(
      _ image: some MLKitCompatibleImage, _ cancellation: CallCancellation, mayBeDropped: Bool,
      _ finish: @escaping @Sendable (Result<[Found], VisionError>) -> Void
    ) {
      self.image = Result { () throws(VisionError) in try image.image() }
      self.cancellation = cancellation
      byteCount = mayBeDropped ? (try? self.image.get().byteCount) ?? 0 : 0
      self.finish = finish
    }
  }

  /// Frames of a stream that wait.
  private struct Waiting {
    private(set) var calls: [Call] = []
    /// Whether a frame is being processed or will be.
    var isBusy = false
    private var byteCount = 0

    /// Adds a frame; returns whether processing is to begin, and the frames that are dropped for it.
    mutating func add(_ call: Call) -> (begins: Bool, dropped: [Call]) {
      var dropped: [Call] = []
      while call.byteCount > 0, byteCount + call.byteCount > waitingLimit,
        let index = calls.firstIndex(where: { $0.byteCount > 0 })
      {
        byteCount -= calls[index].byteCount
        dropped.append(calls.remove(at: index))
      }
      calls.append(call)
      byteCount += call.byteCount
      defer { isBusy = true }
      return (!isBusy, dropped)
    }

    mutating func takeFirst() -> Call {
      byteCount -= calls[0].byteCount
      return calls.removeFirst()
    }
  }
}

/// How many bytes frames of one stream take that wait and may be dropped. One frame may always wait.
let waitingLimit = 64 << 20

/// The threads on which all detectors work unless the caller waits on its own.
private let detectorThreads: OperationQueue = {
  let queue = OperationQueue()
  queue.name = "martlet.detectors"
  queue.qualityOfService = .userInitiated
  queue.maxConcurrentOperationCount = ProcessInfo.processInfo.activeProcessorCount
  return queue
}()

extension Result where Success: Sendable {
  /// Calls a callback with the value and no error, or with no value and the error.
  func deliver(_ completion: (Success?, (any Error)?) -> Void) {
    switch self {
    case .success(let value): completion(value, nil)
    case .failure(let error): completion(nil, error)
    }
  }
}
