//===--- GIFFrame.swift - one image of a GIF file -------------------------===//
//
// Contract  The indices of missing pixels are those of the transparent color, or else 0. Indices
//           beyond the color table are black; without any table, an index is a gray.
// Source    GIF89a sections 20 to 23, appendices E and F
//===----------------------------------------------------------------------===//

import MartletBase

/// The contents of a graphic control extension.
struct GIFControl {
  /// What happens to the frame before the next one: 0 or 1 nothing, 2 the background is restored, 3
  /// the pixels before the frame are.
  var disposal = 0
  /// The index that keeps the pixel below.
  var transparentIndex: UInt8?
  /// The time until the next frame in hundredths of a second.
  var delay = 0
}

/// An image descriptor, its color table and its codes.
struct GIFFrame {
  /// The place of the frame in the file.
  let number: Int
  let control: GIFControl
  let x, y, width, height: Int
  let isInterlaced: Bool
  /// Red, green and blue of each color; `nil` without a table.
  let colors: [UInt8]?
  /// The number of bits of a literal code.
  let codeSize: Int
  let data: [UInt8]

  /// The index of missing pixels.
  var fillIndex: UInt8 { control.transparentIndex ?? 0 }

  /// The image row of each stored row.
  var rows: [Int] {
    guard isInterlaced else { return Array(0..<height) }
    return [(start: 0, step: 8), (4, 8), (2, 4), (1, 2)].flatMap {
      stride(from: $0.start, to: height, by: $0.step)
    }
  }

  /// The color of an index.
  func color(_ index: UInt8) -> (red: UInt8, green: UInt8, blue: UInt8) {
    guard let colors else { return (index, index, index) }
    let start = 3 * Int(index)
    guard start + 3 <= colors.count else { return (0, 0, 0) }
    return (colors[start], colors[start + 1], colors[start + 2])
  }

  /// The indices of the stored rows.
  func indices(
    _ work: DecodingWork, _ damage: inout Damage<GIFError>
  ) throws(GIFError) -> [UInt8] {
    guard (0...11).contains(codeSize) else { throw .badCodeSize(frame: number, bits: codeSize) }
    let expected = width * height
    try work.charge(expected, GIFError.stopped)
    var indices = [UInt8](repeating: 0, count: expected)
    var decoder = LZWDecoder<LowestBitFirst>(rootBits: codeSize)
    let result = unsafe indices.withUnsafeMutableBufferPointer { output in
      unsafe decoder.decode(data.span, data.indices, to: output, work)
    }
    try work.check(GIFError.stopped)
    for index in result.count..<expected { indices[index] = fillIndex }
    switch result.end {
    case .full: break
    case .badCode: try damage.report(.badCode(frame: number, count: result.count))
    case .endCode, .endOfStream, .stopped:
      try damage.report(
        .missingPixels(frame: number, count: result.count, expected: expected))
    }
    return indices
  }
}
