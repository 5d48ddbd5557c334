//===--- RGBImage+Planes.swift - luma and chroma planes -------------------===//
//
// Conversion from and to video planes: one of luma, and two of chroma, which may be subsampled.
//
//   Y  = o + c·( 0.299·R + 0.587·G + 0.114·B)             c = 219/255, o = 16
//   Cb = 128 + d·(-0.168736·R - 0.331264·G + 0.5·B)       d = 224/255
//   Cr = 128 + d·( 0.5·R - 0.418688·G - 0.081312·B)
//
// Contract  To RGB as in YCbCrMatrix, with each chroma sample repeated over its pixels. From RGB in
//           the video range: coefficients are in 1/65536. Chroma comes from the mean of 2 x 2
//           pixels, halves rounded up, or of those in the image at an odd edge. Each sum is rounded
//           once, halves up.
// Cost      One pass.
//===----------------------------------------------------------------------===//

import MartletBase

extension RGBImage {
  /// The image of a luma plane and two chroma planes that follow each other without a gap. A chroma
  /// sample covers (1 << `columnShift`) x (1 << `rowShift`) pixels.
  ///
  /// - Precondition: `planes` has enough bytes, and the size is valid.
  package init(
    size: ImageSize, planes: [UInt8], columnShift: Int, rowShift: Int, range: LumaRange
  ) {
    let chromaWidth = (size.width + 1 << columnShift - 1) >> columnShift
    let chromaHeight = (size.height + 1 << rowShift - 1) >> rowShift
    let chromaCount = chromaWidth * chromaHeight
    precondition(planes.count >= size.pixelCount + 2 * chromaCount, "the planes are there")
    let matrix = YCbCrMatrix(range)
    // The planes have the bytes of each row, as checked above.
    unsafe self.init(checkedSize: size) { output in
      unsafe planes.withUnsafeBufferPointer { planes in
        guard let base = planes.baseAddress else { return }
        for y in 0..<size.height {
          let luma = unsafe base + y * size.width
          let blue = unsafe base + size.pixelCount + (y >> rowShift) * chromaWidth
          let red = unsafe blue + chromaCount
          let row = unsafe output + y * size.width * RGBImage.channels
          if columnShift == 1 {
            unsafe matrix.convert(
              luma: luma, blue: blue, red: red, chromaStep: 1, count: size.width, into: row)
          } else {
            for x in 0..<size.width {
              unsafe matrix.convert(
                luma: luma + x, blue: blue + x >> columnShift, red: red + x >> columnShift,
                chromaStep: 1, count: 1, into: row + x * RGBImage.channels)
            }
          }
        }
      }
    }
  }

  /// The planes of luma, Cb and Cr in the video range; chroma has half the columns and rows,
  /// rounded up.
  package var halvedChromaPlanes: [UInt8] {
    let chromaWidth = (width + 1) / 2
    let chromaHeight = (height + 1) / 2
    var planes = [UInt8](
      repeating: 0, count: size.pixelCount + 2 * chromaWidth * chromaHeight)
    let pixels = pixels.span
    for index in 0..<size.pixelCount {
      let sum =
        16829 * Int(pixels[3 * index]) + 33039 * Int(pixels[3 * index + 1])
        + 6416 * Int(pixels[3 * index + 2])
      planes[index] = UInt8(16 + (sum + 32768) >> 16)
    }
    for y in 0..<chromaHeight {
      for x in 0..<chromaWidth {
        let (red, green, blue) = meanOfSquare(pixels, x, y)
        let cb = 28784 * blue - 9714 * red - 19070 * green
        let cr = 28784 * red - 24103 * green - 4681 * blue
        let index = size.pixelCount + y * chromaWidth + x
        planes[index] = UInt8(128 + (cb + 32768) >> 16)
        planes[index + chromaWidth * chromaHeight] = UInt8(128 + (cr + 32768) >> 16)
      }
    }
    return planes
  }

  /// The mean of the 2 x 2 pixels at (2x, 2y), or of those that are in the image.
  private func meanOfSquare(_ pixels: Span<UInt8>, _ x: Int, _ y: Int) -> (Int, Int, Int) {
    var sum: SIMD4<Int> = [0, 0, 0, 0]
    for row in (2 * y)...min(2 * y + 1, height - 1) {
      for column in (2 * x)...min(2 * x + 1, width - 1) {
        let start = 3 * (row * width + column)
        sum &+= [Int(pixels[start]), Int(pixels[start + 1]), Int(pixels[start + 2]), 1]
      }
    }
    func mean(_ channel: Int) -> Int { (sum[channel] + sum[3] / 2) / sum[3] }
    return (mean(0), mean(1), mean(2))
  }
}
