//===--- VP8Decoder.swift - lossy images ----------------------------------===//
//
// header (VP8Header) ▶ for each macroblock: modes (VP8Modes) ▶ coefficients (VP8Coefficients) ▶
// samples (VP8Reconstructor) ▶ for each row of macroblocks: loop filter (VP8LoopFilter) ▶ pixels
// (VP8Renderer)
//
// Contract  Data that end early give the rows of whole macroblocks before the end, as far as the
//           loop filter and the interpolation of chroma do not need the next ones.
// Cost      In memory: the planes, 1.5 bytes a pixel. A row of macroblocks stays in the second-level
//           cache.
// Source    RFC 6386
//===----------------------------------------------------------------------===//

/// Decodes a key frame.
struct VP8Decoder {
  /// The work of a macroblock: its samples, which are filtered, and its pixels.
  private static let blockSteps = 2 * 384 + 3 * 256

  private let file: [UInt8]
  private let header: VP8Header
  private let planes: VP8Planes

  /// A decoder of the data in `range`, which must be inside the file.
  init(
    _ file: [UInt8], _ range: Range<Int>, _ memory: inout WebPMemory
  ) throws(WebPError) {
    self.file = file
    header = try VP8Header(file, range)
    let (columns, rows) = ((header.width + 15) / 16, (header.height + 15) / 16)
    // A row of the renderer and the neighbors of macroblocks take less than 1,024 bytes a column.
    try memory.reserve(VP8Planes.byteCount(columns: columns, rows: rows) + 1024 * columns)
    planes = VP8Planes(columns: columns, rows: rows)
  }

  /// Decodes the frame, which has the size of the target.
  ///
  /// - Returns: The number of rows; less than the height if the data end early.
  func decode(
    alpha: [UInt8]?, to target: WebPTarget, _ work: DecodingWork
  ) throws(WebPError) -> Int {
    let renderer = VP8Renderer(planes, alpha: alpha, to: target)
    let modes = VP8ModeReader(file, header, columns: planes.columns)
    let coefficients = VP8CoefficientReader(file, header, columns: planes.columns)
    let reconstructor = VP8Reconstructor(planes)
    let filter = VP8LoopFilter(planes: planes, filter: header.filter)
    var strengths: [(VP8FilterStrength, isInside: Bool)] = []
    var partitions = header.partitions
    var rendered = 0
    for row in 0..<planes.rows {
      try work.charge(Self.blockSteps * planes.columns, WebPError.stopped)
      let partition = row & (partitions.count - 1)
      modes.startRow()
      coefficients.startRow()
      strengths.removeAll(keepingCapacity: true)
      for column in 0..<planes.columns {
        let macroblock = modes.next(column: column)
        var hasCoefficients = false
        if macroblock.isSkipped {
          coefficients.skip(macroblock, column: column)
        } else {
          hasCoefficients = coefficients.read(macroblock, column: column, &partitions[partition])
        }
        reconstructor.reconstruct(
          macroblock, modes.blocks, coefficients, column: column, row: row)
        let strength = header.strengths[macroblock.segment]
        strengths.append(
          (
            macroblock.isSplit ? strength.split : strength.whole,
            isInside: macroblock.isSplit || hasCoefficients
          ))
      }
      if modes.reader.isOverrun || partitions[partition].isOverrun { break }
      for (column, (strength, isInside)) in strengths.enumerated() {
        filter.apply(strength, isInside: isInside, column: column, row: row)
      }
      let end = finishedRows(row)
      while rendered < end {
        renderer.render(rendered)
        rendered += 1
      }
    }
    return rendered
  }

  /// The number of rows of the image that do not change after a row of macroblocks.
  private func finishedRows(_ row: Int) -> Int {
    guard row < planes.rows - 1 else { return header.height }
    // The filter of the next row changes three samples of luma or chroma, or one of luma, and
    // chroma between two rows needs the second.
    let unfinished =
      switch header.filter {
      case .none: 0
      case .simple: 2
      case .normal: 8
      }
    return 16 * (row + 1) - unfinished - 1
  }
}
