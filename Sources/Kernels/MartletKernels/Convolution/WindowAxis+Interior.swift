//===--- WindowAxis+Interior.swift - outputs without padding --------------===//

import MartletBase

extension WindowAxis {
  /// The distance from the first to the last tap of a window, plus one.
  var span: Int { (filter - 1) * dilation + 1 }

  /// The outputs whose windows lie completely within the image.
  var interior: Range<Int> {
    let first = min((border + stride - 1) / stride, output)
    guard input + border >= span else { return first..<first }
    return first..<max(min((input + border - span) / stride + 1, output), first)
  }
}
