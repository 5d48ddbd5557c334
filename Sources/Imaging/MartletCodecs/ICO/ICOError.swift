//===--- ICOError.swift - errors of the icon decoder ----------------------===//

/// Why bytes could not be decoded as an icon or a cursor. Offsets count bytes from the start of the
/// file.
@nonexhaustive
public enum ICOError: Error, Equatable, Sendable {
  /// `count` bytes at `offset` exceed the file.
  case truncated(offset: Int, count: Int, fileSize: Int)
  /// The file has no image.
  case empty
  /// The mask at `offset` of the image exceeds the file.
  case missingMask(offset: Int)
  /// The PNG image is damaged; its offsets count from the image.
  case png(PNGError)
  /// The BMP image is damaged; its offsets count from 14 bytes before the image.
  case bmp(BMPError)
}

extension ICOError: CustomStringConvertible {
  /// One sentence with the position, and what was found and expected.
  public var description: String {
    switch self {
    case .truncated(let offset, let count, let fileSize):
      "The icon of \(fileSize) bytes ends before the \(count) bytes at \(offset)."
    case .empty: "The icon has no image."
    case .missingMask(let offset):
      "The mask at byte \(offset) of the icon's image exceeds the file."
    case .png(let error): "\(error)"
    case .bmp(let error): "\(error)"
    }
  }
}
