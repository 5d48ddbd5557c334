//===--- FileReceiver.swift - receiving a model file ----------------------===//
//
// Contract  A complete response replaces the partial file; the rest of the same version is
//           appended. A file larger than announced or allowed is rejected before it is written.
//===----------------------------------------------------------------------===//

import Foundation
import MartletBase

/// The file to download.
struct FileTarget: Sendable {
  let url: URL
  /// The URL whose response named this one; `nil` if the caller did.
  let referrer: URL?
  /// The key that identifies the partial file.
  let key: String
  let size: Int?
  let hasDigest: Bool
  /// The known version, for a conditional request.
  let known: ModelVersion?
}

/// A downloaded file.
struct FetchedFile: Sendable {
  let entityTag: String?
  let lastModified: String?
  let size: Int
  /// Whether a part of it was downloaded earlier.
  let isContinued: Bool
}

/// Writes a response body to the partial file.
final class FileReceiver: TransportReceiver {
  private enum Answer {
    case none
    case file(PartialFile, FetchedFile)
    case notModified
    case refusal(TransportResponse, Data)
  }

  /// The most bytes of an error response to keep: 16 KiB.
  private static let maximumRefusalSize = 1 << 14

  private let target: FileTarget
  private let folder: ModelFolder
  private let limit: Int
  /// The partial file of an earlier attempt.
  private let partial: PartialRecord?
  private let onProgress: @Sendable (ModelDownloadProgress) -> Void
  private let answer = Mutex(Answer.none)

  init(
    _ target: FileTarget, in folder: ModelFolder, continuing partial: PartialRecord?, limit: Int,
    onProgress: @escaping @Sendable (ModelDownloadProgress) -> Void
  ) {
    self.target = target
    self.folder = folder
    self.limit = limit
    self.partial = partial
    self.onProgress = onProgress
  }

  /// The header fields of the request.
  var fields: [String: String] {
    var fields: [String: String] = [:]
    if let tag = target.known?.entityTag {
      fields["If-None-Match"] = tag
    } else if let date = target.known?.lastModified {
      fields["If-Modified-Since"] = date
    }
    if let partial {
      fields["Range"] = "bytes=\(partial.stored)-"
      fields["If-Range"] = partial.validator
    }
    return fields
  }

  func receive(_ response: TransportResponse) throws(ModelHostingError) {
    let next = try take(response)
    answer.withLock { $0 = next }
  }

  private func take(_ response: TransportResponse) throws(ModelHostingError) -> Answer {
    switch (response.status, partial) {
    case (200, _), (203, _): return try whole(response)
    case (206, let partial?): return try rest(response, of: partial)
    case (304, _) where target.known != nil: return .notModified
    case (416, let partial?):
      throw .range(found: response["Content-Range"], expectedStart: partial.stored)
    default: return .refusal(response, Data())
    }
  }

  private func whole(_ response: TransportResponse) throws(ModelHostingError) -> Answer {
    let length = response["Content-Length"].flatMap { Int($0) }
    let isEncoded = !["", "identity"].contains(response["Content-Encoding"]?.lowercased() ?? "")
    let announced = isEncoded ? nil : length
    try check(announced)
    let record = PartialRecord(
      key: target.key, entityTag: response["ETag"], lastModified: response["Last-Modified"],
      size: announced ?? target.size)
    return try start(record)
  }

  private func rest(
    _ response: TransportResponse, of partial: PartialRecord
  ) throws(ModelHostingError) -> Answer {
    let field = response["Content-Range"]
    guard let range = field.flatMap({ ContentRange($0) }), let bytes = range.bytes,
      bytes.lowerBound == partial.stored, range.size == partial.size || partial.size == nil,
      response["ETag"] == nil || partial.entityTag == nil
        || response["ETag"] == partial.entityTag
    else { throw .range(found: field, expectedStart: partial.stored) }
    try check(range.size)
    var record = partial
    record.size = partial.size ?? range.size
    return try start(record)
  }

