//===--- ModelDescription.swift - requesting a model's description --------===//
//
// Contract  Requests are conditional on the known version. Firebase must name the version it
//           describes.
//===----------------------------------------------------------------------===//

import Foundation

/// The source of a model's description.
enum Describer: Sendable {
  case manifest(URL)
  case firebase(FirebaseConfiguration)
}

/// A server's description of a model's latest version.
struct ModelDescription: Sendable {
  let manifest: ModelManifest
  let address: URL
  let isFirebase: Bool
  let entityTag: String?
  let lastModified: String?

  /// The version record for the downloaded file.
  func version(
    _ sha256: String, _ size: Int, _ source: String, _ model: RemoteModel
  ) -> ModelVersion {
    ModelVersion(
      name: model.name, sizeBytes: size, sha256: sha256, version: manifest.version,
      source: source, entityTag: entityTag, lastModified: lastModified)
  }
}

extension ModelDownloader {
  /// Requests the description of the latest version; returns `nil` if that is the known one.
  func description(
    by describer: Describer, known: ModelVersion?
  ) async throws(ModelHostingError) -> ModelDescription? {
    var retries = Retries(configuration.retry, configuration.clock, until: deadline)
    while true {
      do throws(TransferFailure) {
        return try await ask(describer, known: known)
      } catch { try await retries.wait(after: error) }
    }
  }

  private func ask(
    _ describer: Describer, known: ModelVersion?
  ) async throws(TransferFailure) -> ModelDescription? {
    let answer = SmallAnswer(limit: ModelManifest.maximumSize)
    do throws(ModelHostingError) {
      let (address, secrets, isFirebase) = try await request(describer)
      var fields: [String: String] = [:]
      if let tag = known?.entityTag {
        fields["If-None-Match"] = tag
      } else if let date = known?.lastModified {
        fields["If-Modified-Since"] = date
      }
      try await client.get(address, fields: fields, secrets: secrets, to: answer)
      guard let response = answer.response else {
        throw .connection(code: NSURLErrorBadServerResponse)
      }
      if response.status == 200 {
        return try ModelDownloader.description(
          response, answer.body, at: address, isFirebase: isFirebase)
      }
      if response.status == 304, let known {
        if isFirebase { try ModelDownloader.check(response, against: known) }
        return nil
      }
      throw response.failure(answer.body)
    } catch {
      let now = Int(configuration.clock.now().timeIntervalSince1970)
      throw TransferFailure(error: error, retryAfter: answer.response?.retryAfter(now: now))
    }
  }

  private func request(
    _ describer: Describer
  ) async throws(ModelHostingError) -> (URL, secrets: [String: String], isFirebase: Bool) {
    switch describer {
    case .manifest(let url): return (url, [:], false)
    case .firebase(let firebase):
      return (try firebase.address(of: model.name), try await firebase.secrets(), true)
    }
  }

  private static func description(
    _ response: TransportResponse, _ body: Data, at address: URL, isFirebase: Bool
  ) throws(ModelHostingError) -> ModelDescription {
    let tag = response["ETag"]
    if isFirebase, tag?.isEmpty ?? true { throw .missingETag }
    return ModelDescription(
      manifest: try ModelManifest(body, at: address), address: address, isFirebase: isFirebase,
      entityTag: tag, lastModified: response["Last-Modified"])
  }

  /// Checks that Firebase's "not modified" is about the stored version.
  private static func check(
    _ response: TransportResponse, against known: ModelVersion
  ) throws(ModelHostingError) {
    guard let tag = response["ETag"], !tag.isEmpty else { throw .missingETag }
    guard tag == known.entityTag else {
      throw .hashMismatch(stored: known.entityTag ?? "", received: tag)
    }
  }
}
