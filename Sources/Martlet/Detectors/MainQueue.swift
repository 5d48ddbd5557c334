//===--- MainQueue.swift - whether a caller holds up the main queue -------===//
//
// On Apple's platforms the main queue's thread is the main one. Elsewhere it need not be: where a
// program's `main` is asynchronous, any thread may serve the queue.
//
// Checked   Tests/MartletTests/ObjectDetectorCallsTests.swift
//===----------------------------------------------------------------------===//

import Foundation

/// The queue of the main thread and the main actor.
enum MainQueue {
  private static let mark: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  /// Whether the caller is on the main thread, or at work for the main queue.
  static var isCurrent: Bool {
    Thread.isMainThread || DispatchQueue.getSpecific(key: mark) == true
  }
}
