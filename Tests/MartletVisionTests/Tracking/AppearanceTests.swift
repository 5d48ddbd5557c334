import MartletImage
import Testing

@testable import MartletVision

@Suite struct AppearanceTests {
  /// Left half red, right half blue.
  private func image() throws -> RGBImage {
    var image = try RGBImage(
      width: 64, height: 48, filledWith: .init(red: 220, green: 20, blue: 30))
    for y in 0..<48 {
      for x in 32..<64 { image[x, y] = .init(red: 20, green: 40, blue: 220) }
    }
    return image
  }

  private let left = Box(x: 2, y: 4, width: 20, height: 30)
  private let right = Box(x: 40, y: 4, width: 20, height: 30)
  private let middle = Box(x: 22, y: 4, width: 20, height: 30)

  @Test func sameColorsAreAlikeAndOthersAreNot() throws {
    let reader = AppearanceReader(try image(), features: nil)
    let red = reader.appearance(of: left)
    #expect(abs(red.similarity(to: reader.appearance(of: left.offset(x: 4, y: 8))) - 1) < 1e-5)
    #expect(red.similarity(to: reader.appearance(of: right)) == 0)
    // Half of the inner three quarters is red: the cosine is the root of one half.
    #expect(abs(red.similarity(to: reader.appearance(of: middle)) - Float(0.5).squareRoot()) < 0.05)
  }

  @Test func learnedAppearanceMovesTowardsTheNewOne() throws {
    let reader = AppearanceReader(try image(), features: nil)
    var appearance = reader.appearance(of: left)
    let blue = reader.appearance(of: right)
    for _ in 0..<50 { appearance.learn(blue, rate: 0.1) }
    #expect(appearance.similarity(to: blue) > 0.99)
    #expect(abs(appearance.similarity(to: appearance) - 1) < 1e-5)
  }

  @Test(arguments: [
    Box(x: -50, y: -50, width: 10, height: 10), Box(x: 900, y: 900, width: 10, height: 10),
    Box(x: 3, y: 3, width: 0, height: 0), Box(x: -1e9, y: -1e9, width: 2e9, height: 2e9),
    Box(x: .nan, y: 3, width: 5, height: .nan),
  ])
  func anyBoxHasAnAppearanceOfUnitLength(_ box: Box) throws {
    var features = FeatureMap()
    let bytes = (0..<2 * 3 * 16).map { UInt8(truncatingIfNeeded: $0 * 37) }
    bytes.withUnsafeBytes { _ = features.read($0, rows: 2, columns: 3, channels: 16) }
    for map in [nil, features] {
      let appearance = AppearanceReader(try image(), features: map).appearance(of: box)
      #expect(appearance.similarity(to: appearance) <= 1.0001)
      #expect(appearance.similarity(to: appearance) > 0.49)
    }
  }

  @Test func featuresAreMeansMinusThoseOfTheFrame() {
    var features = FeatureMap()
    // Channel 0 is the column, channel 1 is twice the row, in 3 columns and 2 rows.
    let bytes: [UInt8] = [0, 0, 1, 0, 2, 0, 0, 2, 1, 2, 2, 2]
    let isRead = bytes.withUnsafeBytes { features.read($0, rows: 2, columns: 3, channels: 2) }
    #expect(isRead)
    var found: [Float] = []
    let size = ImageSize(width: 30, height: 20)
    // The lower right 2 x 1 cells: sums 3 and 4; of a third of all sums 6 and 6.
    features.forEachMean(of: Box(x: 10, y: 10, width: 20, height: 10), in: size) {
      found.append($1)
    }
    #expect(found == [1, 2])
  }

  @Test func wrongNumberOfFeaturesIsRefused() {
    var features = FeatureMap()
    let isRead = [UInt8](repeating: 1, count: 5).withUnsafeBytes {
      features.read($0, rows: 2, columns: 3, channels: 1)
    }
    #expect(!isRead)
  }
}
