//===--- JPEGSmoother.swift - estimates of coefficients -------------------===//
//
// For progressive files that end before their last scans: the first nine AC coefficients are
// estimated from the DC coefficients of 5 by 5 blocks. libjpeg-turbo does the same since version
// 2.1 (`decompress_smooth_data`). An estimate replaces a coefficient that is zero and not known
// to bit 0. It is limited to the bits that are still unknown. If no AC coefficient is known, the
// DC coefficient is smoothed, too.
//
// Contract  At the image's borders the outermost block is repeated. Lines after the end of the last
//           scan's data use the bits known from earlier scans.
// Cost      Up to 250 multiplications per block; memory for a line of blocks.
// Source    ITU-T T.81, K.8; libjpeg-turbo, jdcoefct.c
//===----------------------------------------------------------------------===//

/// Estimates the coefficients of one component.
final class JPEGSmoother {
  /// The number of coefficients, in coding order, that can be estimated, including DC.
  static let places = 10

  private let blocks: JPEGBlocks
  private let blockCapacity: Int
  /// The known bits of each coefficient in the lines that the last scan reached, and in the others.
  private let knownBits, earlierBits: [Int]
  /// The frame's line of units in which the last scan's data end.
  private let lastLine: Int
  /// The number of lines of blocks per line of units, and of lines of units.
  private let vertical: Int
  private let unitLines: Int

  /// A smoother for `component`; the last scan's data end in line `lastLine` of the frame's units.
  init(_ component: JPEGComponent, _ frame: JPEGFrame, lastLine: Int, isOnlyScan: Bool) {
    knownBits = Array(component.knownBits.prefix(Self.places))
    earlierBits = isOnlyScan ? Array(repeating: -1, count: Self.places) : component.earlierBits
    self.lastLine = lastLine
    vertical = component.specification.vertical
    unitLines = frame.unitLines
    blockCapacity = component.paddedBlocksPerLine
    blocks = JPEGBlocks(count: blockCapacity, side: component.side)
  }

  /// The component, which transforms the blocks, is the only owner.
  deinit { unsafe blocks.deallocate() }

  /// The blocks of line `line` with estimates; valid until the next call.
  func blocks(_ component: JPEGComponent, line: Int) -> JPEGBlocks {
    blocks.copy(component.blocks, from: component.firstBlock(line), count: blockCapacity)
    let bits = line / vertical > lastLine ? earlierBits : knownBits
    let kernels = bits[1...].allSatisfy { $0 == -1 } ? Self.wideKernels : Self.narrowKernels
    let rows = neighbors(component, line).map { component.firstBlock($0) }
    let last = component.blocksPerLine - 1
    var means = [Int](repeating: 0, count: 25)
    for column in 0...last {
      for y in 0..<5 {
        for x in 0..<5 {
          let index = rows[y] + min(max(column + x - 2, 0), last)
          means[5 * y + x] = Int(component.blocks[index][0])
        }
      }
      estimate(column, means, kernels, bits, component.quantization)
    }
    return blocks
  }

  /// The indices of five lines: two before `line`, itself, and two after it; borders are repeated.
  private func neighbors(_ component: JPEGComponent, _ line: Int) -> [Int] {
    let unitLine = line / vertical
    // In the last line of units, libjpeg-turbo counts only the lines that contain samples.
    let rest = component.blockLines % vertical
    let lines = unitLine == unitLines - 1 && rest > 0 ? rest : vertical
    let (place, count) = (unitLine * lines + line % vertical, lines * unitLines)
    let before = place > 0 ? line - 1 : line
    let after = place < count - 1 ? line + 1 : line
    return [
      place > 1 ? line - 2 : before, before, line, after, place < count - 2 ? line + 2 : after,
    ]
  }

