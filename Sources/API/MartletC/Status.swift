//===--- Status.swift - status, texts and handles -------------------------===//
//
// What all functions of the C interface share.
//
// Contract  Every function may be called from any thread. No argument can crash: a null pointer,
//           a negative count, or a handle that was released gives a status. The caller guarantees
//           only that memory it passes is valid. Texts are UTF-8 and end with a zero byte.
//===----------------------------------------------------------------------===//

import MartletBase
internal import MartletVision

/// The outcome of a call.
@c public enum MartletStatus: CInt, Sendable {
  case success = 0
  /// A pointer is null, a size is out of range, or the handle is unknown or released.
  case invalidArgument = 1
  /// The options are not JSON, or have an unknown member, a value out of range or an option without
  /// effect.
  case invalidOptions = 2
  /// The model is damaged.
  case invalidModel = 3
  /// The image is damaged, or a detector cannot process it.
  case invalidImage = 4
  /// Running the model failed, by its inputs.
  case failed = 5
  /// Decoding an image, or preparing or running a model, took longer than the option `timeout` allows.
  case deadlineExceeded = 6
  /// The image is of a format or kind that is not supported.
  case unsupportedImage = 7
  /// The model needs an operator that is not supported, or does not suit the task.
  case unsupportedModel = 8
  /// An image or a model needs more memory or work than permitted.
  case limitExceeded = 9
}

extension MartletStatus {
  /// The status for an error of this kind. The functions for C have neither queues nor tasks and read
  /// no files; a region outside of the image is the image's error.
  init(_ kind: VisionError.Kind) {
    self =
      switch kind {
      case .invalidImage, .invalidCall: .invalidImage
      case .unsupportedImage: .unsupportedImage
      case .invalidModel: .invalidModel
      case .unsupportedModel: .unsupportedModel
      case .limitExceeded: .limitExceeded
      case .timedOut: .deadlineExceeded
      case .busy, .cancelled, .inputOutput: .failed
      }
  }
}

/// Releases a text that another function returned. Null is allowed.
@c(martlet_text_release)
public func releaseText(_ text: UnsafeMutablePointer<CChar>?) { unsafe text?.deallocate() }

/// Allocates a copy of `text` in `place`, if there is one.
func store(_ text: String, in place: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) {
  guard let place = unsafe place else { return }
  let bytes = text.utf8CString
  let copy = UnsafeMutableBufferPointer<CChar>.allocate(capacity: bytes.count)
  _ = unsafe copy.initialize(from: bytes)
  unsafe place.pointee = copy.baseAddress
}

/// The text at `place`, which ends with a zero byte. `String(cString:)` would need a C library.
func string(at place: UnsafePointer<CChar>) -> String {
  var count = 0
  while unsafe place[count] != 0 { count += 1 }
  return unsafe String(
    decoding: UnsafeRawBufferPointer(start: place, count: count), as: UTF8.self)
}

/// Copies the bytes that the caller passed; `nil` for a null pointer or a negative count.
func bytes(_ place: UnsafeRawPointer?, _ count: Int) -> [UInt8]? {
  guard count >= 0, unsafe place != nil || count == 0 else { return nil }
  return unsafe [UInt8](UnsafeRawBufferPointer(start: place, count: count))
}

/// Objects by handle. Handles count up from 1 and are never used again.
final class Handles<Element: AnyObject & Sendable>: Sendable {
  private let lock = Lock.automatic()
  // The lock guards both.
  nonisolated(unsafe) private var last: Int32 = 0
  nonisolated(unsafe) private var elements: [Int32: Element] = [:]

  /// A new handle of `element`.
  func add(_ element: Element) -> Int32 {
    lock.withLock {
      unsafe last += 1
      unsafe elements[last] = element
      return unsafe last
    }
  }

  subscript(_ handle: Int32) -> Element? { lock.withLock { unsafe elements[handle] } }

  func remove(_ handle: Int32) { lock.withLock { unsafe elements[handle] = nil } }
}

/// An object that one call at a time uses.
final class Shared<Element>: Sendable {
  private let lock = Lock.automatic()
  // The lock guards it.
  nonisolated(unsafe) private let element: Element

  init(_ element: sending Element) { unsafe self.element = element }

  func withLock<Result>(_ body: (Element) -> Result) -> Result {
    lock.withLock { body(unsafe element) }
  }
}
