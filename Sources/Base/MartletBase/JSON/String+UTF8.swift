//===--- String+UTF8.swift - text from bytes ------------------------------===//

extension String {
  /// The text of bytes in UTF-8, or `nil` if they are not. The standard library's
  /// `init(validating:as:)` needs iOS 18 and macOS 15.
  package init?(utf8 bytes: [UInt8]) {
    // Invalid parts would be replaced.
    let text = String(decoding: bytes, as: UTF8.self)
    guard text.utf8.elementsEqual(bytes) else { return nil }
    self = text
  }
}
