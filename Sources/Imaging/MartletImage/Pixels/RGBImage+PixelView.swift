//===--- RGBImage+PixelView.swift - any format to packed RGB --------------===//
//
// Contract  Alpha is ignored: not composited, not divided out. The usual frameworks do the same
//           before a network, and there is no background to composite on. Gray is copied to all
//           three channels. Chroma of 4:2:0 is repeated over its 2 x 2 pixels without
//           interpolation, as in libyuv and OpenCV.
// Cost      One pass; allocates only the result.
//===----------------------------------------------------------------------===//

extension RGBImage {
  /// Converts a buffer of any format to packed RGB; alpha is ignored.
  public init(_ buffer: PixelBuffer) {
    self = buffer.withView { RGBImage($0) }
  }

  /// Converts borrowed pixels of any format to packed RGB; alpha is ignored.
  public init(_ view: PixelView) {
    unsafe self.init(checkedSize: view.size) { output in
      let rowBytes = view.size.width * RGBImage.channels
      for y in 0..<view.size.height { unsafe view.convertRow(y, into: output + y * rowBytes) }
    }
  }
}

extension PixelView {
  /// Writes row `y` as packed RGB to `output`, which must have room for it. Rows of the view have as
  /// many bytes as their format needs for the width.
  fileprivate func convertRow(_ y: Int, into output: UnsafeMutablePointer<UInt8>) {
    let first = unsafe row(y, ofPlane: 0)
    switch format {
    case .rgb: unsafe output.update(from: first, count: size.width * 3)
    case .bgr: unsafe gather(first, pixelBytes: 3, red: 2, green: 1, blue: 0, into: output)
    case .rgba: unsafe gather(first, pixelBytes: 4, red: 0, green: 1, blue: 2, into: output)
    case .bgra: unsafe gather(first, pixelBytes: 4, red: 2, green: 1, blue: 0, into: output)
    case .argb: unsafe gather(first, pixelBytes: 4, red: 1, green: 2, blue: 3, into: output)
    case .gray: unsafe gather(first, pixelBytes: 1, red: 0, green: 0, blue: 0, into: output)
    case .nv12(let range):
      let chroma = unsafe row(y / 2, ofPlane: 1)
      unsafe YCbCrMatrix(range).convert(
        luma: first, blue: chroma, red: chroma + 1, chromaStep: 2, count: size.width, into: output)
    case .nv21(let range):
      let chroma = unsafe row(y / 2, ofPlane: 1)
      unsafe YCbCrMatrix(range).convert(
        luma: first, blue: chroma + 1, red: chroma, chromaStep: 2, count: size.width, into: output)
    case .i420(let range):
      unsafe YCbCrMatrix(range).convert(
        luma: first, blue: row(y / 2, ofPlane: 1), red: row(y / 2, ofPlane: 2), chromaStep: 1,
        count: size.width, into: output)
    }
  }

  /// Copies three bytes of each pixel of a row, at the given offsets, which are below `pixelBytes`.
  @inline(__always)
  private func gather(
    _ input: UnsafePointer<UInt8>, pixelBytes: Int, red: Int, green: Int, blue: Int,
    into output: UnsafeMutablePointer<UInt8>
  ) {
    for x in 0..<size.width {
      let pixel = unsafe input + x &* pixelBytes
      unsafe output[x &* 3] = pixel[red]
      unsafe output[x &* 3 &+ 1] = pixel[green]
      unsafe output[x &* 3 &+ 2] = pixel[blue]
    }
  }
}
