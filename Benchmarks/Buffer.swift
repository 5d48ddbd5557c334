//===--- Buffer.swift - seeded test memory --------------------------------===//

import MartletCommandLine

/// Memory that a kernel reads or writes, filled with pseudorandom numbers.
final class Buffer<Scalar: BitwiseCopyable> {
  let elements: UnsafeMutableBufferPointer<Scalar>

  init(count: Int, seed: UInt64, _ make: (UInt64) -> Scalar) {
    var random = SplitMix64(seed: seed)
    elements = .allocate(capacity: count)
    for index in 0..<count { elements.initializeElement(at: index, to: make(random.next())) }
  }

  deinit { elements.deallocate() }

  var raw: UnsafeMutableRawBufferPointer { UnsafeMutableRawBufferPointer(elements) }
  var constant: UnsafeBufferPointer<Scalar> { UnsafeBufferPointer(elements) }
}

extension Buffer<Float> {
  /// Numbers in -1..<1.
  convenience init(floats count: Int, seed: UInt64) {
    self.init(count: count, seed: seed) { Float(Int64(bitPattern: $0) >> 40) * 0x1p-23 }
  }
}

extension Buffer<Int8> {
  convenience init(bytes count: Int, seed: UInt64) {
    self.init(count: count, seed: seed) { Int8(truncatingIfNeeded: $0 >> 56) }
  }
}

extension Buffer<Int32> {
  /// 16-bit numbers in the typical range of biases.
  convenience init(biases count: Int, seed: UInt64) {
    self.init(count: count, seed: seed) { Int32(Int16(truncatingIfNeeded: $0 >> 48)) }
  }
}