  /// Throws if the size differs from the announced one, exceeds the limit, or does not fit on the
  /// disk.
  private func check(_ size: Int?) throws(ModelHostingError) {
    if let size, let expected = target.size, size != expected {
      throw .size(found: size, expected: expected)
    }
    guard let size = size ?? target.size else { return }
    guard size <= limit else { throw .tooLarge(bytes: size, limit: limit) }
    let needed = size - (partial?.stored ?? 0)
    if let room = SystemFile.availableSpace(folder.path), room < needed {
      throw .notEnoughSpace(needed: needed, available: room)
    }
  }

  private func start(_ record: PartialRecord) throws(ModelHostingError) -> Answer {
    if record.stored == 0 { PartialFile.discard(folder) }
    let file = try PartialFile(folder, record)
    onProgress(ModelDownloadProgress(completedBytes: record.stored, totalBytes: record.size))
    return .file(
      file,
      FetchedFile(
        entityTag: record.entityTag, lastModified: record.lastModified, size: record.size ?? -1,
        isContinued: record.stored > 0))
  }

  func receive(_ bytes: Data) throws(ModelHostingError) {
    try answer.withLock { answer throws(ModelHostingError) in
      switch answer {
      case .none, .notModified: return
      case .refusal(let response, let body):
        if body.count + bytes.count <= FileReceiver.maximumRefusalSize {
          answer = .refusal(response, body + bytes)
        }
      case .file(let file, let fetched):
        let count = file.count + bytes.count
        if fetched.size >= 0, count > fetched.size {
          throw .size(found: count, expected: fetched.size)
        }
        guard count <= limit else { throw .tooLarge(bytes: count, limit: limit) }
        try file.append(bytes)
        onProgress(
          ModelDownloadProgress(
            completedBytes: count, totalBytes: fetched.size >= 0 ? fetched.size : nil))
      }
    }
  }

  /// The number of bytes of the file received so far, those of earlier attempts included.
  var count: Int {
    answer.withLock { answer in
      if case .file(let file, _) = answer { file.count } else { 0 }
    }
  }

  /// Keeps the bytes of an interrupted response.
  func save() {
    answer.withLock { answer in
      if case .file(let file, _) = answer { try? file.save() }
    }
  }

  /// Returns the file after the response has ended; `nil` if the known version is still the latest.
  func finish(now: Int) throws(TransferFailure) -> FetchedFile? {
    let answer = answer.withLock { answer in
      let last = TransferEnd(answer)
      if case .file(let file, let fetched) = answer {
        return last.saving(file, fetched)
      }
      return last
    }
    switch answer {
    case .file(let file): return file
    case .notModified: return nil
    case .failure(let error): throw TransferFailure(error: error, retryAfter: nil)
    case .refusal(let response, let body):
      throw TransferFailure(
        error: response.failure(body), retryAfter: response.retryAfter(now: now))
    }
  }

  /// The end of a response.
  private enum TransferEnd {
    case file(FetchedFile)
    case notModified
    case refusal(TransportResponse, Data)
    case failure(ModelHostingError)

    init(_ answer: Answer) {
      switch answer {
      case .none: self = .failure(.connection(code: NSURLErrorBadServerResponse))
      case .file(_, let fetched): self = .file(fetched)
      case .notModified: self = .notModified
      case .refusal(let response, let body): self = .refusal(response, body)
      }
    }

    /// The file, if it was saved to disk and has the expected size.
    func saving(_ file: PartialFile, _ fetched: FetchedFile) -> TransferEnd {
      do throws(ModelHostingError) { try file.save() } catch { return .failure(error) }
      guard fetched.size < 0 || file.count == fetched.size else {
        return .failure(.connection(code: NSURLErrorNetworkConnectionLost))
      }
      return .file(
        FetchedFile(
          entityTag: fetched.entityTag, lastModified: fetched.lastModified, size: file.count,
          isContinued: fetched.isContinued))
    }
  }
}

/// The error of a request, and the server's `Retry-After`.
struct TransferFailure: Error {
  let error: ModelHostingError
  let retryAfter: Int?
}
