//===--- ModelHostingError.swift - why a model did not arrive -------------===//
//
// Checked   Tests/MartletHostingTests, by the suite of each type that throws
//===----------------------------------------------------------------------===//

public import Martlet

/// What is wrong with what a server says of a model.
public enum ManifestProblem: Equatable, Sendable {
  /// It is no JSON object, or a member is missing or of another type.
  case malformed
  /// `downloadUri` is no address.
  case address(String)
  /// `sizeBytes` is no number of bytes.
  case size(String)
  /// `sha256` is no digest.
  case digest(String)
  /// `expireTime` is no date.
  case expiry(String)
  /// `minRuntime` is no version.
  case runtime(String)
}

/// Why a remote model could not be had.
public enum ModelHostingError: Error, Equatable, Sendable {
  /// The model has no name.
  case emptyModelName
  /// The model is Firebase's, and the configuration names no Firebase project.
  case notConfigured
  /// The address cannot be asked.
  case address(String)
  /// The address is not HTTPS, and neither is it this machine's own nor are such addresses allowed.
  case insecureAddress(String)
  /// The address is this machine's own, but a variable of the environment sends the request to a proxy.
  case proxiedLoopback(host: String, variable: String)
  /// The server has passed the request on more often than that.
  case tooManyRedirects(limit: Int)
  /// The server refused, perhaps with a reason in its own words.
  case status(Int, message: String?)
  /// An answer of Firebase's has no `ETag`.
  case missingETag
  /// The server says that a version has not changed which is not the one at hand.
  case hashMismatch(stored: String, received: String)
  /// What the server says of the model cannot be used.
  case manifest(ManifestProblem)
  /// The model needs a later version of this package.
  case runtime(needed: String, available: String)
  /// The file, or what the server says of it, has more bytes than the configuration allows.
  case tooLarge(bytes: Int, limit: Int)
  /// The file is of another size than was announced.
  case size(found: Int, expected: Int)
  /// The file's SHA-256 is another than was announced.
  case digest(found: String, expected: String)
  /// The part of the file that came is not the one that was requested.
  case range(found: String?, expectedStart: Int)
  /// The file is no classifier that can be used.
  case notAccepted(VisionError)
  /// The disk has no room for the file; how much there is may be known.
  case notEnoughSpace(needed: Int?, available: Int?)
  /// A file of the store cannot be read or written.
  case file(path: String, errno: Int32)
  /// A file of the store is not what was downloaded: its SHA-256, where it can be read, is another than its
  /// record says, where there is one.
  case damaged(path: String, found: String?, expected: String?)
  /// So few bytes came within a time in which so many were expected.
  case tooSlow(bytes: Int, expected: Int, period: Duration)
  /// The download has taken longer than it may.
  case timedOut(limit: Duration)
  /// The connection failed, with this code of `URLError`, and what the system says of it if anything.
  case connection(code: Int, message: String? = nil)
  /// The model is not there.
  case notDownloaded(name: String)
  /// There is no version before the present one.
  case noPreviousVersion(name: String)
  /// The download was cancelled.
  case cancelled
}

extension ModelHostingError: CustomStringConvertible {
  /// The error in one sentence.
  public var description: String {
    switch self {
    case .emptyModelName: "the model has no name"
    case .notConfigured: "the model is Firebase's, and no Firebase project is configured"
    case .address(let text): "the address \(text) can't be asked"
    case .insecureAddress(let text): "the address \(text) is not HTTPS"
    case .proxiedLoopback(let host, let variable):
      """
      the variable \(variable) would send the request for \(host) to a proxy; add \(host) to the \
      variable no_proxy
      """
    case .tooManyRedirects(let limit): "the server has passed the request on \(limit) times"
    case .status(let status, nil): "the server answered with status \(status)"
    case .status(let status, let message?): "the server answered with status \(status): \(message)"
    case .missingETag: "the server's answer has no ETag"
    case .hashMismatch(let stored, let received):
      "the server says that version \(received) has not changed, but \(stored) is here"
    case .manifest(let problem): "\(problem)"
    case .runtime(let needed, let available):
      "the model needs version \(needed) of Martlet, this is \(available)"
    case .tooLarge(let bytes, let limit): "there are \(bytes) bytes, \(limit) allowed"
    case .size(let found, let expected): "the file has \(found) bytes, \(expected) announced"
    case .digest(let found, let expected): "the file's SHA-256 is \(found), \(expected) announced"
    case .range(let found, let start):
      "the part of the file is \(found ?? "not named"), that from byte \(start) was asked for"
    case .notAccepted(let error): "the model can't be used: \(error)"
    case .notEnoughSpace(let needed?, let available?):
      "there is room for \(available) bytes, \(needed) needed"
    case .notEnoughSpace: "the disk is full"
    case .file(let path, let number): "\(path): \(SystemFile.words(of: number))"
    case .damaged(let path, let found, let expected):
      "\(path) is damaged: its SHA-256 is \(found ?? "unknown"), that of what was downloaded "
        + (expected ?? "unknown")
    case .tooSlow(let bytes, let expected, let period):
      "\(bytes) bytes came in \(period.words), \(expected) expected"
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
    case .noPreviousVersion(let name): "there is no version of \(name) before this one"
    case .cancelled: "the download was cancelled"
    }
  }
}

extension ManifestProblem: CustomStringConvertible {
  /// The error in one sentence.
  public var description: String {
    switch self {
    case .malformed: "what the server says of the model is malformed"
    case .address(let text): "the model's downloadUri \(text) is no address"
    case .size(let text): "the model's sizeBytes \(text) is no number of bytes"
    case .digest(let text): "the model's sha256 \(text) is no digest"
    case .expiry(let text): "the model's expireTime \(text) is no date"
    case .runtime(let text): "the model's minRuntime \(text) is no version"
    }
  }
}

extension Duration {
  /// `2 seconds`, `0.5 seconds`.
  fileprivate var words: String {
    let seconds = self / .seconds(1)
    return seconds == seconds.rounded() ? "\(Int64(seconds)) seconds" : "\(seconds) seconds"
  }
}
