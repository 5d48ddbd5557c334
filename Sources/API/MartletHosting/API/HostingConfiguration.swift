//===--- HostingConfiguration.swift - settings of downloads and store -----===//

public import Foundation
public import MartletMLKit
import MartletVision

/// The number and timing of attempts to reach a server.
public struct RetryPolicy: Sendable, Equatable {
  /// The most attempts in a row without receiving a part of the file. Default: 5.
  public var maximumAttempts = 5
  /// The seconds of delay after the first failure; they double after each further one. Default: 1.
  public var initialDelay: TimeInterval = 1
  /// The longest delay in seconds. Default: 30.
  public var maximumDelay: TimeInterval = 30
  /// The longest delay in seconds that a server may request (`Retry-After`); a longer one ends the
  /// download. Default: 300.
  public var maximumRetryAfter: TimeInterval = 300

  /// A policy of five attempts, with delays of 1, 2, 4 and 8 seconds.
  public init() {}

  /// The delay after this number of failures in a row.
  func delay(afterFailures count: Int) -> TimeInterval {
    var delay = initialDelay
    for _ in 1..<max(1, min(count, 64)) where delay < maximumDelay { delay = delay * 2 }
    return min(delay, maximumDelay)
  }
}

/// The check that a file must pass to become the model in use.
///
/// The check runs on its own thread, so that no task waits for it. The package's own checks end
/// soon after the download is canceled or its time limit has passed.
public struct ModelAcceptance: Sendable {
  private let accept: @Sendable (String) throws(VisionError) -> Void

  /// Calls `accept` with the path of the file, on a thread that belongs to no task; an error
  /// rejects the file.
  public init(_ accept: @escaping @Sendable (String) throws(VisionError) -> Void) {
    self.accept = accept
  }

  /// Accepts classifiers that a detector can use.
  public static let classifier = classifier()

  /// Accepts classifiers that a detector can use, with labels or normalization that the metadata
  /// lacks.
  public static func classifier(
    labels: [String]? = nil, normalization: PixelNormalization? = nil
  ) -> ModelAcceptance {
    ModelAcceptance { path throws(VisionError) in
      let file = ModelFile(
        try MappedFile.bytes(path), labels: labels, normalization: normalization)
      _ = try Classifier(file, options: .forAcceptance, lock: .none)
    }
  }

  /// Accepts any TensorFlow Lite model.
  public static let anyModel = ModelAcceptance { path throws(VisionError) in
    let bytes = try MappedFile.bytes(path)
    do throws(ModelError) { _ = try Model(bytes) } catch { throw .model(error) }
  }

  /// Checks a file on its own thread. Networks that `accept` prepares stop if the task is canceled.
  func check(_ path: String) async throws(VisionError) {
    let call = CallCancellation()
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        DispatchQueue(label: "martlet.acceptance", qos: .utility).async {
          continuation.resume(
            returning: call { Result { () throws(VisionError) in try accept(path) } })
        }
      }
    } onCancel: {
      call.cancel()
    }
    try result.get()
  }
}

extension Interpreter.Options {
  /// Options that prepare a network quickly: reference kernels use weights in place. Large
  /// constants are not computed, as the network never runs.
  fileprivate static var forAcceptance: Interpreter.Options {
    var options = Interpreter.Options(kernels: .reference, workLimit: Int.max)
    options.foldingLimit = 1 << 26
    return options.stoppingWithCall
  }
}

/// Settings of downloads and of the store.
///
/// ```swift
/// var configuration = HostingConfiguration(directory: URL(filePath: "models"))
/// configuration.timeLimit = 600
/// let manager = ModelManager(configuration: configuration)
/// ```
public struct HostingConfiguration: Sendable {
  /// The folder of all models. Several processes can use the same one. Default: `defaultDirectory`.
  public var directory: URL
  /// The Firebase project of each `FirebaseModelSource`. Default: `nil`.
  public var firebase: FirebaseConfiguration?
  /// Whether unencrypted HTTP is allowed to other machines; it is always allowed to this one.
  /// Default: `false`.
  public var allowsInsecureHTTP = false
  /// The largest size of a model in bytes. Default: 512 MiB.
  public var maximumModelSize = 512 << 20
  /// The most seconds without data from a server. Default: 60.
  public var idleLimit: TimeInterval = 60
  /// The lowest rate in bytes per second, measured over each `idleLimit`. A slower response is
  /// retried like a missing one. Default: 1000.
  public var lowestSpeed = 1000
  /// The most seconds of a whole download, including retries. Default: 86,400, one day.
  public var timeLimit: TimeInterval = 86_400
  /// The number and timing of retries. Default: five attempts.
  public var retry = RetryPolicy()
  /// The check that a file must pass to become the model in use. Default: `.classifier`.
  public var acceptance = ModelAcceptance.classifier
  /// The client that sends requests. Default: `URLSessionTransport`.
  public var transport: any HTTPTransport = URLSessionTransport()
  package var clock = HostingClock()

  /// The default settings, with the models in `directory`.
  public init(directory: URL = HostingConfiguration.defaultDirectory) {
    self.directory = directory
  }

  /// On Linux `$XDG_CACHE_HOME/martlet/models`, or the same in `$HOME/.cache` or in `.cache` of the
  /// user's folder. On Apple's platforms `martlet/models` in Application Support.
  public static var defaultDirectory: URL {
    #if canImport(Darwin)
      let base =
        FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
        ?? URL(fileURLWithPath: NSHomeDirectory())
    #else
      let base = URL(fileURLWithPath: cacheFolder(ProcessInfo.processInfo.environment))
    #endif
    return base.appendingPathComponent("martlet/models")
  }

  /// The folder of the user's caches; variables without an absolute path are ignored.
  static func cacheFolder(_ environment: [String: String]) -> String {
    if let folder = environment["XDG_CACHE_HOME"], folder.hasPrefix("/") { return folder }
    let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    return (home ?? NSHomeDirectory()) + "/.cache"
  }
}

/// A clock that can wait.
package struct HostingClock: Sendable {
  package var now: @Sendable () -> Date = { Date() }
  /// Waits for a number of seconds.
  package var sleep: @Sendable (TimeInterval) async throws -> Void = {
    try await Task.sleep(seconds: $0)
  }
}
