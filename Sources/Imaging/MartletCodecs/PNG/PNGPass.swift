//===--- PNGPass.swift - passes of Adam7 ----------------------------------===//
//
// An interlaced image is stored as seven images, each with every dx-th column and dy-th row from
// (x, y) on. Other images are a single pass. A pass without pixels has no bytes, not even filter
// types.
//
// Source    PNG (third edition) section 8.2
//===----------------------------------------------------------------------===//

/// Pixels of an image that are stored together: those at `(x + i * dx, y + j * dy)`.
struct PNGPass {
  let x, y, dx, dy: Int
  /// The number of columns and rows, both positive.
  let width, height: Int

  private init?(x: Int, y: Int, dx: Int, dy: Int, in header: PNGHeader) {
    width = (header.width - x + dx - 1) / dx
    height = (header.height - y + dy - 1) / dy
    guard width > 0, height > 0 else { return nil }
    (self.x, self.y, self.dx, self.dy) = (x, y, dx, dy)
  }

  /// The passes of an image that have pixels, in file order.
  static func all(of header: PNGHeader) -> [PNGPass] {
    let grids =
      header.isInterlaced
      ? [
        (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2),
        (0, 1, 1, 2),
      ] : [(0, 0, 1, 1)]
    return grids.compactMap { x, y, dx, dy in PNGPass(x: x, y: y, dx: dx, dy: dy, in: header) }
  }
}
