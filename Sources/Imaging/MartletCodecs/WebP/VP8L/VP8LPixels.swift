//===--- VP8LPixels.swift - entropy-coded pixels --------------------------===//
//
// A pixel is coded by its four components, by an index of the color cache, or as part of a copy of
// pixels before it (RFC 9649, section 5).
//
// Contract  Every write and every copy is inside the image. Decoding stops at the end of the data.
// Cost      About one table lookup per component.
//===----------------------------------------------------------------------===//

import MartletBase

extension VP8LDecoder {
  /// Decodes `width * height` pixels, which `pixels` must hold, and returns how many the data
  /// contain.
  mutating func readPixels(
    width: Int, height: Int, _ codes: VP8LCodes, to pixels: UnmanagedMemory<UInt32>
  ) throws(WebPError) -> Int {
    let cache = VP8LColorCache(bits: codes.cacheBits)
    defer { unsafe cache.deallocate() }
    // The pointers are valid during the call.
    return unsafe try codes.tables.entries.withUnsafeBufferPointer {
      entries throws(WebPError) -> Int in
      guard let base = entries.baseAddress else { return 0 }
      return unsafe try readPixels(width: width, codes, base, cache, to: pixels)
    }
  }

  private mutating func readPixels(
    width: Int, _ codes: VP8LCodes, _ entries: UnsafePointer<UInt32>, _ cache: VP8LColorCache,
    to memory: UnmanagedMemory<UInt32>
  ) throws(WebPError) -> Int {
    let (pixels, total) = unsafe (memory.base, memory.count)
    let (file, tileMask, hasCache) = (self.file, codes.tileMask, codes.cacheBits > 0)
    var (reader, position, x, y, cached) = (self.reader, 0, 0, 0, 0)
    defer { self.reader = reader }
    var group = codes.groups[0]
    pixels: while position < total {
      let pause = min(total, position &+ Self.stepPixels)
      try work.charge(4 &* (pause &- position), WebPError.stopped)
      while position < pause {
        if x & tileMask == 0 { group = codes.group(x, y) }
        if let pixel = group.pixel {
          // To the end of the tile, the row or the step.
          let tile = tileMask < 0 ? width : min(x | tileMask &+ 1, width)
          let count = min(tile &- x, pause &- position)
          unsafe (pixels + position).update(repeating: pixel, count: count)
          position &+= count
          x &+= count
          if x == width {
            (x, y) = (0, y &+ 1)
            if hasCache { unsafe cache.insert(pixels, &cached, until: position) }
          }
          continue
        }
        reader.refill(from: file.span)
        let symbol = unsafe reader.symbol(group.green, entries)
        if symbol < Self.firstLength {
          let pixel = unsafe reader.literal(green: symbol, group, entries, from: file.span)
          if reader.isOverrun { break pixels }
          unsafe pixels[position] = pixel
        } else if symbol >= Self.firstCacheIndex {
          if reader.isOverrun { break pixels }
          unsafe cache.insert(pixels, &cached, until: position)
          unsafe pixels[position] = cache[symbol &- Self.firstCacheIndex]
        } else {
          let (length, code) = unsafe reader.reference(
            symbol &- Self.firstLength, group, entries, from: file.span)
          if reader.isOverrun { break pixels }
          let distance = Self.distance(code, width: width)
          guard distance <= position, length <= total &- position else {
            throw .badReference(pixel: position)
          }
          unsafe Self.copy(pixels + position, distance: distance, count: length)
          position &+= length
          x &+= length
          while x >= width { (x, y) = (x &- width, y &+ 1) }
          if x & tileMask != 0 { group = codes.group(x, y) }
          if hasCache { unsafe cache.insert(pixels, &cached, until: position) }
          continue
        }
        position &+= 1
        x &+= 1
        if x == width {
          (x, y) = (0, y &+ 1)
          if hasCache { unsafe cache.insert(pixels, &cached, until: position) }
        }
      }
    }
    return position
  }

  /// The pixels after which the work is counted.
  private static let stepPixels = 1 << 14

  /// The symbols of the green code after the 256 values.
  private static let firstLength = 256
  private static let firstCacheIndex = firstLength + 24

  /// Copies `count` pixels from `distance` pixels before `target`.
  @inline(__always)
  private static func copy(_ target: UnsafeMutablePointer<UInt32>, distance: Int, count: Int) {
    if distance >= count {
      unsafe target.update(from: target - distance, count: count)
    } else {
      for index in 0..<count { unsafe target[index] = target[index &- distance] }
    }
  }

