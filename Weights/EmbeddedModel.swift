//===--- EmbeddedModel.swift - the shipped networks as bytes --------------===//
//
// The models are compiled into the binary as base64 text: no bundle, no path, nothing to go missing
// at run time. Bytes are made anew at each call; whoever builds an interpreter asks once.
//
// Contract  `bytes` equals the `.tflite` file beside this source, byte for byte.
// Cost      One pass over the text, about a millisecond for a megabyte; one allocation.
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
  let sextets = (0..<256).map { sextet(UInt8($0)) }
  return text.withUTF8Buffer { characters in
    let padding = characters.suffix(2).count { $0 == UInt8(ascii: "=") }
    let count = max(characters.count / 4 * 3 - padding, 0)
    return [UInt8](unsafeUninitializedCapacity: count) { bytes, written in
      sextets.withUnsafeBufferPointer { sextets in
        for start in stride(from: 0, to: characters.count & ~3, by: 4) {
          let group =
            sextets[Int(characters[start])] << 18 | sextets[Int(characters[start + 1])] << 12
            | sextets[Int(characters[start + 2])] << 6 | sextets[Int(characters[start + 3])]
          // Three bytes, but for those that padding stands for.
          let target = start / 4 * 3
          for place in 0..<min(3, count - target) {
            let byte = UInt8(truncatingIfNeeded: group >> UInt32(16 - 8 * place))
            bytes.initializeElement(at: target + place, to: byte)
          }
        }
      }
      written = count
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
