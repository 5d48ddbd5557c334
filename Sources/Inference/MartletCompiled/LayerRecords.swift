//===--- LayerRecords.swift - records of compiled layers ------------------===//
//
// The compiler stores each layer's extents, constants and weights in one blob, so that a layer is
// called with its address alone, without preparation at run time.
//
// Contract  A record begins at a multiple of four bytes and consists of 32-bit integers, little
//           endian. Activations of bytes are unsigned bytes: those of signed models have 128 added.
//===----------------------------------------------------------------------===//

/// The extents of a layer that slides a window over an image, and the range of its results.
struct WindowRecord {
  /// The input image.
  let height, width, depth: Int32
  /// The filter, its steps, and the distances of its taps.
  let rows, columns: Int32
  let strideY, strideX: Int32
  let dilationY, dilationX: Int32
  /// The padding above and to the left.
  let top, left: Int32
  /// The output image.
  let outputHeight, outputWidth, outputDepth: Int32
  /// The zero points of input and output.
  let inputZero, outputZero: Int32
  /// The least and greatest output.
  let low, high: Int32

  /// The bytes of a record.
  static let size = 18 * 4
}

/// The address of a layer's record.
@inline(__always)
func record(_ layer: UnsafeRawPointer) -> UnsafePointer<WindowRecord> {
  unsafe layer.assumingMemoryBound(to: WindowRecord.self)
}

@inline(__always)
func integers(_ address: UnsafeRawPointer) -> UnsafePointer<Int32> {
  unsafe address.assumingMemoryBound(to: Int32.self)
}

@inline(__always)
func bytes(_ address: UnsafeRawPointer) -> UnsafePointer<UInt8> {
  unsafe address.assumingMemoryBound(to: UInt8.self)
}

@inline(__always)
func bytes(_ address: UnsafeMutableRawPointer) -> UnsafeMutablePointer<UInt8> {
  unsafe address.assumingMemoryBound(to: UInt8.self)
}

@inline(__always)
func signedBytes(_ address: UnsafeRawPointer) -> UnsafePointer<Int8> {
  unsafe address.assumingMemoryBound(to: Int8.self)
}

@inline(__always)
func floats(_ address: UnsafeRawPointer) -> UnsafePointer<Float> {
  unsafe address.assumingMemoryBound(to: Float.self)
}

@inline(__always)
func floats(_ address: UnsafeMutableRawPointer) -> UnsafeMutablePointer<Float> {
  unsafe address.assumingMemoryBound(to: Float.self)
}

@inline(__always)
func shorts(_ address: UnsafeRawPointer) -> UnsafePointer<Int16> {
  unsafe address.assumingMemoryBound(to: Int16.self)
}

@inline(__always)
func shorts(_ address: UnsafeMutableRawPointer) -> UnsafeMutablePointer<Int16> {
  unsafe address.assumingMemoryBound(to: Int16.self)
}
