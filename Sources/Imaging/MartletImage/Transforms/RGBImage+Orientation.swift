//===--- RGBImage+Orientation.swift - turning images upright --------------===//
//
// Cost      One pass that writes in order; allocates only the result, and nothing for `up`.
//===----------------------------------------------------------------------===//

extension RGBImage {
  /// The upright image of one stored with `orientation`.
  public func upright(from orientation: ImageOrientation) -> RGBImage {
    if orientation == .up { return self }
    let result = orientation.upright(size)
    let columnStep = orientation.mirrorsStoredColumns ? -3 : 3
    let rowStep = (orientation.mirrorsStoredRows ? -3 : 3) * width
    let firstColumn = orientation.mirrorsStoredColumns ? (width - 1) * 3 : 0
    let firstRow = orientation.mirrorsStoredRows ? (height - 1) * width * 3 : 0
    let across = orientation.swapsAxes ? rowStep : columnStep
    let down = orientation.swapsAxes ? columnStep : rowStep
    // The steps visit each stored pixel once.
    return unsafe pixels.withUnsafeBufferPointer { input in
      unsafe RGBImage(checkedSize: result) { output in
        for y in 0..<result.height {
          var source = firstRow + firstColumn + y * down
          var target = y * result.width * 3
          for _ in 0..<result.width {
            unsafe output[target] = input[source]
            unsafe output[target &+ 1] = input[source &+ 1]
            unsafe output[target &+ 2] = input[source &+ 2]
            source &+= across
            target &+= 3
          }
        }
      }
    }
  }
}
