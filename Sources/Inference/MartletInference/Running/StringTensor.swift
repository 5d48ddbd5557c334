//===--- StringTensor.swift - LiteRT's layout of strings ------------------===//
//
// An int32 count, count + 1 int32 byte offsets from the start, then bytes: string i is between
// offsets i and i + 1.
//
// Contract  Reads never leave the memory, whatever it contains. Empty memory has no strings.
//===----------------------------------------------------------------------===//

import MartletBase

/// The checked strings of a tensor. It is safe to use while the caller keeps the memory: reads check
/// its bounds.
@safe struct StringTensor {
  private let memory: UnsafeRawBufferPointer
  let count: Int

  /// Reads `memory`; `nil` if an offset is out of bounds or less than the one before.
  init?(_ memory: UnsafeRawBufferPointer) {
    unsafe self.memory = memory
    guard unsafe !memory.isEmpty else {
      count = 0
      return
    }
    guard memory.count >= 8 else { return nil }
    count = unsafe Int(StringTensor.word(0, of: memory))
    guard count >= 0, count <= memory.count / 4 - 2 else { return nil }
    var last = 4 * (count + 2)
    for i in 0...count {
      let place = unsafe Int(StringTensor.word(i + 1, of: memory))
      guard place >= last, place <= memory.count else { return nil }
      last = place
    }
  }

  /// The bytes of string `index`.
  subscript(index: Int) -> [UInt8] {
    let start = unsafe Int(StringTensor.word(index + 1, of: memory))
    let end = unsafe Int(StringTensor.word(index + 2, of: memory))
    unsafe precondition(start >= 0 && start <= end && end <= memory.count)
    return unsafe Array(memory[start..<end])
  }

  private static func word(_ index: Int, of memory: UnsafeRawBufferPointer) -> Int32 {
    precondition(index >= 0 && index < memory.count / 4)
    return unsafe Int32(
      littleEndian: memory.loadUnaligned(fromByteOffset: 4 * index, as: Int32.self))
  }

  /// The size in bytes of strings of these lengths, or `nil` if it does not fit in 32 bits.
  static func byteCount<Lengths: Collection<Int>>(ofLengths lengths: Lengths) -> Int? {
    // 64 bits suffice for the sum of so many 32-bit lengths on any platform.
    var bytes = 4 * (Int64(lengths.count) + 2)
    for length in lengths {
      bytes += Int64(length)
      guard bytes <= Int64(Int32.max) else { return nil }
    }
    return bytes <= Int64(Int32.max) ? Int(bytes) : nil
  }

  /// Writes strings into memory, which must be large enough.
  static func write<Strings: Collection<[UInt8]>>(
    _ strings: Strings, into memory: UnsafeMutableRawPointer
  ) {
    func store(_ value: Int, at index: Int) {
      unsafe memory.storeBytes(
        of: Int32(value).littleEndian, toByteOffset: 4 * index, as: Int32.self)
    }
    var place = 4 * (strings.count + 2)
    store(strings.count, at: 0)
    store(place, at: 1)
    for (i, string) in strings.enumerated() {
      unsafe string.withUnsafeBytes { bytes in
        guard let start = bytes.baseAddress else { return }
        unsafe (memory + place).copyMemory(from: start, byteCount: bytes.count)
      }
      place += string.count
      store(place, at: i + 2)
    }
  }
}

/// Assigns a number to each string, equal for equal strings; 0 is the empty string.
struct StringNumbers {
  private(set) var strings: [[UInt8]] = [[]]
  private var numbers: [[UInt8]: Int32] = [[]: 0]

  /// Returns the number of a string.
  mutating func number(of string: [UInt8]) -> Int32 {
    if let number = numbers[string] { return number }
    let number = Int32(truncatingIfNeeded: strings.count)
    strings.append(string)
    numbers[string] = number
    return number
  }
}
