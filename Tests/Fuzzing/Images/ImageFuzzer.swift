//===--- ImageFuzzer.swift - fuzzes image files ---------------------------===//
//
// A libFuzzer target: the bytes of an image file, decoded with the default limits.
//
// Oracles   No trap, no access outside the memory, no use beyond the limits. Decoding all pixels, and
//           as many as detectors examine, takes no longer than TimeBound. Of images of at most a
//           million pixels, three workers decode the same pixels as one, also of a reduced image, which has the same full
//           size and, unless it is a JPEG, equals the full one, averaged. The decoded image survives
//           encoding to PNG and decoding. A JPEG file that can be drawn on keeps its pixels without a
//           drawing, and is intact with one.
// Run       .ci/fuzz images, or the name of a format
//===----------------------------------------------------------------------===//

import MartletBase
import MartletCodecs
import MartletImage

/// Runs the chunks of three workers sequentially, last first, so that findings are reproducible.
private let threeWorkers = Workers(count: 3) { chunks, body in
  for index in (0..<chunks).reversed() { body(index) }
}

/// The means of squares of 8 pixels a side.
private func means(_ image: RGBImage) -> [UInt8] {
  var means: [UInt8] = []
  for top in stride(from: 0, to: image.height, by: 8) {
    for left in stride(from: 0, to: image.width, by: 8) {
      let rows = top..<min(top + 8, image.height)
      let columns = left..<min(left + 8, image.width)
      let count = rows.count * columns.count
      for channel in 0..<3 {
        var sum = count / 2
        for y in rows {
          for x in columns { sum += Int(image.pixels[3 * (y * image.width + x) + channel]) }
        }
        means.append(UInt8(sum / count))
      }
    }
  }
  return means
}

/// The most pixels of an image that is decoded several times.
private let largestComparison = 1 << 20

/// The pixels of a file that cannot be decoded may be any: those of the largest file.
private let largestFile = 1 << 28

/// Decodes within the bound of time.
private func timed(_ bytes: [UInt8], minimumSide: Int? = nil) -> ImageFile? {
  TimeBound.check(bytes.count) {
    try? ImageFile(decoding: bytes, minimumSide: minimumSide)
  } pixels: {
    $0.map { $0.fullSize.width * $0.fullSize.height } ?? largestFile
  }
}

/// Tests one input.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ data: UnsafePointer<UInt8>, _ size: Int) -> CInt {
  let bytes = [UInt8](UnsafeBufferPointer(start: data, count: size))
  let one = timed(bytes)
  let detected = timed(bytes, minimumSide: ImageFile.detectionSide)
  if let size = (one ?? detected)?.fullSize, size.width * size.height <= largestComparison {
    compare(bytes, one)
  }
  return 0
}

/// Compares an image with what other ways of decoding and encoding return.
private func compare(_ bytes: [UInt8], _ one: ImageFile?) {
  let three = try? ImageFile(decoding: bytes, workers: threeWorkers)
  guard one?.image == three?.image, one?.orientation == three?.orientation else {
    fatalError("three workers decode a different image than one")
  }
  let reduced = try? ImageFile(decoding: bytes, minimumSide: 1)
  let parallel = try? ImageFile(decoding: bytes, minimumSide: 1, workers: threeWorkers)
  guard reduced?.image == parallel?.image, one == nil || reduced?.fullSize == one?.fullSize else {
    fatalError("a reduced image differs by workers or in its full size")
  }
  if let reduced, reduced.image.size != reduced.fullSize, bytes[0] != 0xFF {
    let full = try? ImageFile(decoding: bytes, convertsColors: false)
    let plain = try? ImageFile(decoding: bytes, minimumSide: 1, convertsColors: false)
    if let full, let plain, plain.image.pixels != means(full.image) {
      fatalError("a reduced image differs from the means of the full one")
    }
  }
  guard let image = one?.upright else { return }
  let written = PNG.encode(
    Raster(width: image.width, height: image.height, channels: 3, samples: image.pixels))
  guard (try? ImageFile(decoding: written))?.image == image else {
    fatalError("PNG changes an image of \(image.width) x \(image.height)")
  }
  checkDrawing(on: bytes, image)
}

/// Draws nothing on a JPEG file, then a rectangle.
private func checkDrawing(on bytes: [UInt8], _ image: RGBImage) {
  var drawing = Drawing(on: image.size)
  guard let same = JPEG.redrawn(bytes, with: drawing) else { return }
  guard (try? ImageFile(decoding: same, isStrict: true))?.upright == image else {
    fatalError("drawing nothing changes the pixels")
  }
  let color = RGBImage.Color(red: 255, green: 0, blue: 40)
  drawing.fill(
    columns: image.width / 3..<image.width, rows: image.height / 3..<image.height, color: color)
  guard let drawn = JPEG.redrawn(bytes, with: drawing),
    let file = try? ImageFile(decoding: drawn, isStrict: true), file.upright.size == image.size
  else { fatalError("drawing damages the file") }
}
