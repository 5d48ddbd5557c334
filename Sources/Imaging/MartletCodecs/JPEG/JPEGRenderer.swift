//===--- JPEGRenderer.swift - coefficients to pixels ----------------------===//
//
// Contract  Bands are transformed in order. A band is converted to pixels before the band two after
//           it is transformed. The last row of a band waits for the next band, because upsampling
//           blends it with that band's first samples.
// Order     A row's pixels depend only on samples: the timing does not affect the result.
// Cost      The samples of a band stay in the second-level cache.
//===----------------------------------------------------------------------===//

import MartletBase

/// Renders an image from its components. It is safe to keep during the call that lends the memory of
/// the pixels.
@safe final class JPEGRenderer {
  private let bands: JPEGBands
  private let components: [JPEGComponent]
  private let upsamplers: [JPEGUpsampler]
  private let converter: JPEGColorConverter
  private let pixels: UnsafeMutablePointer<UInt8>
  private let rowBytes: Int
  private let height: Int
  /// The number of image rows per band.
  private let bandHeight: Int

  /// A renderer that writes to `pixels`, which must hold the whole image.
  init(
    _ frame: JPEGFrame, _ bands: JPEGBands, _ components: [JPEGComponent], _ color: JPEGColor,
    to pixels: UnsafeMutablePointer<UInt8>
  ) {
    self.bands = bands
    self.components = components
    upsamplers = components.map { JPEGUpsampler($0, frame) }
    converter = JPEGColorConverter(color: color, width: frame.decodedWidth)
    unsafe self.pixels = pixels
    rowBytes = frame.decodedWidth * color.channels
    height = frame.decodedHeight
    bandHeight = bands.unitLines * frame.blockSide * frame.verticalMaximum
  }

  /// Renders the image from coefficients that are all in memory.
  func render(_ work: DecodingWork) {
    render(work, clearing: false) { _ in }
  }

  /// Renders the image while `read` decodes the coefficients of each band, which are cleared
  /// afterwards.
  func render(_ work: DecodingWork, reading read: (_ band: Int) -> Void) {
    render(work, clearing: true, reading: read)
  }

  private func render(_ work: DecodingWork, clearing: Bool, reading read: (_ band: Int) -> Void) {
    for step in 0..<bands.count + 2 {
      guard work.charge(bandHeight * rowBytes) else { return }
      work.workers.perform(3) { stage in
        switch stage {
        case 0: if step < bands.count { read(step) }
        case 1: transform(band: step - 1, clearing: clearing)
        default: convert(band: step - 2)
        }
      }
    }
  }

  private func transform(band: Int, clearing: Bool) {
    guard (0..<bands.count).contains(band) else { return }
    for component in components {
      let lines = bands.unitLines * component.specification.vertical
      let end = min((band + 1) * lines, component.paddedBlockLines)
      component.transform(lines: band * lines..<end, clearing: clearing)
    }
  }

  private func convert(band: Int) {
    guard (0..<bands.count).contains(band) else { return }
    let start = max(band * bandHeight - 1, 0)
    let end = band == bands.count - 1 ? height : (band + 1) * bandHeight - 1
    // These rows are in the image, and bands have as many rows of samples.
    for y in start..<end {
      unsafe converter.convert(JPEGRows(upsamplers, y), to: pixels + y * rowBytes)
    }
  }
}

extension JPEGRows {
  /// The samples for row `y` of the image.
  fileprivate init(_ upsamplers: [JPEGUpsampler], _ y: Int) {
    unsafe first = upsamplers[0].samples(y)
    unsafe second = upsamplers.count > 1 ? upsamplers[1].samples(y) : first
    unsafe third = upsamplers.count > 2 ? upsamplers[2].samples(y) : first
    unsafe fourth = upsamplers.count > 3 ? upsamplers[3].samples(y) : first
  }
}
