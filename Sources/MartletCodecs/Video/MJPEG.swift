//===--- MJPEG.swift - JPEG pictures one after another --------------------===//
//
// Contract  A picture reaches from its start-of-image marker to the end-of-image marker behind its
//           scans, or to the next start where that lacks; thumbnails inside segments are no pictures.
//           What lies between pictures (the headers of a web camera's parts) is passed over. A picture passes no limit of bytes, and
//           one that the film breaks off is an error.
// Cost      Memory for one picture.
// Source    ITU-T T.81, annex B
// Checked   Tests/MartletCodecsTests/MJPEGTests.swift
//===----------------------------------------------------------------------===//

public import MartletImage

/// Why a picture of a film of JPEG pictures could not be read.
public enum MJPEGError: Error, Equatable, Sendable {
  /// The picture at `offset` is damaged; offsets inside count from there.
  case picture(offset: Int, JPEGError)
  /// The picture at `offset` does not end within the film, or within `limit` bytes.
  case unending(offset: Int, limit: Int)
  /// There is no picture in the film.
  case empty
  /// The decoded picture passes a limit.
  case image(ImageError)
}

extension MJPEGError: CustomStringConvertible {
  /// The failure as one sentence.
  public var description: String {
    switch self {
    case .picture(let offset, let error): "the picture at byte \(offset): \(error)"
    case .unending(let offset, let limit):
      "the picture at byte \(offset) does not end within the film or \(limit) bytes"
    case .empty: "there is no JPEG picture in the film"
    case .image(let error): "\(error)"
    }
  }
}

/// Reads a film picture by picture.
public struct MJPEGReader {
  /// The most bytes that a picture may have.
  static let largestPicture = 1 << 28

  private var source: ByteSource
  private let limits: ImageLimits
  private var isEmpty = true

  /// A reader of the pictures in `source`, each within `limits`.
  public init(_ source: ByteSource, limits: ImageLimits = .init()) {
    self.source = source
    self.limits = limits
  }

  /// The next picture, upright, or `nil` at the end. After an error the next call goes on behind
  /// the picture that could not be read.
  public mutating func next() throws(MJPEGError) -> RGBImage? {
    guard skipToPicture() else {
      guard isEmpty else { return nil }
      isEmpty = false
      throw .empty
    }
    isEmpty = false
    let offset = source.offset
    guard let length = pictureLength() else {
      _ = source.take(2)
      throw .unending(offset: offset, limit: MJPEGReader.largestPicture)
    }
    let bytes = source.take(length)
    let raster: Raster
    do throws(JPEGError) {
      raster = try JPEG.decodeFrame(of: bytes, at: 0, limits: limits).raster
    } catch { throw .picture(offset: offset, error) }
    do throws(ImageError) {
      let image = try RGBImage(width: raster.width, height: raster.height, pixels: raster.rgb)
      return image.upright(from: ImageOrientation(rawValue: raster.orientation) ?? .up)
    } catch { throw .image(error) }
  }

  /// Passes over what is before the next picture; false at the end.
  private mutating func skipToPicture() -> Bool {
    while let byte = source.peek() {
      if byte == 0xFF, source.peek(1) == JPEGMarker.startOfImage { return true }
      _ = source.take(1)
    }
    return false
  }

  /// The bytes from a start-of-image marker to the end of its picture; `nil` where there is none.
  private mutating func pictureLength() -> Int? {
    var index = 2
    while index < MJPEGReader.largestPicture {
      guard let first = source.peek(index), let code = source.peek(index + 1) else { return nil }
      if first != 0xFF || code == 0 || code == 0xFF {
        // Coded samples, a stuffed byte, or a fill byte.
        index += first == 0xFF && code == 0 ? 2 : 1
      } else if code == JPEGMarker.endOfImage {
        return index + 2
      } else if code == JPEGMarker.startOfImage {
        // The picture before lacks its end.
        return index
      } else if JPEGMarker.isStandalone(code) {
        index += 2
      } else {
        guard let high = source.peek(index + 2), let low = source.peek(index + 3) else {
          return nil
        }
        index += 2 + Int(high) << 8 + Int(low)
      }
    }
    return nil
  }
}
