//===--- Base64.swift - bytes as text -------------------------------------===//
//
// Source    RFC 4648, section 4: with padding
//===----------------------------------------------------------------------===//

/// Base64 with padding.
package enum Base64 {
  private static let digits = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  private static let padding = UInt8(ascii: "=")

  package static func text(of bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = group.reduce(0) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - group.count))
      for index in 0..<4 {
        let digit = digits[Int(bits >> UInt32(18 - 6 * index) & 63)]
        text.append(index <= group.count ? digit : padding)
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The bytes, or `nil` if the text is no base64.
  package static func bytes(of text: String) -> [UInt8]? {
    let values = text.utf8.map { digits.firstIndex(of: $0) }
    let body = values.prefix { $0 != nil }.compactMap(\.self)
    let ending = text.utf8.dropFirst(body.count)
    guard values.count % 4 == 0, ending.count < 3, ending.allSatisfy({ $0 == padding }) else {
      return nil
    }
    var bytes: [UInt8] = []
    for start in stride(from: 0, to: body.count, by: 4) {
      let group = body[start..<min(start + 4, body.count)]
      let bits = group.reduce(0) { $0 << 6 | $1 } << (6 * (4 - group.count))
      for index in 0..<group.count - 1 {
        bytes.append(UInt8(truncatingIfNeeded: bits >> (16 - 8 * index)))
      }
    }
    return bytes
  }
}
