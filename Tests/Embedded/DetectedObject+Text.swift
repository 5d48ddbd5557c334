//===--- DetectedObject+Text.swift - objects as JSON ----------------------===//
//
// The part of the tool's JSON from an object's box to its category, without Foundation.
//===----------------------------------------------------------------------===//

import MartletVision

/// `value`, which is not negative, with at most `places` decimals, rounded as the tool does.
private func decimal(_ value: Float, _ places: Int) -> String {
  var factor = 1
  for _ in 0..<places { factor *= 10 }
  let (whole, rest) = Int((Double(value) * Double(factor)).rounded())
    .quotientAndRemainder(dividingBy: factor)
  var digits = String(rest)
  digits = String(repeating: "0", count: places - digits.utf8.count) + digits
  while digits.utf8.last == UInt8(ascii: "0") { digits.removeLast() }
  return String(whole) + (digits.isEmpty ? "" : "." + digits)
}

extension DetectedObject {
  /// The box, the score and the category, as in the tool's JSON.
  var text: String {
    var text = #"{"x":"# + decimal(frame.x, 2) + #","y":"# + decimal(frame.y, 2)
    text += #","width":"# + decimal(frame.width, 2) + #","height":"# + decimal(frame.height, 2)
    text += #"},"score":"# + decimal(score, 4) + #","trackingID":null,"category":""#
    return text + (category?.name ?? "") + "\""
  }
}