  /// Sets the estimates of the block at `column`; `means` are the 25 DC coefficients around it.
  private func estimate(
    _ column: Int, _ means: [Int], _ kernels: [[Int]], _ bits: [Int],
    _ steps: UnmanagedMemory<Int16>
  ) {
    let block = blocks[column]
    let unit = Int(UInt16(bitPattern: steps[0]))
    for (place, kernel) in kernels.enumerated() where !kernel.isEmpty {
      guard place == 0 || (bits[place] != 0 && block[place] == 0) else { continue }
      let sum = unit * zip(kernel, means).reduce(0) { $0 + $1.0 * $1.1 }
      let step = Int(UInt16(bitPattern: steps[Int(JPEGZigzag.natural[place])]))
      var size = (step << 7 + abs(sum)) / (step << 8)
      if place > 0, bits[place] > 0 { size = min(size, 1 << bits[place] - 1) }
      block[place] = Int16(truncatingIfNeeded: sum < 0 ? -size : size)
      if place > 0, block[place] != 0 { block.occupied |= 1 << UInt64(place) }
    }
  }
}

// MARK: - Kernels

extension JPEGSmoother {
  /// For each coefficient, the weights of 25 DC coefficients in 1/256, if no AC coefficient is
  /// known.
  private static let wideKernels: [[Int]] = [
    [
      -2, -6, -8, -6, -2, -6, 6, 42, 6, -6, -8, 42, 152, 42, -8, -6, 6, 42, 6, -6, -2, -6, -8, -6,
      -2,
    ],
    [
      -1, -1, 0, 1, 1, -3, 13, 0, -13, 3, -3, 38, 0, -38, 3, -3, 13, 0, -13, 3, -1, -1, 0, 1, 1,
    ],
    [
      -1, -3, -3, -3, -1, -1, 13, 38, 13, -1, 0, 0, 0, 0, 0, 1, -13, -38, -13, 1, 1, 3, 3, 3, 1,
    ],
    [0, 0, 1, 0, 0, 0, 2, 7, 2, 0, 0, -5, -14, -5, 0, 0, 2, 7, 2, 0, 0, 0, 1, 0, 0],
    [-1, 0, 0, 0, 1, 0, 9, 0, -9, 0, 0, 0, 0, 0, 0, 0, -9, 0, 9, 0, 1, 0, 0, 0, -1],
    [0, 0, 0, 0, 0, 0, 2, -5, 2, 0, 1, 7, -14, 7, 1, 0, 2, -5, 2, 0, 0, 0, 0, 0, 0],
    [0, 0, 0, 0, 0, 0, 1, 0, -1, 0, 0, 2, 0, -2, 0, 0, 1, 0, -1, 0, 0, 0, 0, 0, 0],
    [0, 0, 0, 0, 0, 0, 1, -3, 1, 0, 0, 0, 0, 0, 0, 0, -1, 3, -1, 0, 0, 0, 0, 0, 0],
    [0, 0, 0, 0, 0, 0, 1, 0, -1, 0, 0, -3, 0, 3, 0, 0, 1, 0, -1, 0, 0, 0, 0, 0, 0],
    [0, 0, 0, 0, 0, 0, 1, 2, 1, 0, 0, 0, 0, 0, 0, 0, -1, -2, -1, 0, 0, 0, 0, 0, 0],
  ]

  /// The weights if some AC coefficient is known; DC is unchanged.
  private static let narrowKernels: [[Int]] = [
    [],
    [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -7, 50, 0, -50, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    [0, 0, -7, 0, 0, 0, 0, 50, 0, 0, 0, 0, 0, 0, 0, 0, 0, -50, 0, 0, 0, 0, 7, 0, 0],
    [0, 0, -1, 0, 0, 0, 0, 13, 0, 0, 0, 0, -24, 0, 0, 0, 0, 13, 0, 0, 0, 0, -1, 0, 0],
    [0, -1, 0, 1, 0, -1, 10, 0, -10, 1, 0, 0, 0, 0, 0, 1, -10, 0, 10, -1, 0, 1, 0, -1, 0],
    [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, 13, -24, 13, -1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
  ]
}

// MARK: - Conditions

extension JPEGComponent {
  /// Whether the DC coefficients are known and no divisor of the estimates is zero.
  var allowsSmoothing: Bool {
    knownBits[0] >= 0
      && JPEGZigzag.natural.prefix(JPEGSmoother.places).allSatisfy { quantization[Int($0)] != 0 }
  }

  /// Whether any coefficient that can be estimated is not known to bit 0.
  var wantsSmoothing: Bool { knownBits[1..<JPEGSmoother.places].contains { $0 != 0 } }
}
