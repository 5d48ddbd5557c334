//===--- VideoSource.swift - the frames of a video ------------------------===//
//
// A folder of numbered images, a YUV4MPEG2 video, a GIF file, a WebP animation, or concatenated JPEG
// images. Videos are distinguished by their first bytes and come from a file or standard input.
//
// Contract  One frame is in memory at a time, with its warnings; of a WebP animation, also the file.
//           The images of a folder are sorted by the numbers in their names: 10 follows 9. An
//           unreadable image of a folder, a JPEG video or an animation is reported, and the others
//           are processed. A JPEG video may begin in the middle of an image.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletCodecs
import MartletCommandLine

/// An error of opening a video.
enum VideoError: Error, Equatable {
  case noImages
  case unknownFormat(firstBytes: [UInt8])
}

extension VideoError: CustomStringConvertible {
  private static let expectation =
    "expected a folder of images, or a YUV4MPEG2, GIF, WebP or Motion JPEG video"

  var description: String {
    switch self {
    case .noImages: "the folder contains no image"
    case .unknownFormat(let bytes):
      if bytes.isEmpty {
        "the video is empty"
      } else if let format = FileSignature.of(bytes) {
        """
        \(VideoError.expectation), found \(format.name); convert it with ffmpeg -i FILE \
        -f yuv4mpegpipe -pix_fmt yuv420p - | martlet track -
        """
      } else {
        "\(VideoError.expectation), found \(FileSignature.words(of: bytes))"
      }
    }
  }
}

/// A sequence of frames.
struct VideoSource {
  private enum Kind {
    case folder(paths: [FilePath])
    case y4m(Y4MReader)
    case gif(GIFReader)
    case mjpeg(MJPEGReader)
    case webp(WebPReader)
  }

  private let path: FilePath
  private let limits: ImageLimits
  private let isStrict: Bool
  private let deadline: Deadline
  /// One thread, which stops at the time limit.
  private let workers: Workers
  private var kind: Kind
  private var index = -1
  /// Damage in the frame of the last `next()` that did not prevent decoding.
  private(set) var warnings: [DecodingWarning] = []
  /// The video's frames per second, or those of `--fps`.
  let rate: (numerator: Int, denominator: Int)

  /// - Parameters:
  ///   - isStrict: Whether damage that would be a warning is an error.
  ///   - rate: The frames per second of a source that does not say. Default: 25.
  ///   - deadline: The time limit of each frame, which begins again in `next()`. Waiting for a pipe
  ///     does not count.
  init(
    _ path: FilePath, limits: ImageLimits, isStrict: Bool = false, rate given: Double? = nil,
    _ deadline: Deadline = Deadline(seconds: nil)
  ) throws {
    self.path = path
    self.limits = limits
    self.isStrict = isStrict
    self.deadline = deadline
    workers = .serial.checking(deadline.check)
    var rate = (numerator: 0, denominator: 0)
    if path != .standardStream, Files.kind(path) == .folder {
      let search = try FolderSearch(path, isRecursive: false)
      guard !search.images.isEmpty else { throw VideoError.noImages }
      if let text = search.leftOut { Streams.failure("\(path)", text) }
      kind = .folder(paths: VideoSource.byNumber(search.images))
    } else {
      let file = try OpenFile(reading: path)
      // If the video cannot be read any further, it ends there.
      var source = ByteSource { deadline.pausing { try? file.piece() } ?? [] }
      let first = Array(source.peek(count: FileSignature.length))
      if first.starts(with: "YUV4".utf8) {
        let reader = try Y4MReader(
          source, limits: limits, isStrict: isStrict, workers: workers)
        rate = reader.header.rate
        kind = .y4m(reader)
      } else if first.starts(with: "GIF8".utf8) {
        let reader = try GIFReader(
          source, limits: limits, isStrict: isStrict, workers: workers)
        rate = reader.rate
        kind = .gif(reader)
      } else if WebPReader.matches(first) {
        let reader = try WebPReader(
          source, limits: limits, isStrict: isStrict, workers: workers)
        rate = reader.rate ?? rate
        kind = .webp(reader)
      } else if VideoSource.isMJPEG(first, &source) {
        kind = .mjpeg(
          MJPEGReader(source, limits: limits, isStrict: isStrict, workers: workers))
      } else {
        throw VideoError.unknownFormat(firstBytes: first)
      }
    }
    let isKnown = rate.numerator > 0 && rate.denominator > 0
    self.rate = isKnown ? rate : given.map { (Int(($0 * 1000).rounded()), 1000) } ?? (25, 1)
  }

