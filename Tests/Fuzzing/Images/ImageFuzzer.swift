//===--- ImageFuzzer.swift - hostile images, one after another ----------===//
//
// A target for libFuzzer: the bytes of a JPEG, PNG, BMP or PNM file, decoded with little memory allowed.
//
// Oracles   Nothing traps, leaves its memory, hangs, or takes more than it may. Three workers decode
//           the same pixels as one. What was decoded is the same after PNG's encoder and decoder.
// Run       .ci/fuzz images
//===----------------------------------------------------------------------===//

import MartletBase
import MartletCodecs

/// Three workers, one after another and the last first, so that a finding happens every time.
private let threeWorkers = Workers(count: 3) { chunks, body in
  for index in (0..<chunks).reversed() { body(index) }
}

/// Examines one input.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ data: UnsafePointer<UInt8>, _ size: Int) -> CInt {
  let bytes = [UInt8](UnsafeBufferPointer(start: data, count: size))
  let limits = ImageLimits(memory: 16 << 20)
  let one = try? ImageFile(decoding: bytes, limits: limits)
  let three = try? ImageFile(decoding: bytes, limits: limits, workers: threeWorkers)
  guard one?.image == three?.image, one?.orientation == three?.orientation else {
    fatalError("three workers decode another image than one")
  }
  guard let image = one?.upright else { return 0 }
  let written = PNG.encode(
    Raster(width: image.width, height: image.height, channels: 3, samples: image.pixels))
  guard (try? ImageFile(decoding: written))?.image == image else {
    fatalError("PNG changes an image of \(image.width) x \(image.height)")
  }
  return 0
}
