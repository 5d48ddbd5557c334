//===--- DetectorCalls.swift - blocking, callback and async calls ---------===//
//
// On the calling thread, with a callback, or in a task; the same for object and face detectors.
//
// Contract  May be used from any number of tasks at once. Each completion is called once. The
//           frames of a stream from `detect` and `found` are processed one after another, in the
//           order of the calls. Waiting frames of `detect` take at most `waitingLimit` bytes: for a
//           newer frame the oldest are dropped. Waiting still images of `detect` take at most
//           `waitingImageLimit` bytes: newer ones are refused. Images of `found` are never dropped or
//           refused; their tasks wait. All detectors share as many threads as there are processors.
//===----------------------------------------------------------------------===//

import Foundation
import MartletBase
import MartletSystem
import MartletVision

/// The calls of a detector that is prepared at the first image.
package final class DetectorCalls<Found: Sendable>: Sendable {
  /// Returns the detections in an image.
  package typealias Detect = @Sendable (InputImage) throws(VisionError) -> [Found]
  /// Prepares networks.
  package typealias Make = @Sendable () throws(VisionError) -> Prepared

  private let make: Make
  /// Every access to a function stored directly in a `Mutex` wraps it again, until a call overflows
  /// the stack (swiftlang/swift#91348). A function in a structure is not wrapped.
  private let prepared = Mutex<Prepared?>(nil)
  private let refusesMainThread: Bool
  private let isStream: Bool
  private let timeLimit: Double?
  private let waiting = Mutex(Waiting())

  /// - Parameter timeLimit: The most seconds for an image, from the start of its decoding.
  init(
    isStream: Bool, refusesMainThread: Bool = false, timeLimit: Double? = nil,
    make: @escaping Make
  ) {
    self.make = make
    self.refusesMainThread = refusesMainThread
    self.isStream = isStream
    self.timeLimit = timeLimit
  }

  /// Returns the detector. If there is none yet, `other` makes it, or else `make`.
  @discardableResult
  package func prepare(_ other: Make? = nil) throws(VisionError) -> Detect {
    try prepared.withLock { prepared throws(VisionError) in
      if let prepared { return prepared }
      let made = if let other { try other() } else { try make() }
      prepared = made
      return made
    }.detect
  }

  /// A detector that is ready.
  package struct Prepared: Sendable {
    let detect: Detect
    /// Frees the memory that no run of the networks uses.
    let trim: @Sendable () -> Void

    package init(trim: @escaping @Sendable () -> Void = {}, _ detect: @escaping Detect) {
      (self.detect, self.trim) = (detect, trim)
    }
  }

  /// Frees the memory that no call uses.
  func trim() { prepared.withLock { $0 }?.trim() }

  /// Returns the detections in an image, computed on the calling thread.
  package func results(in image: some MLKitCompatibleImage) throws(VisionError) -> [Found] {
    if refusesMainThread, MainQueue.isCurrent { throw .calledOnMainThread }
    return try result(CallCancellation()) { () throws(VisionError) in try image.image() }.get()
  }

  /// The detections in an image. The time limit is for making the image and examining it.
  private func result(
    _ cancellation: CallCancellation, _ image: () throws(VisionError) -> InputImage
  ) -> Result<[Found], VisionError> {
    cancellation(within: timeLimit) {
      Result { () throws(VisionError) in try prepare()(try image()) }
    }
  }

  /// Returns the detections in an image, computed on a thread of the detectors.
  func found(in image: some MLKitCompatibleImage) async throws(VisionError) -> [Found] {
    let copy = Result { () throws(VisionError) in try image.image() }
    return try await found { () throws(VisionError) in try copy.get() }
  }

  /// Returns the detections in the image that `image` makes, both on a thread of the detectors.
  func found(_ image: @escaping Call.Image) async throws(VisionError) -> [Found] {
    try await untilCancelled { add(Call(image, $0, $1)) }
  }

  /// Copies the image's current state and processes it on a thread of the detectors. A waiting
  /// frame of a stream is dropped if newer frames need its memory; a still image is refused if those
  /// that wait take too much.
  package func detect(
    _ image: some MLKitCompatibleImage,
    then finish: @escaping @Sendable (Result<[Found], VisionError>) -> Void
  ) {
    let copy = Result { () throws(VisionError) in try image.image() }
    // The smallest images take some memory, too.
    let byteCount = max((try? copy.get().byteCount) ?? 0, 4096)
    let image: Call.Image = { () throws(VisionError) in try copy.get() }
    add(Call(image, CallCancellation(), byteCount: byteCount, finish))
  }

  private func add(_ call: Call) {
    guard isStream else { return addImage(call) }
    let (begins, dropped) = waiting.withLock { $0.add(call) }
    for call in dropped { call.finish(.failure(.frameDropped)) }
    if begins { detectorThreads.addOperation { [self] in performNext() } }
  }

  private func addImage(_ call: Call) {
    guard waiting.withLock({ $0.hold(call) }) else {
      return call.finish(.failure(.tooManyImages))
    }
    detectorThreads.addOperation { [self] in
      waiting.withLock { $0.release(call) }
      perform(call)
    }
  }

  private func perform(_ call: Call) { call.finish(result(call.cancellation, call.image)) }

  /// Processes the oldest waiting frame, then frees the thread for other detectors.
  private func performNext() {
    perform(waiting.withLock { $0.takeFirst() })
    let continues = waiting.withLock { waiting in
      waiting.isBusy = !waiting.calls.isEmpty
      return waiting.isBusy
    }
    if continues { detectorThreads.addOperation { [self] in performNext() } }
  }

  /// An image and the function that receives its result.
  struct Call: Sendable {
    typealias Image = @Sendable () throws(VisionError) -> InputImage

    let image: Image
    let cancellation: CallCancellation
    /// The bytes that count towards the limit; 0 for calls that are never dropped or refused.
    let byteCount: Int
    let finish: @Sendable (Result<[Found], VisionError>) -> Void

    init(
      _ image: @escaping Image, _ cancellation: CallCancellation, byteCount: Int = 0,
      _ finish: @escaping @Sendable (Result<[Found], VisionError>) -> Void
    ) {
      (self.image, self.cancellation) = (image, cancellation)
      (self.byteCount, self.finish) = (byteCount, finish)
    }
  }

  /// The waiting frames of a stream, and the bytes of waiting frames or images.
  private struct Waiting {
    private(set) var calls: [Call] = []
    /// Whether a frame is being processed or scheduled.
    var isBusy = false
    private var byteCount = 0

    /// Adds a frame. Returns whether to start processing, and the frames dropped for it.
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

    /// Counts the bytes of a still image; returns `false` if those before leave no room. One may
    /// always wait.
    mutating func hold(_ call: Call) -> Bool {
      guard byteCount == 0 || call.byteCount == 0 || byteCount + call.byteCount <= waitingImageLimit
      else { return false }
      byteCount += call.byteCount
      return true
    }

    /// Stops counting the bytes of a still image.
    mutating func release(_ call: Call) { byteCount -= call.byteCount }

    mutating func takeFirst() -> Call {
      byteCount -= calls[0].byteCount
      return calls.removeFirst()
    }
  }
}

