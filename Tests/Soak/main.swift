//===--- main.swift - the soak test ---------------------------------------===//
//
// Calls each detector COUNT times and prints a table; the stack is what `ulimit -s` says. Fails if a
// result changes, or if memory, open descriptors or threads grow. .ci/soak builds and runs it.
//
// usage: soak IMAGE COUNT
//===----------------------------------------------------------------------===//

import Foundation
import Martlet

/// What the process uses.
struct Usage {
  let kilobytes, threads, descriptors: Int

  static var now: Usage {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    func field(_ name: String) -> Int {
      let line = status.split(separator: "\n").first { $0.hasPrefix(name + ":") }
      return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0
    }
    let open = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
    return Usage(
      kilobytes: field("VmRSS"), threads: field("Threads"), descriptors: open?.count ?? 0)
  }
}

/// Runs one entry and prints its row. Returns whether it passed.
func soak(_ name: String, _ count: Int, _ call: () throws -> String) -> Bool {
  let start = Date()
  // A stream's labels and boxes settle in its first frames.
  let warm = min(1000, count / 2)
  var before = Usage.now
  var expected = ""
  do {
    for number in 1...count {
      let result = try call()
      if number == warm { (before, expected) = (Usage.now, result) }
      if number > warm, result != expected {
        print("\(name): the result of call \(number) is \(result), expected \(expected)")
        return false
      }
    }
  } catch {
    print("\(name): \(error)")
    return false
  }
  let after = Usage.now
  // The runtime's pool of threads grows and shrinks by some.
  let passed =
    after.kilobytes - before.kilobytes <= 4096 && after.threads <= before.threads + 8
    && after.descriptors <= before.descriptors
  let columns = [
    name, "\(count)", "\(before.kilobytes)", "\(after.kilobytes)",
    "\(before.descriptors)-\(after.descriptors)", "\(before.threads)-\(after.threads)",
    "\(Int(Date().timeIntervalSince(start)))", passed ? "passed" : "GREW",
  ]
  print(columns.joined(separator: "\t"))
  fflush(nil)
  return passed
}

/// Runs a callback entry or a task, and waits at most one minute for its result.
final class Waiter: @unchecked Sendable {
  struct TimedOut: Error {}
  private let done = DispatchSemaphore(value: 0)
  private var result = ""

  func finish(_ result: String) {
    self.result = result
    done.signal()
  }

  func value() throws -> String {
    guard done.wait(timeout: .now() + 60) == .success else { throw TimedOut() }
    return result
  }
}

func soakAll(_ image: VisionImage, _ count: Int) -> Bool {
  var passed = true
  for (kind, mode) in [("stills", ObjectDetectorMode.singleImage), ("stream", .stream)] {
    let options = ObjectDetectorOptions()
    options.detectorMode = mode
    let objects = ObjectDetector.objectDetector(options: options)
    passed =
      soak("objects \(kind) sync", count) { "\(try objects.results(in: image).count)" } && passed
    passed =
      soak("objects \(kind) completion", count) {
        let waiter = Waiter()
        objects.process(image) { found, error in
          waiter.finish(found.map { "\($0.count)" } ?? "\(String(describing: error))")
        }
        return try waiter.value()
      } && passed
    passed =
      soak("objects \(kind) async", count) {
        let waiter = Waiter()
        Task.detached {
          waiter.finish((try? await objects.objects(in: image).count.description) ?? "")
        }
        return try waiter.value()
      } && passed
  }
  let options = FaceDetectorOptions()
  options.performanceMode = .fast
  let faces = FaceDetector.faceDetector(options: options)
  passed = soak("faces sync", count) { "\(try faces.results(in: image).count)" } && passed
  passed =
    soak("faces async", count) {
      let waiter = Waiter()
      Task.detached { waiter.finish((try? await faces.faces(in: image).count.description) ?? "") }
      return try waiter.value()
    } && passed
  return passed
}

let arguments = CommandLine.arguments
guard arguments.count == 3, let count = Int(arguments[2]), count >= 2 else {
  print("usage: soak IMAGE COUNT")
  exit(2)
}
let image = try VisionImage(contentsOfFile: arguments[1])
print("entry\tcalls\tKiB before\tKiB after\tdescriptors\tthreads\tseconds\tresult")
let thread = Thread { exit(soakAll(image, count) ? 0 : 1) }
thread.start()
// Completions are called on the main queue.
dispatchMain()
