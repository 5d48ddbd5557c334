//===--- AnnotatedFilm.swift - where annotated frames go ------------------===//
//
// A folder of PNGs, or a YUV4MPEG2 film in a file or on standard output.
//
// Contract  A film's frames have one size; another one is an error of that frame.
// Checked   Tests/MartletToolTests/TrackCommandTests.swift
//===----------------------------------------------------------------------===//

import MartletCodecs
import MartletCommandLine

/// Why a frame could not be written.
enum AnnotatedFilmError: Error, Equatable {
  case sizeChanged(width: Int, height: Int, film: ImageSize)
}

extension AnnotatedFilmError: CustomStringConvertible {
  var description: String {
    switch self {
    case .sizeChanged(let width, let height, let film):
      """
      a frame of \(width) x \(height) pixels does not go into an annotated film of \
      \(film.width) x \(film.height)
      """
    }
  }
}

/// Writes annotated frames, one after another.
struct AnnotatedFilm {
  private enum Destination {
    case folder(OutputPaths)
    case film(OpenFile, size: ImageSize?)
  }

  private var destination: Destination
  private let rate: (numerator: Int, denominator: Int)
  /// Whether frames are named by their number, not by their file.
  private let isNumbered: Bool
  /// The files that are not written over.
  private let inputs: Set<FileIdentity>

  /// A destination for the frames of `source`.
  init(_ path: String, of source: FilmSource) throws(FileError) {
    rate = source.rate
    isNumbered = source.isOneFile
    inputs = Files.identities(source.files)
    if path == "-" || path.hasSuffix(".y4m") {
      destination = .film(try OpenFile(writing: path, sparing: inputs), size: nil)
    } else {
      destination = .folder(OutputPaths(folder: path))
    }
  }

  /// Adds a frame.
  mutating func add(_ picture: RGBImage, name: String, number: Int) throws {
    switch destination {
    case .folder(var paths):
      let digits = String(number)
      let padded = String(repeating: "0", count: max(6 - digits.count, 0)) + digits
      defer { destination = .folder(paths) }
      try paths.write(picture, for: isNumbered ? padded + ".png" : name, sparing: inputs)
    case .film(let file, let size):
      if let size, size != picture.size {
        throw AnnotatedFilmError.sizeChanged(
          width: picture.width, height: picture.height, film: size)
      }
      if size == nil {
        try file.append(Y4MWriter.header(Y4MHeader(size: picture.size, rate: rate)))
        destination = .film(file, size: picture.size)
      }
      try file.append(Y4MWriter.frame(picture))
    }
  }
}
