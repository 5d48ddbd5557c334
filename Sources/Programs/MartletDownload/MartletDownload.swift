//===--- MartletDownload.swift - the tool that downloads models -----------===//
//
// A tool of its own, so that `martlet` itself links no network.
//
// Contract  Prints the path of the model in use; everything else goes to standard error. If the server
//           is away, this is the stored version. Exit status 0 success, 1 no model could be
//           obtained, 2 wrong use. Leaves nothing outside the store.
//===----------------------------------------------------------------------===//

import Foundation
import MartletBase
import MartletCommandLine
import MartletHosting

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@main
struct MartletDownload {
  static let specification = CommandSpecification(
    name: "martlet-download", summary: "Downloads a model if a newer version is available.",
    operands: "NAME", operandCount: 1...1,
    options: [
      OptionSpecification("--manifest", "URL", help: "URL of the model's manifest"),
      OptionSpecification("--file", "URL", help: "URL of the model's file"),
      OptionSpecification("--sha256", "HEX", help: "Expected SHA-256 of the file"),
      OptionSpecification("--firebase", "PROJECT", help: "Firebase project of the model"),
      OptionSpecification("--api-key", "KEY", help: "API key of the Firebase project"),
      OptionSpecification("--base-url", "URL", help: "URL of a Firebase-compatible server"),
      OptionSpecification("--store", "DIR", help: "Folder for models (default: the user's cache)"),
      OptionSpecification("--max-bytes", "N", help: "Largest size to accept, in bytes"),
      OptionSpecification(
        "--timeout", "SECONDS", help: "Time limit of the download (default: 86400, a day)"),
      OptionSpecification("--any-model", help: "Accept models that are not classifiers"),
      OptionSpecification("--insecure", help: "Allow HTTP to other machines"),
      OptionSpecification("--local", help: "Contact the server only if no model is stored"),
      OptionSpecification("--roll-back", help: "Return to the previous version without a download"),
      OptionSpecification("--delete", help: "Delete the stored model"),
    ])

  static func main() async {
    keepFoundationFromMakingFolders()
    keepThisMachineFromProxies()
    do throws(UsageError) {
      let arguments = try Arguments(
        words: CommandLine.words, for: specification)
      if arguments.has("--help") {
        Streams.out(specification.help(invocation: specification.name))
        return
      }
      if arguments.has("--version") {
        Streams.out("\(specification.name) \(packageVersion)")
        return
      }
      let (manager, model) = try parse(arguments)
      await run(arguments, manager, model)
    } catch {
      Streams.err("martlet-download: \(error)")
      exit(2)
    }
  }

  /// Every session of Foundation's on Linux makes the process's shared cache and its shared store of cookies
  /// first, each with a folder of its own; there are no such folders below a file. Done before anything else
  /// runs that could read the environment.
  private static func keepFoundationFromMakingFolders() {
    #if canImport(FoundationNetworking)
      URLCache.shared = URLCache(memoryCapacity: 0, diskCapacity: 0, diskPath: "/dev/null/cache")
      _ = unsafe setenv("XDG_DATA_HOME", "/dev/null", 1)
    #endif
  }

  /// Requests for this machine's own addresses go to no proxy. Done before anything else, too.
  private static func keepThisMachineFromProxies() {
    #if canImport(FoundationNetworking)
      let proxy = LoopbackProxy(ProcessInfo.processInfo.environment)
      _ = unsafe setenv("no_proxy", proxy.exceptionsWithLoopback, 1)
    #endif
  }

