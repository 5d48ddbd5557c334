//===--- EmbeddedModel.swift - the built-in networks as bytes -------------===//
//
// The models are compiled into the binary as text, so that no file is needed at run time. Each call
// decodes the text again; call it once per interpreter.
//
// Contract  `bytes` equals the `.tflite` file beside this source, byte for byte. It is empty if the package's trait
//           of the network, `Faces` or `FineLabels`, is disabled; the program then does not contain the network.
// Cost      One pass over the text, a few bytes in each clock cycle; one allocation.
//===----------------------------------------------------------------------===//

/// A built-in network.
///
/// Each network is a property of its own, so that a program without an operating system has only the
/// texts of those that it uses. They are never inlined: in WebAssembly each call site would contain a
/// copy of the text.
package struct ShippedModel: Sendable {
  /// The name in MANIFEST.json.
  package let name: StaticString
  private let text: StaticString

  /// The bytes of the model's `.tflite` file.
  package var bytes: [UInt8] { decoded(text) }

  /// Finds salient objects of any kind in an image.
  @inline(never)
  package static var localizer: Self { Self(name: "localizer", text: localizerText) }
  /// Classifies the crop of an object.
  @inline(never)
  package static var classifier: Self { Self(name: "classifier", text: classifierText) }
  /// Names an object by everyday words, from the classifier's features.
  @inline(never)
  package static var fineLabels: Self {
    #if MARTLET_TRAITS && !FineLabels
      Self(name: "fineLabels", text: "")
    #else
      Self(name: "fineLabels", text: fineLabelsText)
    #endif
  }
  /// Finds faces, and six points of each, in an image of 192 x 192 pixels.
  @inline(never)
  package static var faceDetectorFast: Self {
    face("faceDetectorFast", faceDetectorFastText)
  }
  /// Finds faces, and six points of each, in an image of 320 x 320 pixels.
  @inline(never)
  package static var faceDetectorAccurate: Self {
    face("faceDetectorAccurate", faceDetectorAccurateText)
  }
  /// Finds 468 points of a face in its crop.
  @inline(never)
  package static var faceMesh: Self { face("faceMesh", faceMeshText) }
  /// Classifies an eye as open or closed; right eyes are mirrored first.
  @inline(never)
  package static var faceEyes: Self { face("faceEyes", faceEyesText) }
  /// Classifies a mouth as smiling or not, in the crop of the lower half of a face.
  @inline(never)
  package static var faceSmile: Self { face("faceSmile", faceSmileText) }

  /// A network for faces.
  @inline(__always)
  private static func face(_ name: StaticString, _ text: @autoclosure () -> StaticString) -> Self {
    #if MARTLET_TRAITS && !Faces
      Self(name: name, text: "")
    #else
      Self(name: name, text: text())
    #endif
  }
}

extension ShippedModel: CaseIterable, CustomStringConvertible {
  package static var allCases: [Self] {
    [
      localizer, classifier, fineLabels, faceDetectorFast, faceDetectorAccurate, faceMesh, faceEyes,
      faceSmile,
    ]
  }

  package var description: String { "\(name)" }
}

/// Decodes the bytes from a text of ASCII characters.
///
/// Eight characters are seven bytes: the first seven characters have a byte's lower seven bits each,
/// the eighth has their highest bits, the first byte's lowest. At the end, fewer bytes have as many
/// characters and one for their highest bits. All characters have the bit 0x40 inverted, which makes
/// small numbers, of either sign, letters and signs instead of control characters.
///
/// Each group reads its eight characters and writes one byte more than its seven, which the next group,
/// or the byte allocated beyond the count, has room for.
func decoded(_ text: StaticString) -> [UInt8] {
  text.withUTF8Buffer { characters in
    let (groups, rest) = characters.count.quotientAndRemainder(dividingBy: 8)
    let count = 7 * groups + max(rest - 1, 0)
    return unsafe [UInt8](unsafeUninitializedCapacity: count + 1) { bytes, written in
      let source = UnsafeRawBufferPointer(characters)
      let target = UnsafeMutableRawBufferPointer(bytes)
      for group in 0..<groups {
        let word = UInt64(
          littleEndian: unsafe source.loadUnaligned(fromByteOffset: 8 * group, as: UInt64.self))
        unsafe target.storeBytes(
          of: sevenBytes(word).littleEndian, toByteOffset: 7 * group, as: UInt64.self)
      }
      if rest > 1 {
        let high = unsafe characters[characters.count - 1] ^ inverted
        for place in 0..<rest - 1 {
          let low = unsafe characters[8 * groups + place] ^ inverted
          unsafe target[7 * groups + place] = low | (high >> UInt8(place) & 1) << 7
        }
      }
      written = count
    }
  }
}

/// The bit that all characters have inverted.
private let inverted: UInt8 = 0x40

/// The seven bytes that eight characters stand for, and a byte of no meaning above them.
@inline(__always)
private func sevenBytes(_ characters: UInt64) -> UInt64 {
  let word = characters ^ 0x4040_4040_4040_4040
  // Bit p of the eighth character goes to bit 7 of byte p: a copy of it lies 7 * p + 7 bits up.
  let high = (word >> 56) &* 0x0002_0408_1020_4080 & 0x0080_8080_8080_8080
  return word & 0x007F_7F7F_7F7F_7F7F | high
}
