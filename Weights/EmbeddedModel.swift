//===--- EmbeddedModel.swift - the shipped networks as bytes --------------===//
//
// The models are compiled into the binary as base64 text: no bundle, no path, nothing to go missing
// at run time. Bytes are made anew at each call; whoever builds an interpreter asks once.
//
// Contract  `bytes` equals the `.tflite` file beside this source, byte for byte.
// Cost      One pass over the text: about one byte a nanosecond, one allocation.
// Checked   Tests/MartletWeightsTests/EmbeddedModelTests.swift
//===----------------------------------------------------------------------===//

/// A network that ships with Martlet.
package enum ShippedModel: CaseIterable, Sendable {
  /// Finds salient objects of any kind in a picture.
  case localiser
  /// Tells the category of an object from its cropped picture.
  case classifier

  /// The bytes of the model's `.tflite` file.
  package var bytes: [UInt8] {
    switch self {
    case .localiser: decodedBase64(localiserBase64)
    case .classifier: decodedBase64(classifierBase64)
    }
  }
}

/// The bytes that base64 text (RFC 4648, padded, without line breaks) stands for.
///
/// The text is ours and was checked by a test; a character outside of the alphabet counts as zero.
func decodedBase64(_ text: StaticString) -> [UInt8] {
  text.withUTF8Buffer { characters in
    let padding = characters.suffix(2).count { $0 == UInt8(ascii: "=") }
    let count = characters.count / 4 * 3 - padding
    return [UInt8](unsafeUninitializedCapacity: max(count, 0)) { bytes, written in
      var group: UInt32 = 0
      for (position, character) in characters.enumerated() {
        group = group << 6 | sextet(character)
        guard position % 4 == 3 else { continue }
        for shift: UInt32 in [16, 8, 0] where written < count {
          bytes.initializeElement(at: written, to: UInt8(truncatingIfNeeded: group >> shift))
          written += 1
        }
      }
    }
  }
}

/// The six bits that a character of the base64 alphabet stands for.
@inline(__always)
private func sextet(_ character: UInt8) -> UInt32 {
  switch character {
  case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(character - UInt8(ascii: "A"))
  case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(character - UInt8(ascii: "a") + 26)
  case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(character - UInt8(ascii: "0") + 52)
  case UInt8(ascii: "+"): 62
  case UInt8(ascii: "/"): 63
  default: 0
  }
}
