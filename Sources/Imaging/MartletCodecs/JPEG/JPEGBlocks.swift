//===--- JPEGBlocks.swift - memory for blocks of coefficients -------------===//
//
// Contract  Blocks and coefficients outside the memory trap. The owner deallocates the memory and
//           must outlive all copies of it.
// Cost      One check per block. The table of natural indices checks the places of coefficients.
// Checked   Tests/MartletCodecsTests/JPEGDecodingTests.swift
//===----------------------------------------------------------------------===//

import MartletLevels
import MartletMicrokernels

/// Blocks of 64 coefficients.
struct JPEGBlocks {
  /// The coefficients in natural order, block after block.
  private let coefficients: UnmanagedMemory<Int16>
  /// A bit mask per block: bit i is set if AC coefficient i, in coding order, is not zero.
  private let occupied: UnmanagedMemory<UInt64>

  /// Allocates `count` blocks of zeros.
  init(count: Int) {
    coefficients = UnmanagedMemory(zeros: 64 * count)
    occupied = UnmanagedMemory(zeros: count)
  }

  /// Frees the memory; only its owner may do this.
  @unsafe func deallocate() {
    unsafe coefficients.deallocate()
    unsafe occupied.deallocate()
  }

  /// The block at `index`.
  @inline(__always) subscript(index: Int) -> JPEGBlock {
    precondition(index >= 0 && index < occupied.count)
    return unsafe JPEGBlock(
      coefficients: coefficients.base + 64 &* index, mask: occupied.base + index)
  }

  /// The first of `count` blocks from `first` on, after a check that all of them are in memory.
  private func pointers(
    _ first: Int, _ count: Int
  ) -> (coefficients: UnsafeMutablePointer<Int16>, occupied: UnsafeMutablePointer<UInt64>) {
    precondition(first >= 0 && count >= 0 && first <= occupied.count - count)
    return unsafe (coefficients.base + 64 * first, occupied.base + first)
  }

  /// Copies `count` blocks of `source` from `first` on to the first blocks.
  func copy(_ source: JPEGBlocks, from first: Int, count: Int) {
    let (from, to) = unsafe (source.pointers(first, count), pointers(0, count))
    // Both have room for `count` blocks.
    unsafe to.coefficients.update(from: from.coefficients, count: 64 * count)
    unsafe to.occupied.update(from: from.occupied, count: count)
  }

  /// Resets `count` blocks from `first` on to zeros.
  func clear(_ first: Int, count: Int) {
    let blocks = unsafe pointers(first, count)
    unsafe blocks.coefficients.update(repeating: 0, count: 64 * count)
    unsafe blocks.occupied.update(repeating: 0, count: count)
  }

  /// Transforms `count` blocks from `first` on to samples: 8 rows of 8 samples per block.
  func transform(
    _ first: Int, count: Int, _ quantization: UnmanagedMemory<Int16>,
    to samples: UnsafeMutablePointer<UInt8>, stride: Int
  ) {
    precondition(quantization.count == 64)
    let blocks = unsafe pointers(first, count)
    unsafe Microkernels.pixels.int16InverseDCT(
      Int16InverseDCT(
        coefficients: blocks.coefficients, occupied: blocks.occupied, count: count,
        quantization: quantization.base, samples: samples, stride: stride))
  }
}

/// One block of coefficients. It is safe to use while its owner lives: only `JPEGBlocks` creates
/// it, and every natural index is below 64.
@safe struct JPEGBlock {
  fileprivate let coefficients: UnsafeMutablePointer<Int16>
  fileprivate let mask: UnsafeMutablePointer<UInt64>

  /// The coefficient at `place`, 0 to 63, in coding order.
  @inline(__always) subscript(place: Int) -> Int16 {
    get { unsafe coefficients[Int(JPEGZigzag.natural[place])] }
    nonmutating set { unsafe coefficients[Int(JPEGZigzag.natural[place])] = newValue }
  }

  /// The bit mask of the AC coefficients, in coding order, that are not zero.
  @inline(__always) var occupied: UInt64 {
    get { unsafe mask.pointee }
    nonmutating set { unsafe mask.pointee = newValue }
  }
}
