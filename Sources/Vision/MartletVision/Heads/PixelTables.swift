//===--- PixelTables.swift - pixels to a detector's input -----------------===//
//
// Each byte of a channel becomes a number of the input by a table, which includes normalization and
// quantization.
//
// Contract  A gray input takes 0.299 red + 0.587 green + 0.114 blue, rounded. Integers are rounded
//           to nearest and clamped.
// Cost      One pass over the pixels; no allocation.
//===----------------------------------------------------------------------===//

/// The values of pixels in a detector's input.
struct PixelTables: Sendable {
  let layout: ImageLayout
  private let isBGR: Bool
  /// The values of a byte in each channel of the input, one after another: floats, or bytes in their
  /// type's form.
  private let floats: [Float]
  private let bytes: [UInt8]

  /// The tables for an input of `family`, with a normalization of the caller or the metadata.
  init(
    _ layout: ImageLayout, _ tensor: InterfaceTensor, _ family: DetectorInput,
    given: PixelNormalization?, range: ClosedRange<Float>?
  ) throws(VisionError) {
    self.layout = layout
    isBGR = family.isBGR && layout.channels == 3
    let usual = (range ?? tensor.realRange).flatMap { PixelNormalization.usual($0) }
    let bytesOfChannels = (0..<layout.channels).flatMap { channel in
      (0...255).map { (channel, Float($0)) }
    }
    func values(_ normalization: PixelNormalization) -> [Float] {
      bytesOfChannels.map { ($1 - normalization.mean[$0]) * normalization.scale[$0] }
    }
    switch tensor.type {
    case .float32:
      floats = (given ?? usual ?? family.normalization ?? .symmetric).map(values) ?? []
      bytes = []
    case .uint8, .int8:
      floats = []
      let least = tensor.type == .int8 ? -128 : 0
      guard let map = tensor.quantization, map.scale > 0,
        let normalization = given ?? family.normalization.flatMap({ usual ?? $0 })
      else {
        bytes = bytesOfChannels.map { UInt8($1) ^ (tensor.type == .int8 ? 0x80 : 0) }
        return
      }
      bytes = values(normalization).map { real in
        let integer = (real / map.scale).rounded() + Float(map.zeroPoint)
        let clamped = min(max(integer, Float(least)), Float(least + 255))
        return UInt8(truncatingIfNeeded: Int(clamped.isNaN ? 0 : clamped))
      }
    default: throw .unsuitable(.inputType(tensor: tensor.name, found: tensor.type))
    }
  }

  /// Writes the values of all pixels. `memory` must have room for them.
  func fill(_ memory: UnsafeMutableRawBufferPointer, with image: RGBImage) throws(ImageError) {
    let count = layout.channels * image.size.pixelCount
    let width = floats.isEmpty ? 1 : 4
    guard memory.count == count * width else {
      throw .wrongDestinationCount(count: memory.count / width, expected: count)
    }
    if floats.isEmpty {
      fill(memory.bindMemory(to: UInt8.self), with: image, bytes)
    } else {
      fill(memory.bindMemory(to: Float.self), with: image, floats)
    }
  }

  /// Both buffers and the tables have the sizes that `fill` checked.
  private func fill<Value>(
    _ values: UnsafeMutableBufferPointer<Value>, with image: RGBImage, _ table: [Value]
  ) {
    let pixels = image.size.pixelCount
    let channels = layout.channels
    let (step, plane) = layout.isPlanar ? (1, pixels) : (channels, 1)
    image.withUnsafePixels { source in
      table.withUnsafeBufferPointer { table in
        if channels == 1 {
          for pixel in 0..<pixels {
            let (red, green) = (Float(source[3 * pixel]), Float(source[3 * pixel + 1]))
            let gray = 0.299 * red + 0.587 * green + 0.114 * Float(source[3 * pixel + 2])
            values[pixel] = table[Int(gray.rounded())]
          }
          return
        }
        for channel in 0..<channels {
          let color = isBGR ? channels - 1 - channel : channel
          for pixel in 0..<pixels {
            values[pixel * step + channel * plane] =
              table[channel << 8 | Int(source[3 * pixel + color])]
          }
        }
      }
    }
  }
}
