//===--- GoldenInput.swift - inputs of golden cases -----------------------===//
//
// Images as bytes with a given transform, random numbers (SplitMix64), or literal values.
//
// Contract  Equal, bit for bit, to the inputs that the golden outputs were computed from.
//===----------------------------------------------------------------------===//

import MartletCommandLine
import MartletInference

struct GoldenInput {
  let folder: FilePath

  /// The little-endian elements of an input.
  func bytes(of input: GoldenCase.Input) throws(CaseFailure) -> [UInt8] {
    let source = input.source
    let count = input.shape.reduce(1) { $0 &* $1 }
    switch source.kind {
    case "image_u8":
      guard let file = source.file else { throw .failed("an image input without a file") }
      return try GoldenInput.transformed(
        try GoldenInput.arranged(try readImage(file), by: source.channels),
        by: GoldenInput.transform(of: source))
    case "splitmix64":
      return try GoldenInput.random(source, count: count, dtype: input.dtype)
    case "literal":
      return try GoldenInput.literal(source.values ?? [], dtype: input.dtype)
    default:
      throw .failed("no input of kind \(source.kind)")
    }
  }

  private func readImage(_ file: String) throws(CaseFailure) -> [UInt8] {
    let path = (file.hasPrefix("golden/") ? folder / ".." : folder) / file
    do throws(FileError) {
      return try Files.read(path)
    } catch { throw .failed("\(path) \(error)") }
  }

  /// The transform of an image. If a fourth channel was added, LiteRT's golden outputs match, bit
  /// for bit, values without the manifest's offset.
  static func transform(of source: GoldenCase.Source) -> GoldenCase.Transform {
    switch (source.channels, source.transform) {
    case (fourChannels, .affine(let scale, _)): .affine(scale: scale, offset: 0)
    case (_, let transform): transform ?? .named("identity")
    }
  }

  private static let fourChannels = "RGB + 4th channel byte 0"

  /// Arranges the bytes into the channels of the model's input.
  static func arranged(_ pixels: [UInt8], by rule: String?) throws(CaseFailure) -> [UInt8] {
    switch rule {
    case nil: return pixels
    case "grey=(77R+150G+29B)>>8":
      return stride(from: 0, to: pixels.count - 2, by: 3).map { start in
        let red = 77 * Int(pixels[start])
        let green = 150 * Int(pixels[start + 1])
        return UInt8((red + green + 29 * Int(pixels[start + 2])) >> 8)
      }
    case fourChannels:
      return stride(from: 0, to: pixels.count - 2, by: 3).flatMap { pixels[$0..<$0 + 3] + [0] }
    case .some(let name): throw .failed("no channel rule \(name)")
    }
  }

  static func transformed(
    _ pixels: [UInt8], by transform: GoldenCase.Transform
  ) throws(CaseFailure) -> [UInt8] {
    switch transform {
    case .named("identity"): return pixels
    case .named("int8 = u8 - 128"): return pixels.map { $0 ^ 0x80 }
    case .named(let name): throw .failed("no transform \(name)")
    case .affine(let scale, let offset):
      return pixels.flatMap { pixel -> [UInt8] in
        let scaled = Float(pixel) * scale
        return littleEndian((scaled + offset).bitPattern)
      }
    }
  }

  static func random(
    _ source: GoldenCase.Source, count: Int, dtype: String
  ) throws(CaseFailure) -> [UInt8] {
    guard let seed = source.seed, let map = source.map else { throw .failed("no seed") }
    var generator = SplitMix64(seed: seed)
    var bytes: [UInt8] = []
    for _ in 0..<count {
      let z = generator.next()
      switch map {
      case "byte": bytes.append(UInt8(z >> 56))
      case "bool": bytes.append(UInt8(z >> 63))
      case "int16": bytes += littleEndian(UInt16(z >> 48))
      case "float32":
        let lo = source.lo ?? 0
        let unit = Float(z >> 40) * 0x1p-24
        let scaled = unit * ((source.hi ?? 1) - lo)
        bytes += littleEndian((scaled + lo).bitPattern)
      case "1+z%7": bytes += try literal([Int(1 + z % 7)], dtype: dtype)
      default: throw .failed("no map \(map)")
      }
    }
    return bytes
  }

  static func literal(_ values: [Int], dtype: String) throws(CaseFailure) -> [UInt8] {
    switch dtype.lowercased() {
    case "int8", "uint8", "bool": values.map { UInt8(truncatingIfNeeded: $0) }
    case "int16": values.flatMap { littleEndian(UInt16(truncatingIfNeeded: $0)) }
    case "int32": values.flatMap { littleEndian(UInt32(truncatingIfNeeded: $0)) }
    case "int64": values.flatMap { littleEndian(UInt64(truncatingIfNeeded: $0)) }
    case "float32": values.flatMap { littleEndian(Float($0).bitPattern) }
    default: throw CaseFailure.failed("no literal of type \(dtype)")
    }
  }

  private static func littleEndian<T: FixedWidthInteger>(_ value: T) -> [UInt8] {
    (0..<T.bitWidth / 8).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }
}
