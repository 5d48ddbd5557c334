import MartletImage
import MartletTestSupport

/// Synthetic frames: a textured wall that the camera pans over, with objects in front of it.
struct Scene {
  /// A checkered object, in pixels of the frame.
  struct Item {
    var box: Box
    var color: RGBImage.Color
  }

  var width = 160
  var height = 120
  /// The camera's position on the wall, in whole pixels.
  var camera = (x: 0, y: 0)
  var items: [Item] = []

  private static let side = 128
  /// Gray levels on a repeating grid of the wall.
  private static let wall: [Float] = {
    var random = SplitMix64(seed: 5)
    return (0..<(side * side)).map { _ in Float(random.next() % 160) + 40 }
  }()

  /// The wall's gray level at a position, interpolated between grid points five pixels apart.
  private static func level(_ x: Int, _ y: Int) -> Float {
    let (column, row) = ((x + 10_000) / 5, (y + 10_000) / 5)
    let (right, lower) = (Float((x + 10_000) % 5) / 5, Float((y + 10_000) % 5) / 5)
    func point(_ dx: Int, _ dy: Int) -> Float {
      wall[(row + dy) % side * side + (column + dx) % side]
    }
    return (point(0, 0) * (1 - right) + point(1, 0) * right) * (1 - lower)
      + (point(0, 1) * (1 - right) + point(1, 1) * right) * lower
  }

  var frame: RGBImage {
    get throws {
      var image = try RGBImage(
        width: width, height: height, filledWith: .init(red: 0, green: 0, blue: 0))
      for y in 0..<height {
        for x in 0..<width {
          let level = UInt8(Scene.level(x + camera.x, y + camera.y))
          image[x, y] = .init(red: level, green: level / 2 + 60, blue: 110)
          for item in items {
            let across = (Float(x) + 0.5 - item.box.x) / item.box.width
            let down = (Float(y) + 0.5 - item.box.y) / item.box.height
            guard across >= 0, across < 1, down >= 0, down < 1 else { continue }
            let isDark = (Int(across * 3) + Int(down * 4)) % 2 == 0
            image[x, y] = isDark ? item.color : .init(red: 250, green: 250, blue: 240)
          }
        }
      }
      return image
    }
  }
}
