//===--- HostingConfiguration.swift - settings of downloads and store -----===//
//
// Checked   Tests/MartletHostingTests/RetryTests.swift, DownloadTests.swift, WatchdogTests.swift
//===----------------------------------------------------------------------===//

public import Foundation
public import Martlet
import MartletVision

/// How often, and after how long, a server is asked again that could not answer.
public struct RetryPolicy: Sendable, Equatable {
  /// How often at most, without a part of the file having come.
  public var maximumAttempts = 5
  /// How long is waited after the first failure; twice as long after each further one.
  public var initialDelay = Duration.seconds(1)
  /// How long is waited at most.
  public var maximumDelay = Duration.seconds(30)
  /// How long is waited at most where the server itself says how long (`Retry-After`); what it asks
  /// for beyond that ends the download.
  public var maximumRetryAfter = Duration.seconds(300)

  /// Five attempts, after 1, 2, 4 and 8 seconds.
  public init() {}

  /// How long to wait after that many failures in a row.
  func delay(afterFailures count: Int) -> Duration {
    var delay = initialDelay
    for _ in 1..<max(1, min(count, 64)) where delay < maximumDelay { delay = delay * 2 }
    return min(delay, maximumDelay)
  }
}

/// What a file has to be to become the model in use.
///
/// A file is checked on a thread of its own, so that no other task waits for it. The package's own
/// checks end soon after the download is cancelled or its time limit has passed.
public struct ModelAcceptance: Sendable {
  private let accept: @Sendable (String) throws(VisionError) -> Void

  /// What `accept` does not refuse, which is called with the file's path, on a thread that is no task's.
  public init(_ accept: @escaping @Sendable (String) throws(VisionError) -> Void) {
    self.accept = accept
  }

  /// A classifier that a detector can use.
  public static let classifier = classifier()

  /// A classifier that a detector can use, with what its metadata does not say.
  public static func classifier(
    labels: [String]? = nil, normalization: PixelNormalization? = nil
  ) -> ModelAcceptance {
    ModelAcceptance { path throws(VisionError) in
      let file = ModelFile(
        try MappedFile.bytes(path), labels: labels, normalization: normalization)
      _ = try Classifier(file, options: .forAcceptance, lock: .none)
    }
  }

  /// Any TensorFlow Lite model.
  public static let anyModel = ModelAcceptance { path throws(VisionError) in
    let bytes = try MappedFile.bytes(path)
    do throws(ModelError) { _ = try Model(bytes) } catch { throw .model(error) }
  }

  /// Checks a file on a thread of its own. Networks that `accept` prepares stop when the task is
  /// cancelled.
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
  /// Options that prepare a network in little time: the plain kernels use weights where they lie, and
  /// large constants are left to runs, which never come.
  fileprivate static var forAcceptance: Interpreter.Options {
    var options = Interpreter.Options(kernels: .reference, workLimit: Int.max)
    options.foldingLimit = 1 << 26
    return options.stoppingWithCall
  }
}

/// How models are downloaded and kept.
public struct HostingConfiguration: Sendable {
  /// The folder that holds all models. Several processes may use the same.
  public var directory: URL
  /// Whose models Firebase gives, if any's.
  public var firebase: FirebaseConfiguration?
  /// Whether other machines may be asked over HTTP without encryption; this machine always may.
  public var allowsInsecureHTTP = false
  /// The most bytes that a model may have.
  public var maximumModelSize = 512 << 20
  /// How long a server may send nothing.
  public var idleLimit = Duration.seconds(60)
  /// The least bytes of an answer that have to come in a second, counted over each `idleLimit`: a server that
  /// sends less is asked again, as one that has fallen silent.
  public var lowestSpeed = 1000
  /// How long a download may take as a whole, with all that is asked again.
  public var timeLimit = Duration.seconds(86_400)
  /// When servers are asked again.
  public var retry = RetryPolicy()
  /// What a file has to be to become the model in use.
  public var acceptance = ModelAcceptance.classifier
  /// What sends requests.
  public var transport: any HTTPTransport = URLSessionTransport()
  package var clock = HostingClock()

  /// Defaults, with the models in `directory`.
  public init(directory: URL = HostingConfiguration.defaultDirectory) {
    self.directory = directory
  }

  /// `$XDG_CACHE_HOME/martlet/models`, or that in `$HOME/.cache`, or in `.cache` of the user's folder; on
  /// Apple's platforms `martlet/models` in Application Support.
  public static var defaultDirectory: URL {
    #if canImport(Darwin)
      let base = URL.applicationSupportDirectory
    #else
      let base = URL(fileURLWithPath: cacheFolder(ProcessInfo.processInfo.environment))
    #endif
    return base.appendingPathComponent("martlet/models")
  }

  /// Where the user's caches are; variables that name no absolute path count as if they were not there.
  static func cacheFolder(_ environment: [String: String]) -> String {
    if let folder = environment["XDG_CACHE_HOME"], folder.hasPrefix("/") { return folder }
    let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    return (home ?? NSHomeDirectory()) + "/.cache"
  }
}

/// The time, and waiting for it.
package struct HostingClock: Sendable {
  package var now: @Sendable () -> Date = { Date() }
  package var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
}
