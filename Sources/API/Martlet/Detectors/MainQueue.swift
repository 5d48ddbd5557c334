//===--- MainQueue.swift - detecting the main queue -----------------------===//
//
// On Apple's platforms the main queue runs on the main thread. On others, any thread may serve the
// queue if the program's `main` is asynchronous.
//===----------------------------------------------------------------------===//

import Foundation

/// The queue of the main thread and the main actor.
enum MainQueue {
  private static let mark: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  /// Whether the caller is on the main thread or runs on the main queue.
  static var isCurrent: Bool {
    Thread.isMainThread || DispatchQueue.getSpecific(key: mark) == true
  }
}
