//===--- VideoSource.swift - the frames that track is given ---------------===//
//
// A folder of numbered images, a YUV4MPEG2 video, or JPEG images one after another; the latter two
// are distinguished by their first bytes, from a file or from standard input.
//
// Contract  One frame is in memory at a time, with its warnings. Images of a folder come by the
//           numbers in their names, 10 behind 9. One that cannot be read is reported and the others go
//           on; so it is with a JPEG image of a video. A video of JPEG images may begin in the
//           middle of one.
// Checked   Tests/MartletToolTests/TrackCommandTests.swift
//===----------------------------------------------------------------------===//

import MartletCodecs
import MartletCommandLine
import MartletDigest

/// Why a source is no video.
enum VideoError: Error, Equatable {
  case noImages
  case unknownFormat(firstBytes: [UInt8])
}

extension VideoError: CustomStringConvertible {
  var description: String {
    switch self {
    case .noImages: "there is no image in the folder"
    case .unknownFormat(let bytes):
      if bytes.isEmpty {
        "the video is empty"
      } else if let format = FileSignature.of(bytes) {
        """
        the source is \(format.name), a folder of images, a YUV4MPEG2 video or JPEG images one \
        after another expected; ffmpeg -i FILE -f yuv4mpegpipe -pix_fmt yuv420p - | martlet track - \
        takes any video
        """
      } else {
        "no video begins with the bytes \(bytes.prefix(4).map { String($0) }.joined(separator: " "))"
      }
    }
  }
}

/// Frames, one after another.
struct VideoSource {
  private enum Kind {
    case folder(paths: [String])
    case y4m(Y4MReader)
    case mjpeg(MJPEGReader)
  }

  private let path: String
  private let limits: ImageLimits
  private let isStrict: Bool
  private var kind: Kind
  private var index = -1
  /// Damage met by the last call of `next()` despite which it went on.
  private(set) var warnings: [DecodingWarning] = []
  /// Frames a second as the video says, or 25.
  let rate: (numerator: Int, denominator: Int)

  /// - Parameter isStrict: Whether damage that would be a warning is an error.
  init(_ path: String, limits: ImageLimits, isStrict: Bool = false) throws {
    self.path = path
    self.limits = limits
    self.isStrict = isStrict
    var rate = (numerator: 0, denominator: 0)
    if path != "-", Files.isFolder(path) {
      let names = try Files.list(path).filter(ImageFormat.isRead)
      guard !names.isEmpty else { throw VideoError.noImages }
      kind = .folder(
        paths: VideoSource.byNumber(names).map { Files.join(path, $0) })
    } else {
      let file = try OpenFile(reading: path)
      // A video that cannot be read on ends there.
      var source = ByteSource { (try? file.piece()) ?? [] }
      let first = Array(source.peek(count: FileSignature.length))
      if first.starts(with: "YUV4".utf8) {
        let reader = try Y4MReader(source, isStrict: isStrict)
        rate = reader.header.rate
        kind = .y4m(reader)
      } else if VideoSource.isMJPEG(first, &source) {
        kind = .mjpeg(MJPEGReader(source, limits: limits, isStrict: isStrict))
      } else {
        throw VideoError.unknownFormat(firstBytes: first)
      }
    }
    self.rate = rate.numerator > 0 && rate.denominator > 0 ? rate : (25, 1)
  }

  /// Whether a source that begins with `first` has JPEG images one after another.
  private static func isMJPEG(_ first: [UInt8], _ source: inout ByteSource) -> Bool {
    if first.starts(with: [0xFF, 0xD8]) || first.starts(with: "--".utf8) { return true }
    return FileSignature.of(first) == nil && MJPEGReader.findsImage(in: &source)
  }

  /// Whether all frames lie in one file.
  var isOneFile: Bool { if case .folder = kind { false } else { true } }

  /// The files that are read.
  var files: [String] { if case .folder(let paths) = kind { paths } else { [path] } }

  /// What the next frame is called: its file, or the source and its number from 0.
  private var name: String {
    if case .folder(let paths) = kind, paths.indices.contains(index) { return paths[index] }
    return "\(path)#\(index)"
  }

  /// One frame: what it is called, its number, and its image unless it cannot be read.
  typealias Frame = (name: String, number: Int, image: Result<RGBImage, any Error>)

  /// The next frame, or `nil` at the end. Behind a damaged YUV4MPEG2 frame nothing can be read.
  mutating func next() -> Frame? {
    index += 1
    warnings = []
    do {
      switch kind {
      case .folder(let paths):
        guard index < paths.count else { return nil }
        let file = try ImageFile(readingFrom: paths[index], limits: limits, isStrict: isStrict)
        warnings = file.warnings
        return (name, index, .success(file.upright))
      case .y4m(var reader):
        kind = .folder(paths: [])
        let image = try reader.next()
        warnings = reader.warnings
        guard let image else { return nil }
        kind = .y4m(reader)
        return (name, index, .success(image))
      case .mjpeg(var reader):
        kind = .folder(paths: [])
        defer {
          kind = .mjpeg(reader)
          warnings = reader.warnings
        }
        return try reader.next().map { (name, index, .success($0)) }
      }
    } catch {
      return (name, index, .failure(error))
    }
  }

  /// Names by the last number in them; those without one, and equals, by name.
  static func byNumber(_ names: [String]) -> [String] {
    func number(_ name: String) -> (digits: Int, text: String) {
      let digits = name.reversed().drop { !$0.isNumber }.prefix { $0.isNumber }.reversed()
      let text = String(String(digits).drop { $0 == "0" })
      return (text.count, text)
    }
    return names.map { (number($0), $0) }.sorted {
      ($0.0.digits, $0.0.text, $0.1) < ($1.0.digits, $1.0.text, $1.1)
    }.map(\.1)
  }
}
