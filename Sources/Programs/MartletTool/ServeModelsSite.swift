//===--- ServeModelsSite.swift - serving a folder of models ---------------===//
//
//     /                                                  the models, as text
//     /NAME.json                                         a manifest
//     /NAME.tflite                                       the file
//     /v1beta2/projects/PROJECT/models/NAME:download     Firebase's response, for any project
//
// Contract  The manifest, the file and Firebase's response of a version have the same ETag, its
//           SHA-256. A URL in Firebase's response is valid until the response's `expireTime`. While
//           the SHA-256 of a large file is computed, clients are asked to retry later.
// Checked   Tests/MartletToolTests/ServeModelsTests.swift
//===----------------------------------------------------------------------===//

import MartletBase
import MartletCommandLine
import MartletSystem

/// Responds to requests for the models of a folder.
struct ServeModelsSite: Sendable {
  let catalog: ServeModelsCatalog
  /// The URL of this server if a request has no usable `Host` field.
  let address: String
  /// The number of seconds for which a URL in Firebase's response is valid.
  let validity: Int
  /// The current time in seconds since 1970.
  let now: @Sendable () -> Int

  func response(to request: RequestHead) -> HTTPResponse {
    do throws(CatalogError) {
      guard let steps = request.steps, let response = try response(to: request, steps) else {
        return failure(404, "NOT_FOUND", "there is no such model")
      }
      return response
    } catch { return failure(error) }
  }

  private func failure(_ error: CatalogError) -> HTTPResponse {
    switch error {
    case .folder(let error): return failure(500, "INTERNAL", "the folder \(error)")
    case .digestPending(let seconds):
      var response = failure(503, "UNAVAILABLE", "the SHA-256 of the model is being computed")
      response.fields.add("Retry-After", "\(seconds)")
      return response
    }
  }

  private func response(
    to request: RequestHead, _ steps: [String]
  ) throws(CatalogError) -> HTTPResponse? {
    if steps.isEmpty {
      return HTTPResponse(200, text: try catalog.names().joined(separator: "\n"))
    }
    if steps.count == 5, steps[0] == "v1beta2", steps[1] == "projects", steps[3] == "models" {
      return try firebase(request, steps[4])
    }
    guard steps.count == 1 else { return nil }
    if steps[0].hasSuffix(".json") {
      return try catalog.entry(String(steps[0].dropLast(".json".count)))
        .map { manifest($0, request) }
    }
    guard steps[0].hasSuffix(".tflite"),
      let entry = try catalog.entry(String(steps[0].dropLast(".tflite".count)))
    else { return nil }
    if let expiry = request.parameter("expires"), Int(expiry).map({ $0 <= now() }) ?? true {
      return failure(400, "INVALID_ARGUMENT", "the address is no longer valid")
    }
    let file = entry.file
    return FileAnswer(
      size: file.size, entityTag: entry.tag, modified: file.identity.modified,
      contentType: "application/octet-stream"
    ) { .file(file, $0) }.response(to: request, now: now())
  }

  private func manifest(
    _ entry: ServeModelsCatalog.Entry, _ request: RequestHead
  ) -> HTTPResponse {
    let text = JSON.object([
      ("downloadUri", .string(escaped(entry.name) + ".tflite")),
      ("sizeBytes", .string(String(entry.file.size))),
      ("sha256", .string(entry.digest.hexadecimal)),
    ])
    return FileAnswer(
      Array("\(text)\n".utf8), entityTag: entry.tag, modified: entry.file.identity.modified,
      contentType: "application/json"
    ).response(to: request, now: now())
  }

  private func firebase(
    _ request: RequestHead, _ step: String
  ) throws(CatalogError) -> HTTPResponse? {
    guard step.hasSuffix(":download"),
      let entry = try catalog.entry(String(step.dropLast(":download".count)))
    else { return nil }
    guard request.parameter("key")?.isEmpty == false else {
      return failure(403, "PERMISSION_DENIED", "the request has no key")
    }
    let tag = HeaderFields(["ETag": entry.tag.text])
    if let known = request.fields["If-None-Match"], entry.tag.matches(ifNoneMatch: known) {
      return HTTPResponse(304, tag)
    }
    let expiry = now() + validity
    let text = JSON.object([
      (
        "downloadUri",
        .string("\(base(request))/\(escaped(entry.name)).tflite?expires=\(expiry)")
      ),
      ("expireTime", .string(HTTPDate.timestamp(of: expiry))),
      ("sizeBytes", .string(String(entry.file.size))),
    ])
    var fields = tag
    fields.add("Content-Type", "application/json; charset=UTF-8")
    return HTTPResponse(200, fields, body: .bytes(Array("\(text)\n".utf8)))
  }

  /// An error in Firebase's format, which the manifest protocol uses too.
  private func failure(_ status: Int, _ word: String, _ message: String) -> HTTPResponse {
    let text = JSON.object([
      (
        "error",
        .object([
          ("code", .integer(status)), ("message", .string(message)), ("status", .string(word)),
        ])
      )
    ])
    return HTTPResponse(
      status, ["Content-Type": "application/json; charset=UTF-8"],
      body: .bytes(Array("\(text)\n".utf8)))
  }

  /// The base URL by which the client reached this server.
  private func base(_ request: RequestHead) -> String {
    guard let host = request.fields["Host"],
      !host.isEmpty, host.utf8.allSatisfy({ isPlain($0) || ":[]".utf8.contains($0) })
    else { return address }
    return "http://" + host
  }

  private func escaped(_ name: String) -> String {
    name.utf8.map { byte in
      let digits = String(byte, radix: 16, uppercase: true)
      return isPlain(byte)
        ? String(Unicode.Scalar(byte)) : "%" + (digits.count < 2 ? "0" : "") + digits
    }.joined()
  }

  private func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"):
      true
    default: "-._~".utf8.contains(byte)
    }
  }
}

extension ServeModelsCatalog.Entry {
  /// The entity tag of this version.
  var tag: EntityTag { EntityTag(opaque: digest.hexadecimal) }
}
