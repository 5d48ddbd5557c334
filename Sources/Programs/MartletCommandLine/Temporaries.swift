//===--- Temporaries.swift - unfinished output files ----------------------===//
//
// An output is written to a file `.martlet-PID-N.partial` beside its place, and renamed when it is
// whole. This list has the unfinished ones, so that whatever ends the process can remove them.
//
// Contract  SIGINT, SIGTERM, SIGHUP and SIGPIPE end the process as always, and remove the files
//           first. After SIGKILL or a crash they stay. A signal that the parent process ignores
//           stays ignored. Writing beyond a limit on file sizes is an error, not a signal.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletCLibrary
import MartletSystem

/// The unfinished output files of this process.
package enum Temporaries {
  private static let paths = Mutex<Set<FilePath>>([])
  private static let count = Mutex(0)
  /// Whether an interrupted pipe ends the process.
  private static let endsWithPipes = Mutex(false)

  /// The signals that a thread waits for.
  private static let signals = [SIGINT, SIGTERM, SIGHUP]

  /// Creates an empty file in a folder. Errors name `path`.
  static func create(
    in folder: FilePath, for path: FilePath
  ) throws(FileError) -> (FilePath, OpenFile) {
    while true {
      let number = count.increase()
      let temporary = folder / ".martlet-\(getpid())-\(number).partial"
      // Created under the lock: no file is created after a signal has removed all.
      let result = paths.withLock { paths in
        Result { () throws(FileError) in
          let file = try OpenFile(writing: temporary, O_CREAT | O_EXCL, named: path)
          paths.insert(temporary)
          return file
        }
      }
      do throws(FileError) {
        return (temporary, try result.get())
      } catch .unwritable(_, SystemError(EEXIST)) {
        // A process of the same number was killed.
        continue
      }
    }
  }

  /// Renames an unfinished file to `path`. An existing file there is replaced.
  static func finish(_ temporary: FilePath, as path: FilePath) throws(SystemError) {
    let error = paths.withLock { paths -> SystemError? in
      let status = unsafe temporary.withCString { from in
        unsafe path.withCString { unsafe rename(from, $0) }
      }
      guard status == 0 else { return .last }
      paths.remove(temporary)
      return nil
    }
    if let error { throw error }
  }

  /// Removes an unfinished file.
  static func remove(_ temporary: FilePath) {
    paths.withLock { if $0.remove(temporary) != nil { Files.remove(temporary) } }
  }

  /// Removes all unfinished files and ends the process.
  package static func end(withStatus status: Int32) -> Never {
    paths.withLock { paths -> Never in
      paths.forEach(Files.remove)
      exit(status)
    }
  }

  // MARK: - Signals

  /// Lets signals remove the files. Called once, before any thread is started.
  package static func handleSignals() {
    _ = signal(SIGXFSZ, SIG_IGN)
    endsWithPipes.withLock { $0 = !isIgnored(SIGPIPE) }
    _ = signal(SIGPIPE, SIG_IGN)
    let handled = signals.filter { !isIgnored($0) }
    guard !handled.isEmpty else { return }
    let set = set(of: handled)
    change(SIG_BLOCK, set)
    do throws(SystemError) {
      try Threads.start { wait(for: set) }
    } catch {
      // Without the thread, signals end the process as always.
      change(SIG_UNBLOCK, set)
    }
  }

  private static func wait(for set: sigset_t) {
    var set = set
    var number: Int32 = 0
    while unsafe sigwait(&set, &number) != 0 {}
    end(number)
  }

  /// Ends the process like the default action of SIGPIPE, unless its parent or a test ignores it.
  static func endIfPipesEndProcess() {
    if endsWithPipes.withLock({ $0 }) { end(SIGPIPE) }
  }

  private static func end(_ number: Int32) -> Never {
    paths.withLock { paths -> Never in
      paths.forEach(Files.remove)
      _ = signal(number, SIG_DFL)
      change(SIG_UNBLOCK, set(of: [number]))
      raise(number)
      // The default action of all these signals has ended the process.
      _exit(128 + number)
    }
  }

  /// Whether the process ignores a signal, as in `nohup`. `signal` returns a function or one of two
  /// small numbers, of which 1 means ignored.
  private static func isIgnored(_ number: Int32) -> Bool {
    let action = signal(number, SIG_DFL)
    let isIgnored = unsafe unsafeBitCast(action, to: Int.self) == 1
    if isIgnored { _ = signal(number, SIG_IGN) }
    return isIgnored
  }

  private static func set(of signals: [Int32]) -> sigset_t {
    var set = sigset_t()
    unsafe sigemptyset(&set)
    for number in signals { unsafe sigaddset(&set, number) }
    return set
  }

  private static func change(_ how: Int32, _ set: sigset_t) {
    var set = set
    unsafe pthread_sigmask(how, &set, nil)
  }
}
