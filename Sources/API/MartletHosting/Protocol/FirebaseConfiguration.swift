//===--- FirebaseConfiguration.swift - Firebase project of the models -----===//
//
// Contract  A model is requested at `v1beta2/projects/PROJECT/models/NAME:download?key=KEY`, with
//           the fields that Firebase's own client sends.
// Source    FirebaseMLModelDownloader
//===----------------------------------------------------------------------===//

import Foundation

/// A Firebase project and its credentials.
public struct FirebaseConfiguration: Sendable {
  /// The URL of Firebase's service.
  public static let defaultBaseURL = "https://firebaseml.googleapis.com"

  /// The URL of the service, or of a compatible server.
  public var baseURL: String
  /// The project's identifier.
  public var projectID: String
  /// The project's API key.
  public var apiKey: String
  /// The bundle identifier that the key is restricted to; empty if there is none.
  public var bundleID: String
  /// Returns the Firebase Installations token. This package does not create one; if `nil`, requests
  /// have no token.
  public var tokenProvider: (@Sendable () async throws -> String)?

  /// A Firebase project with these values.
  public init(
    projectID: String, apiKey: String, bundleID: String = "",
    baseURL: String = FirebaseConfiguration.defaultBaseURL,
    tokenProvider: (@Sendable () async throws -> String)? = nil
  ) {
    self.projectID = projectID
    self.apiKey = apiKey
    self.bundleID = bundleID
    self.baseURL = baseURL
    self.tokenProvider = tokenProvider
  }

  /// The project of a `GoogleService-Info.plist`; `nil` if the file cannot be read or lacks
  /// `PROJECT_ID` or `API_KEY`.
  public init?(contentsOfFile path: String) {
    struct Members: Decodable {
      let project: String
      let key: String
      let bundle: String?

      private enum CodingKeys: String, CodingKey {
        case project = "PROJECT_ID"
        case key = "API_KEY"
        case bundle = "BUNDLE_ID"
      }
    }
    guard let data = try? Data(contentsOf: URL(fileURLWithPath: path)),
      let members = try? PropertyListDecoder().decode(Members.self, from: data)
    else { return nil }
    self.init(
      projectID: members.project, apiKey: members.key, bundleID: members.bundle ?? "")
  }

  /// The URL for the description of the model `name`.
  func address(of name: String) throws(ModelHostingError) -> URL {
    let text =
      baseURL + "/v1beta2/projects/" + FirebaseConfiguration.escaped(projectID) + "/models/"
      + FirebaseConfiguration.escaped(name) + ":download?key="
      + FirebaseConfiguration.escaped(apiKey)
    guard let url = URL(string: text) else { throw .address(text.withoutCredentials) }
    return url
  }

  private static func escaped(_ text: String) -> String {
    text.utf8.map { byte in
      let scalar = Unicode.Scalar(byte)
      let isPlain =
        scalar.isASCII
        && (scalar.properties.isAlphabetic || "0123456789-._~".unicodeScalars.contains(scalar))
      return isPlain
        ? String(scalar) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }.joined()
  }

  /// The header fields that only the service may receive.
  func secrets() async throws(ModelHostingError) -> [String: String] {
    var fields = ["x-ios-bundle-identifier": bundleID]
    if let tokenProvider {
      do {
        fields["x-goog-firebase-installations-auth"] = try await tokenProvider()
      } catch { throw .status(401, message: "no token: \(error)") }
    }
    return fields
  }
}
