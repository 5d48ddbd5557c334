//===--- Int8DepthwiseWeights.swift - 8-bit depthwise weights -------------===//
//
// The blocks of `Int8Depthwise`: 64 channels each. If adjacent pixels share vectors, a block has
// the channels of several pixels in sequence. A weight that exceeds a signed byte is stored as the
// sum of two bytes.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletMicrokernels

/// The packed weights of a depthwise convolution, and a line of padding.
struct Int8DepthwiseWeights: Sendable {
  /// The groups of four taps of a window.
  let quads: Int
  /// The number of bytes whose sum is a weight: 1 or 2.
  let parts: Int
  let blocks: Int
  private let memory: Arena
  private let lineOffset: Int

  /// The number of pixels after which a group of 64 elements starts with the first channel again.
  static func repeats(_ channels: Int) -> Int {
    let common = max(min(1 << channels.trailingZeroBitCount, 64), 1)
    return 64 / common
  }

  /// Packs weights, HWO, for the channels of `repeats` pixels; an
  /// empty bias is zero. `slots` has the position of each tap in the groups. Returns `nil` if a
  /// weight is not the sum of two signed bytes.
  init?(
    channels: Int, slots: [Int], repeats: Int, filter: ByteWeights,
    bias: UnsafeBufferPointer<Int32>, zero: ByteZeroPoint, factors: Int8Factors, lineCount: Int,
    kernels: ByteMicrokernels
  ) {
    let least = kernels.leastWeight
    let (low, high) = filter.bounds
    guard low >= 2 * least, high <= 2 * 127 else { return nil }
    let quads = (slots.max() ?? 0) / 4 + 1
    let parts = filter.fitsBytes(from: least) ? 1 : 2
    let headerBytes = 16 * byteHeaderCount
    let blockBytes = headerBytes + quads * parts * 256
    let lanes = channels * repeats
    blocks = (lanes + 63) / 64
    memory = Arena(byteCount: blocks * blockBytes + lineCount)
    lineOffset = blocks * blockBytes
    self.quads = quads
    self.parts = parts
    (memory.base + lineOffset).initializeMemory(
      as: UInt8.self, repeating: zero.byte, count: lineCount)
    let offsets = slots.map { headerBytes + $0 / 4 * parts * 256 + $0 % 4 }
    for index in 0..<lanes {
      let channel = index % channels
      let block = memory.base + index / 64 * blockBytes
      let place = Int8PanelHeader.place(of: index % 64)
      let header = Int8PanelHeader(
        block.assumingMemoryBound(to: Int32.self) + place / 16 * byteHeaderCount,
        lane: place % 16)
      var sum: Int32 = 0
      var tap = channel
      for offset in offsets {
        let weight = filter[tap]
        let first = max(least, min(weight, 127))
        let quad = block + (offset &+ place &* 4)
        quad.storeBytes(of: Int8(truncatingIfNeeded: first), as: Int8.self)
        if parts == 2 {
          let second = Int8(truncatingIfNeeded: weight &- first)
          quad.storeBytes(of: second, toByteOffset: 256, as: Int8.self)
        }
        sum &+= Int32(weight)
        tap &+= channels
      }
      header.write(
        bias: (bias.isEmpty ? 0 : bias[channel]) &- (Int32(zero.value) - kernels.byteOffset) &* sum)
      factors.write(channel, to: header)
    }
  }

  var start: UnsafePointer<Int32> { UnsafePointer(memory.base.assumingMemoryBound(to: Int32.self)) }

  /// A line of zero points.
  var line: UnsafePointer<UInt8> {
    UnsafePointer((memory.base + lineOffset).assumingMemoryBound(to: UInt8.self))
  }
}
