//===--- JPEGBlocks.swift - memory for blocks of coefficients -------------===//
//
// Contract  Blocks outside the memory trap; places of coefficients count modulo 64. The owner
//           deallocates the memory and must outlive all copies of it.
// Cost      One check per block. Blocks of a reduced image hold the coefficients that its samples
//           depend on: 2 of 64 for 1/8, 40 of 64 for 1/4.
//===----------------------------------------------------------------------===//

import MartletKernels
import MartletMicrokernels

/// Blocks of coefficients.
struct JPEGBlocks {
  /// The coefficients in natural order, block after block.
  private let coefficients: UnmanagedMemory<Int16>
  /// The index in a block of each coefficient in coding order. Those that are not kept share one that
  /// no sample depends on.
  private let slots: UnmanagedMemory<UInt8>
  /// The number of coefficients of a block in memory.
  private let size: Int
  /// The side of a block of samples: 8, 4, 2 or 1.
  private let side: Int
  /// A bit mask per block: bit i is set if AC coefficient i, in coding order, is not zero.
  private let occupied: UnmanagedMemory<UInt64>

  /// Allocates `count` blocks of zeros for `side` columns and rows of samples each.
  init(count: Int, side: Int) {
    self.side = side
    size = Int16InverseDCT.coefficientCount(side: side)
    coefficients = UnmanagedMemory(zeros: size * count)
    occupied = UnmanagedMemory(zeros: count)
    slots = UnmanagedMemory(zeros: 64)
    for place in 0..<64 {
      let natural = JPEGZigzag.natural[place]
      let (row, column) = (natural / 8, natural % 8)
      slots[place] =
        switch side {
        case 1: min(natural, 1)
        case 2: row & 1 == 1 || row == 0 ? (row + 1) / 2 * 8 + column : 2
        default: natural
        }
    }
  }

  /// The bytes of memory for each block.
  static func blockBytes(side: Int) -> Int { 2 * Int16InverseDCT.coefficientCount(side: side) + 8 }

  /// Frees the memory; only its owner may do this.
  @unsafe func deallocate() {
    unsafe slots.deallocate()
    unsafe coefficients.deallocate()
    unsafe occupied.deallocate()
  }

  /// The block at `index`.
  @inline(__always) subscript(index: Int) -> JPEGBlock {
    precondition(index >= 0 && index < occupied.count)
    return unsafe JPEGBlock(
      coefficients: coefficients.base + size &* index, slots: slots.base,
      mask: occupied.base + index)
  }

  /// The first of `count` blocks from `first` on, after a check that all of them are in memory.
  private func pointers(
    _ first: Int, _ count: Int
  ) -> (coefficients: UnsafeMutablePointer<Int16>, occupied: UnsafeMutablePointer<UInt64>) {
    precondition(first >= 0 && count >= 0 && first <= occupied.count - count)
    return unsafe (coefficients.base + size * first, occupied.base + first)
  }

  /// Copies `count` blocks of `source` from `first` on to the first blocks.
  func copy(_ source: JPEGBlocks, from first: Int, count: Int) {
    let (from, to) = unsafe (source.pointers(first, count), pointers(0, count))
    // Both have room for `count` blocks.
    unsafe to.coefficients.update(from: from.coefficients, count: size * count)
    unsafe to.occupied.update(from: from.occupied, count: count)
  }

  /// Resets `count` blocks from `first` on to zeros.
  func clear(_ first: Int, count: Int) {
    let blocks = unsafe pointers(first, count)
    unsafe blocks.coefficients.update(repeating: 0, count: size * count)
    unsafe blocks.occupied.update(repeating: 0, count: count)
  }

  /// Transforms `count` blocks from `first` on to samples: `side` rows of `side` samples per block.
  func transform(
    _ first: Int, count: Int, _ quantization: UnmanagedMemory<Int16>,
    to samples: UnsafeMutablePointer<UInt8>, stride: Int
  ) {
    precondition(quantization.count == 64)
    let blocks = unsafe pointers(first, count)
    unsafe Microkernels.pixels.int16InverseDCT(
      Int16InverseDCT(
        coefficients: blocks.coefficients, occupied: blocks.occupied, count: count,
        quantization: quantization.base, samples: samples, stride: stride,
        side: side))
  }
}

/// One block of coefficients. It is safe to use while its owner lives: only `JPEGBlocks` creates
/// it with 64 slots, all of which are inside the block.
@safe struct JPEGBlock {
  fileprivate let coefficients: UnsafeMutablePointer<Int16>
  fileprivate let slots: UnsafeMutablePointer<UInt8>
  fileprivate let mask: UnsafeMutablePointer<UInt64>

  /// The coefficient at `place`, 0 to 63, in coding order.
  @inline(__always) subscript(place: Int) -> Int16 {
    get { unsafe coefficients[Int(slots[place & 63])] }
    nonmutating set { unsafe coefficients[Int(slots[place & 63])] = newValue }
  }

  /// The bit mask of the AC coefficients, in coding order, that are not zero.
  @inline(__always) var occupied: UInt64 {
    get { unsafe mask.pointee }
    nonmutating set { unsafe mask.pointee = newValue }
  }
}