/// The most bytes of waiting frames of one stream that may be dropped. One frame may always wait.
let waitingLimit = 64 << 20

/// The most bytes of waiting still images of one detector that may be refused.
let waitingImageLimit = 256 << 20

/// The threads that all detectors share; `results(in:)` uses the calling thread instead.
private let detectorThreads: OperationQueue = {
  let queue = OperationQueue()
  queue.name = "martlet.detectors"
  queue.qualityOfService = .userInitiated
  queue.maxConcurrentOperationCount = Processors.count
  return queue
}()

/// Returns what `body` returns on a thread of the detectors; cancelling the task stops it.
func onDetectorThread<Value: Sendable>(
  _ body: @escaping @Sendable () throws(VisionError) -> Value
) async throws(VisionError) -> Value {
  try await untilCancelled { cancellation, finish in
    detectorThreads.addOperation {
      finish(cancellation { Result { () throws(VisionError) in try body() } })
    }
  }
}

/// Returns the result of the call that `begin` begins; cancelling the task cancels it.
private func untilCancelled<Value: Sendable>(
  _ begin: (CallCancellation, @escaping @Sendable (Result<Value, VisionError>) -> Void) -> Void
) async throws(VisionError) -> Value {
  guard !Task.isCancelled else { throw .cancelled }
  let cancellation = CallCancellation()
  let result = await withTaskCancellationHandler {
    await withCheckedContinuation { continuation in
      begin(cancellation) { continuation.resume(returning: $0) }
    }
  } onCancel: {
    cancellation.cancel()
  }
  return try result.get()
}

extension Result where Success: Sendable {
  /// Calls a callback with the value and no error, or with no value and the error.
  package func deliver(_ completion: (Success?, (any Error)?) -> Void) {
    switch self {
    case .success(let value): completion(value, nil)
    case .failure(let error): completion(nil, error)
    }
  }
}