  /// Whether a source that starts with `first` consists of JPEG images.
  private static func isMJPEG(_ first: [UInt8], _ source: inout ByteSource) -> Bool {
    if first.starts(with: [0xFF, 0xD8]) || first.starts(with: "--".utf8) { return true }
    return FileSignature.of(first) == nil && MJPEGReader.findsImage(in: &source)
  }

  /// Whether all frames are in one file.
  var isOneFile: Bool { if case .folder = kind { false } else { true } }

  /// The paths of the files to read.
  var files: [FilePath] { if case .folder(let paths) = kind { paths } else { [path] } }

  /// The number of frames, if it is known.
  var frameCount: Int? { if case .folder(let paths) = kind { paths.count } else { nil } }

  /// The name of the next frame: its file, or the source and the frame's index.
  private var name: FilePath {
    if case .folder(let paths) = kind, paths.indices.contains(index) { return paths[index] }
    return path + "#\(index)"
  }

  /// A frame: its name, its number, and its image or the error of reading it.
  typealias Frame = (name: FilePath, number: Int, image: Result<RGBImage, any Error>)

  /// Returns the next frame, or `nil` at the end. A YUV4MPEG2 or GIF frame that cannot be
  /// read ends the video.
  mutating func next() -> Frame? {
    index += 1
    warnings = []
    deadline.begin()
    do {
      switch kind {
      case .folder(let paths):
        guard index < paths.count else { return nil }
        let file = try ImageFile(
          readingFrom: paths[index], limits: limits, isStrict: isStrict, workers: workers)
        warnings = file.warnings
        return (name, index, .success(file.upright))
      case .y4m(var reader):
        kind = .folder(paths: [])
        let image = try reader.next()
        warnings = reader.warnings
        guard let image else { return nil }
        kind = .y4m(reader)
        return (name, index, .success(image))
      case .gif(var reader):
        kind = .folder(paths: [])
        let image = try reader.next()
        warnings = reader.warnings
        guard let image else { return nil }
        kind = .gif(reader)
        return (name, index, .success(image))
      case .mjpeg(var reader):
        kind = .folder(paths: [])
        defer {
          kind = .mjpeg(reader)
          warnings = reader.warnings
        }
        return try reader.next().map { (name, index, .success($0)) }
      case .webp(var reader):
        kind = .folder(paths: [])
        defer {
          kind = .webp(reader)
          warnings = reader.warnings
        }
        return try reader.next().map { (name, index, .success($0)) }
      }
    } catch {
      return (name, index, .failure(error))
    }
  }

  /// Sorts paths by the last number in their names; those without a number, or with equal ones, by
  /// path.
  static func byNumber(_ paths: [FilePath]) -> [FilePath] {
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    func number(_ path: FilePath) -> FilePath {
      let name = path.name.bytes.reversed()
      let number = name.drop { !digits.contains($0) }.prefix { digits.contains($0) }.reversed()
      return FilePath(bytes: number.drop { $0 == digits.lowerBound })
    }
    return paths.map { (number($0), $0) }.sorted {
      ($0.0.bytes.count, $0.0, $0.1) < ($1.0.bytes.count, $1.0, $1.1)
    }.map(\.1)
  }
}
