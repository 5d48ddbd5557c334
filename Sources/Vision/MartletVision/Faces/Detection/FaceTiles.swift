//===--- FaceTiles.swift - small faces, enlarged in one input -------------===//
//
// The surroundings of small faces fill the squares of one input of the detector, so that one run examines
// them all.
//
// Contract  A square is half as high or wide as the input's shorter side. Faces are added in their order,
//           as long as there is room, if they get larger.
//===----------------------------------------------------------------------===//

internal import MartletImage

/// Enlarged parts of an image in one input of a detector.
struct FaceTiles {
  private struct Tile {
    /// The square in the input, and what it shows of the image.
    let place, part: PixelRectangle
    /// Pixels of the image per pixel of the input.
    let scale: Float
  }

  /// The input.
  private(set) var pixels: RGBImage
  private let image: RGBImage
  private let side: Int
  private var tiles: [Tile] = []

  /// An input of this size without parts of `image`.
  ///
  /// - Throws: `VisionError.image` if the size is invalid.
  init(of image: RGBImage, in size: ImageSize) throws(VisionError) {
    self.image = image
    side = min(size.width, size.height) / 2
    pixels = try RGBImage.black(size)
  }

  var isEmpty: Bool { tiles.isEmpty }

  /// Adds the surroundings of a face, if there is room and they show more than an input with `scale` pixels of
  /// the image per pixel.
  mutating func add(_ face: Box, scale: Float) throws(VisionError) {
    let columns = pixels.width / max(side, 1)
    let (row, column) = tiles.count.quotientAndRemainder(dividingBy: max(columns, 1))
    let place = PixelRectangle(x: column * side, y: row * side, width: side, height: side)
    let room = FaceCrop.room * max(face.width, face.height)
    let around = Box(center: face.center, width: room, height: room)
    guard place.isInside(pixels.size), room < scale * Float(side),
      let part = PixelRectangle(covering: around, in: image.size)
    else { return }
    tiles.append(
      Tile(place: place, part: part, scale: try pixels.draw(part, of: image, in: place)))
  }

  /// The candidates that a detector finds in this input, in pixels of the image.
  func faces(_ candidates: [FaceCandidate]) -> [FaceCandidate] {
    tiles.flatMap { tile in
      candidates.filter { tile.place.box.contains($0.box.center) }.map { candidate in
        candidate.mapped { point in
          Point(
            x: (point.x - Float(tile.place.x)) * tile.scale + Float(tile.part.x),
            y: (point.y - Float(tile.place.y)) * tile.scale + Float(tile.part.y))
        }
      }
    }
  }
}
