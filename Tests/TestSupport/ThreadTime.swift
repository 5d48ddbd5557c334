//===--- ThreadTime.swift - processor time of a thread --------------------===//
//
// Tests with a time limit measure the time that the calling thread ran, which does not depend on
// other processes and on tests in parallel.
//===----------------------------------------------------------------------===//

import MartletCLibrary

/// The clock of the calling thread.
package enum ThreadTime {
  /// The seconds for which the calling thread has run.
  package static var seconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
