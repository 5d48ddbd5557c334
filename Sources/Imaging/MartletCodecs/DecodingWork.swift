//===--- DecodingWork.swift - a decoder's work and its limit --------------===//
//
// A file of a few bytes can ask for hours of work: a thousand scans of a large image, tiles wider than
// the image. Decoders therefore count steps, one for a byte that a pass writes (about a nanosecond).
// A file may take
//
//   34 million steps,
//   4 for each byte of the image's samples, as they are stored and as they are returned,
//   256 for each byte of the file.
//
// Intact files take a fraction of this. The steps also decide when the decoder asks whether it has been
// interrupted.
//
// Contract  Once decoding has been stopped, it stays stopped: loops that cannot throw end as if their
//           data did, and the caller throws. Used by one thread at a time.
// Cost      An addition and a comparison for each row or block of data, never for each byte. The check
//           is asked every quarter of a million steps.
//===----------------------------------------------------------------------===//

public import MartletBase

/// Why an image was not decoded, although its file may be intact.
@nonexhaustive
public enum DecodingStop: Error, Hashable, Sendable {
  /// The caller cancelled the work, or its time limit was exceeded.
  case interrupted(Interruption)
  /// Decoding takes more than `limit` steps of work. The limit depends on the sizes of the image
  /// and of the file.
  case tooMuchWork(limit: Int64)
}

extension DecodingStop: CustomStringConvertible {
  /// The reason and what to do; the end of a sentence about the image.
  public var description: String {
    switch self {
    case .interrupted(.cancelled): "was not decoded: the work was cancelled"
    case .interrupted(.deadlineExceeded): "was not decoded within the time limit"
    case .tooMuchWork(let limit):
      """
      needs more than \(limit) steps to be decoded, the limit for its size; convert it, e.g. with \
      magick FILE out.png
      """
    }
  }
}

/// Counts the work of decoding an image, with the threads that do it.
package final class DecodingWork {
  /// The steps of every file, those for a byte of samples, and those for a byte of the file.
  private static let base: Int64 = 1 << 25
  private static let perSample: Int64 = 4
  private static let perByte: Int64 = 256
  /// The steps after which the check is asked.
  private static let interval: Int64 = 1 << 18

  /// The decoder's threads. They are never interrupted, so a call does all chunks.
  let workers: Workers
  /// The workers' check, and the one that began with the file or frame.
  private let check: CancellationCheck
  private var cancellation: CancellationCheck
  private var limit: Int64
  /// The steps so far.
  private(set) var done: Int64 = 0
  /// The steps after which the limit is compared or the check is asked.
  private var next: Int64 = 0
  /// Why decoding has been stopped; `nil` if it has not.
  private(set) var stop: DecodingStop?

  /// The work on a file of `byteCount` bytes, which begins now. It asks the workers' check.
  package init(byteCount: Int, _ workers: Workers) {
    self.workers = workers.checking(.never)
    check = workers.cancellation
    cancellation = check.started()
    limit = Self.base + Self.perByte * Int64(byteCount)
  }

  /// Allows the work on `count` bytes of samples more, stored or returned.
  func allow(samples count: Int64) { allow(Self.perSample, count) }

  /// Allows the work on `count` bytes of the file more, for streams of unknown size.
  func allow(bytes count: Int) { allow(Self.perByte, Int64(count)) }

  /// Raises the limit by `steps` for each of `count` bytes; a limit beyond 2⁶² is 2⁶².
  private func allow(_ steps: Int64, _ count: Int64) {
    let (more, isTooMuch) = steps.multipliedReportingOverflow(by: count)
    let (sum, isTooLarge) = limit.addingReportingOverflow(more)
    limit = isTooMuch || isTooLarge ? 1 << 62 : min(sum, 1 << 62)
  }

  /// Begins the next frame of a video: its time limit begins again, and an interruption has ended.
  func beginFrame() {
    cancellation = check.started()
    if case .interrupted = stop { stop = nil }
    next = 0
  }

  /// Counts `steps`; returns whether decoding continues.
  func charge(_ steps: Int) -> Bool {
    done += Int64(steps)
    if done >= next { ask() }
    return stop == nil
  }

  /// Counts `steps`; throws if decoding has been stopped.
  func charge<Failure>(
    _ steps: Int, _ failure: (DecodingStop) -> Failure
  ) throws(Failure) {
    if !charge(steps), let stop { throw failure(stop) }
  }

  /// Throws if decoding has been stopped.
  func check<Failure>(_ failure: (DecodingStop) -> Failure) throws(Failure) {
    if let stop { throw failure(stop) }
  }

  private func ask() {
    guard stop == nil else { return }
    if let interruption = cancellation.interruption {
      stop = .interrupted(interruption)
    } else if done > limit {
      stop = .tooMuchWork(limit: limit)
    }
    next = min(done + Self.interval, max(limit, done) + 1)
  }
}