  private static func parse(
    _ arguments: Arguments
  ) throws(UsageError) -> (ModelManager, CustomRemoteModel) {
    var configuration = HostingConfiguration()
    // The program has no other sessions.
    configuration.transport = URLSessionTransport(pausesReading: true)
    if let store = arguments.path("--store") {
      guard store.base64 == nil else {
        throw .invalidValue(option: "--store", value: "\(store)", expected: "a path in UTF-8")
      }
      configuration.directory = URL(fileURLWithPath: "\(store)")
    }
    configuration.allowsInsecureHTTP = arguments.has("--insecure")
    if arguments.has("--any-model") { configuration.acceptance = .anyModel }
    if let limit = try arguments.integer("--max-bytes", in: 1...Int.max) {
      configuration.maximumModelSize = limit
    }
    if let limit = try arguments.integer("--timeout", in: 1...1_000_000_000) {
      configuration.timeLimit = Double(limit)
    }
    if let project = arguments["--firebase"] {
      configuration.firebase = FirebaseConfiguration(
        projectID: project, apiKey: arguments["--api-key"] ?? "",
        baseURL: arguments["--base-url"] ?? FirebaseConfiguration.defaultBaseURL)
    }
    var manager = ModelManager(configuration: configuration)
    let model = try model(arguments, manager)
    if manager.isModelDownloaded(model) {
      // The stored version can be used, so the program need not wait long for the server.
      configuration.retry.maximumAttempts = 2
      manager = ModelManager(configuration: configuration)
    }
    return (manager, model)
  }

  private static func model(
    _ arguments: Arguments, _ manager: ModelManager
  ) throws(UsageError) -> CustomRemoteModel {
    let name = arguments.operands.first?.description ?? ""
    if let manifest = try address("--manifest", arguments) {
      return CustomRemoteModel(
        remoteModelSource: HTTPModelSource(name: name, manifestURL: manifest))
    }
    if let file = try address("--file", arguments) {
      return CustomRemoteModel(
        remoteModelSource: HTTPModelSource(
          name: name, modelURL: file, sha256: arguments["--sha256"]))
    }
    let firebase = CustomRemoteModel(remoteModelSource: FirebaseModelSource(name: name))
    if arguments.has("--firebase") { return firebase }
    // What asks no server needs no source, unless several have a model of that name.
    let stored = manager.storedModels(named: name)
    guard ["--roll-back", "--delete"].contains(where: arguments.has), stored.count < 2 else {
      throw .missingValue(option: "--manifest, --file or --firebase")
    }
    return stored.first ?? firebase
  }

  private static func address(_ option: String, _ arguments: Arguments) throws(UsageError) -> URL? {
    guard let text = arguments[option] else { return nil }
    guard let url = URL(string: text), url.host != nil else {
      throw .invalidValue(option: option, value: text.withoutCredentials, expected: "an address")
    }
    return url
  }

  private static func run(
    _ arguments: Arguments, _ manager: ModelManager, _ model: CustomRemoteModel
  ) async {
    do throws(ModelHostingError) {
      if arguments.has("--delete") {
        try await manager.deleteDownloadedModel(model)
        return
      }
      if arguments.has("--roll-back") {
        try manager.rollBack(model)
      } else {
        if let damage = try manager.repair(model) { Streams.failure(model.name, "\(damage)") }
        let isStored = manager.isModelDownloaded(model)
        if !arguments.has("--local") || !isStored {
          do throws(ModelHostingError) { try await download(manager, model) } catch {
            guard isStored, error.isTransient else { throw error }
            Streams.failure(model.name, "\(StoredVersionUsed(reason: error))")
          }
        }
      }
      Streams.out(manager.localModel(of: model).path)
    } catch {
      Streams.failure(model.name, "\(error)")
      exit(1)
    }
  }

  private static func download(
    _ manager: ModelManager, _ model: CustomRemoteModel
  ) async throws(ModelHostingError) {
    let download = manager.startDownload(model)
    var bar: ProgressBar?
    for await progress in download.progress {
      guard let total = progress.totalBytes else { continue }
      if bar == nil { bar = ProgressBar(total: total) }
      bar?.show(progress.completedBytes)
    }
    bar?.finish()
    _ = try await download.version()
  }
}

/// The message for a server that is away while a version is stored.
private struct StoredVersionUsed: Error, CustomStringConvertible {
  let reason: ModelHostingError
  var description: String { "\(reason); the stored version is used" }
}