  /// The number of pixels that a distance code goes back (RFC 9649, section 5.2.2).
  @inline(__always) private static func distance(_ code: Int, width: Int) -> Int {
    guard code <= nearby.count else { return code &- nearby.count }
    let place = Int(nearby[code &- 1])
    return max(1, (place &>> 4) &* width &+ 8 &- place & 15)
  }

  /// For each of the first 120 distance codes, the rows up in the high four bits, and 8 minus the
  /// columns to the left in the low four.
  private static let nearby: [UInt8] = [
    0x18, 0x07, 0x17, 0x19, 0x28, 0x06, 0x27, 0x29, 0x16, 0x1a, 0x26, 0x2a, 0x38, 0x05, 0x37,
    0x39, 0x15, 0x1b, 0x36, 0x3a, 0x25, 0x2b, 0x48, 0x04, 0x47, 0x49, 0x14, 0x1c, 0x35, 0x3b,
    0x46, 0x4a, 0x24, 0x2c, 0x58, 0x45, 0x4b, 0x34, 0x3c, 0x03, 0x57, 0x59, 0x13, 0x1d, 0x56,
    0x5a, 0x23, 0x2d, 0x44, 0x4c, 0x55, 0x5b, 0x33, 0x3d, 0x68, 0x02, 0x67, 0x69, 0x12, 0x1e,
    0x66, 0x6a, 0x22, 0x2e, 0x54, 0x5c, 0x43, 0x4d, 0x65, 0x6b, 0x32, 0x3e, 0x78, 0x01, 0x77,
    0x79, 0x53, 0x5d, 0x11, 0x1f, 0x64, 0x6c, 0x42, 0x4e, 0x76, 0x7a, 0x21, 0x2f, 0x75, 0x7b,
    0x31, 0x3f, 0x63, 0x6d, 0x52, 0x5e, 0x00, 0x74, 0x7c, 0x41, 0x4f, 0x10, 0x20, 0x62, 0x6e,
    0x30, 0x73, 0x7d, 0x51, 0x5f, 0x40, 0x72, 0x7e, 0x61, 0x6f, 0x50, 0x71, 0x7f, 0x60, 0x70,
  ]
}

extension VP8LBitReader {
  /// The pixel with this green value; its other components follow.
  @inline(__always)
  fileprivate mutating func literal(
    green: Int, _ group: VP8LGroup, _ entries: UnsafePointer<UInt32>, from file: Span<UInt8>
  ) -> UInt32 {
    let green = UInt32(truncatingIfNeeded: green) &<< 8
    if let color = group.color { return color | green }
    let red = unsafe symbol(group.red, entries)
    let blue = unsafe symbol(group.blue, entries)
    if !has(VP8LPrefixCode.longest) { refill(from: file) }
    let alpha = unsafe symbol(group.alpha, entries)
    return UInt32(truncatingIfNeeded: alpha &<< 24 | red &<< 16 | blue) | green
  }

  /// The length for this symbol, and the distance code after it.
  @inline(__always)
  fileprivate mutating func reference(
    _ symbol: Int, _ group: VP8LGroup, _ entries: UnsafePointer<UInt32>, from file: Span<UInt8>
  ) -> (length: Int, distanceCode: Int) {
    let length = value(symbol)
    let distance = unsafe self.symbol(group.distance, entries)
    refill(from: file)
    return (length, value(distance))
  }

  /// The number for a prefix symbol, 0 to 39, and its extra bits (RFC 9649, section 5.2.2).
  @inline(__always) private mutating func value(_ symbol: Int) -> Int {
    guard symbol >= 4 else { return symbol &+ 1 }
    let size = (symbol &- 2) &>> 1
    return (2 &+ symbol & 1) &<< size &+ take(size) &+ 1
  }
}

/// Recently used colors (RFC 9649, section 5.2.3).
struct VP8LColorCache {
  private let colors: UnmanagedMemory<UInt32>
  private let shift: UInt32

  /// A cache of `1 << bits` colors.
  init(bits: Int) {
    colors = UnmanagedMemory(zeros: 1 << bits)
    shift = UInt32(32 - max(bits, 1))
  }

  @unsafe func deallocate() { unsafe colors.deallocate() }

  /// The color at `index`, which must be less than the size.
  @inline(__always) subscript(index: Int) -> UInt32 { colors[index] }

  /// Inserts the pixels from `next` until `end`, which `pixels` must hold.
  @inline(__always)
  func insert(_ pixels: UnsafeMutablePointer<UInt32>, _ next: inout Int, until end: Int) {
    while next < end {
      let pixel = unsafe pixels[next]
      // The product has fewer bits above the shift than an index.
      unsafe colors.base[Int((pixel &* 0x1E35_A7BD) &>> shift)] = pixel
      next &+= 1
    }
  }
}
