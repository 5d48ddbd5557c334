//===--- ModelHostingError.swift - errors of model downloads --------------===//

public import Foundation
public import MartletMLKit

/// A problem in a server's description of a model.
@nonexhaustive
public enum ModelManifestProblem: Equatable, Sendable {
  /// It is not a JSON object, or a member is missing or has the wrong type.
  case malformed
  /// `downloadUri` is not a URL.
  case address(String)
  /// `sizeBytes` is not a number of bytes.
  case size(String)
  /// `sha256` is not a SHA-256 digest.
  case digest(String)
  /// `expireTime` is not a date.
  case expiry(String)
  /// `minRuntime` is not a version.
  case runtime(String)
}

/// An error of downloading or storing a remote model.
@nonexhaustive
public enum ModelHostingError: Error, Equatable, Sendable {
  /// The model's name is empty.
  case emptyModelName
  /// The model is from Firebase, but the configuration has no Firebase project.
  case notConfigured
  /// The URL cannot be requested.
  case address(String)
  /// The URL is not HTTPS, is not a loopback address, and insecure URLs are not allowed.
  case insecureAddress(String)
  /// The URL is a loopback address, but an environment variable sends the request to a proxy.
  case proxiedLoopback(host: String, variable: String)
  /// The server redirected more often than `limit`.
  case tooManyRedirects(limit: Int)
  /// The server returned an error status, with its message if it sent one.
  case status(Int, message: String?)
  /// A response from Firebase has no `ETag`.
  case missingETag
  /// The server reports "not modified" for another version than the stored one.
  case hashMismatch(stored: String, received: String)
  /// The server's description of the model is invalid.
  case manifest(ModelManifestProblem)
  /// The model requires a later version of this package.
  case runtime(needed: String, available: String)
  /// The file, or the server's response, has more bytes than the configuration allows.
  case tooLarge(bytes: Int, limit: Int)
  /// The file's size differs from the announced one.
  case size(found: Int, expected: Int)
  /// The file's SHA-256 differs from the announced one.
  case digest(found: String, expected: String)
  /// The server sent another range of the file than requested.
  case range(found: String?, expectedStart: Int)
  /// The file is not a usable classifier.
  case notAccepted(VisionError)
  /// The disk has no room for the file. The numbers of bytes are `nil` if unknown.
  case notEnoughSpace(needed: Int?, available: Int?)
  /// A file of the store cannot be read or written.
  case file(path: String, errno: Int32)
  /// A stored file is not what was downloaded: its SHA-256 differs from its record. `found` is
  /// `nil` if the file cannot be read, `expected` if there is no record.
  case damaged(path: String, found: String?, expected: String?)
  /// Fewer bytes than `expected` arrived within `period`.
  case tooSlow(bytes: Int, expected: Int, period: TimeInterval)
  /// The download exceeded its time limit.
  case timedOut(limit: TimeInterval)
  /// The connection failed, with a `URLError` code, and the system's message if there is one.
  case connection(code: Int, message: String? = nil)
  /// The model is not stored on this machine.
  case notDownloaded(name: String)
  /// There is no version before the current one.
  case noPreviousVersion(name: String)
  /// The download was canceled.
  case cancelled
}

extension ModelHostingError: CustomStringConvertible {
  /// The error in one sentence.
  public var description: String {
    switch self {
    case .emptyModelName: "the model has no name"
    case .notConfigured: "no Firebase project is configured for the model"
    case .address(let text): "the address \(text) is not supported"
    case .insecureAddress(let text): "the address \(text) is not HTTPS"
    case .proxiedLoopback(let host, let variable):
      """
      the variable \(variable) would send the request for \(host) to a proxy; add \(host) to the \
      variable no_proxy
      """
    case .tooManyRedirects(let limit): "the server redirected the request \(limit) times"
    case .status(let status, nil): "the server responded with status \(status)"
    case .status(let status, let message?): "the server responded with status \(status): \(message)"
    case .missingETag: "the server's response has no ETag"
    case .hashMismatch(let stored, let received):
      "the server reports version \(received) as unchanged, but version \(stored) is stored"
    case .manifest(let problem): "\(problem)"
    case .runtime(let needed, let available):
      "the model requires version \(needed) of Martlet, found \(available)"
    case .tooLarge(let bytes, let limit):
      "the download has \(bytes) bytes, expected at most \(limit)"
    case .size(let found, let expected): "the file has \(found) bytes, expected \(expected)"
    case .digest(let found, let expected):
      "the SHA-256 of the file is \(found), expected \(expected)"
    case .range(let found, let start):
      "the server sent the range \(found ?? "without a header"), expected the range from byte \(start)"
    case .notAccepted(let error): "the model can't be used: \(error)"
    case .notEnoughSpace(let needed?, let available?):
      "the disk has \(available) free bytes, expected \(needed); free some space"
    case .notEnoughSpace: "the disk is full"
    case .file(let path, let number): "\(path): \(SystemFile.words(of: number))"
    case .damaged(let path, let found, let expected):
      "\(path) is damaged: its SHA-256 is \(found ?? "unknown"), expected "
        + (expected ?? "unknown")
    case .tooSlow(let bytes, let expected, let period):
      "received \(bytes) bytes in \(period.words), expected \(expected)"
    case .timedOut(let limit): "the download took longer than \(limit.words)"
    case .connection(let code, let message?) where ModelHostingError.certificateCodes.contains(code):
      """
      the server's certificate is not trusted: \(message) (URLError \(code)); check the address, \
      this machine's clock and its certificates
      """
    case .connection(let code, nil): "the connection failed (URLError \(code))"
    case .connection(let code, let message?):
      "the connection failed: \(message) (URLError \(code))"
    case .notDownloaded(let name): "the model \(name) is not downloaded"
    case .noPreviousVersion(let name): "the model \(name) has no previous version"
    case .cancelled: "the download was cancelled"
    }
  }
}

extension ModelManifestProblem: CustomStringConvertible {
  /// The error in one sentence.
  public var description: String {
    switch self {
    case .malformed: "the server's description of the model is malformed"
    case .address(let text): "the model's downloadUri \(text) is not a valid address"
    case .size(let text): "the model's sizeBytes \(text) is not a number of bytes"
    case .digest(let text): "the model's sha256 \(text) is not a digest"
    case .expiry(let text): "the model's expireTime \(text) is not a date"
    case .runtime(let text): "the model's minRuntime \(text) is not a version"
    }
  }
}

extension TimeInterval {
  /// `2 seconds`, `0.5 seconds`.
  fileprivate var words: String {
    Int64(exactly: self).map { "\($0) seconds" } ?? "\(self) seconds"
  }
}
