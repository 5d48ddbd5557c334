import Foundation
import MartletTestSupport

@testable import MartletImage

/// Results of Pillow, OpenCV and NumPy for small images: Tests/Fixtures/Image/golden.json.
struct Golden: Decodable, Sendable {
  struct GoldenImage: Decodable, Sendable {
    var width: Int
    var height: Int
    var pixels: Data
  }

  struct Resize: Decodable, Sendable {
    struct Case: Decodable, Sendable {
      var box: [Float]
      var width: Int
      var height: Int
      var antialiased: Data
      var area: Data
      var bilinear: Data
      var cvLinear: Data?
      var cvArea: Data?
    }
    var width: Int
    var height: Int
    var pixels: Data
    var cases: [Case]
  }

  struct Large: Decodable, Sendable {
    var width: Int
    var height: Int
    var fnv1a: String
  }

  struct Orientation: Decodable, Sendable {
    struct Case: Decodable, Sendable {
      var orientation: Int
      var width: Int
      var height: Int
      var pixels: Data
    }
    var width: Int
    var height: Int
    var pixels: Data
    var cases: [Case]
  }

  struct Color: Decodable, Sendable {
    var width: Int
    var height: Int
    var luma: Data
    var cb: Data
    var cr: Data
    var video: Data
    var full: Data
  }

  struct Normalization: Decodable, Sendable {
    var width: Int
    var height: Int
    var pixels: Data
    var floats: Data
  }

  var resize: Resize
  var large: Large
  var orientation: Orientation
  var color: Color
  var normalization: Normalization

  static let shared: Golden = {
    let file = Fixtures.folder("Image/golden.json")
    do {
      return try JSONDecoder().decode(Golden.self, from: Data(contentsOf: file))
    } catch {
      fatalError("Tests/Fixtures/Image/golden.json: \(error)")
    }
  }()
}

/// An image with these bytes.
func image(_ width: Int, _ height: Int, _ pixels: some Sequence<UInt8>) throws -> RGBImage {
  try RGBImage(width: width, height: height, pixels: Array(pixels))
}

/// The largest difference between two byte lists of equal length.
func largestDifference(_ a: [UInt8], _ b: some Sequence<UInt8>) -> Int {
  zip(a, b).map { abs(Int($0) - Int($1)) }.max() ?? 0
}
