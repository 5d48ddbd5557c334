//===--- JPEGMarker.swift - marker codes ----------------------------------===//
//
// ITU-T T.81, table B.1. A marker is 0xFF and a code; only the code is stored.
//===----------------------------------------------------------------------===//

/// The codes that follow 0xFF.
enum JPEGMarker {
  static let startOfImage: UInt8 = 0xD8
  static let endOfImage: UInt8 = 0xD9
  static let startOfScan: UInt8 = 0xDA
  static let quantizationTables: UInt8 = 0xDB
  static let numberOfLines: UInt8 = 0xDC
  static let restartInterval: UInt8 = 0xDD
  static let hierarchicalProgression: UInt8 = 0xDE
  static let expandReference: UInt8 = 0xDF
  static let huffmanTables: UInt8 = 0xC4
  static let arithmeticConditioning: UInt8 = 0xCC
  static let baselineFrame: UInt8 = 0xC0
  static let extendedFrame: UInt8 = 0xC1
  static let progressiveFrame: UInt8 = 0xC2
  static let temporary: UInt8 = 0x01
  static let application0: UInt8 = 0xE0
  static let application1: UInt8 = 0xE1
  static let application2: UInt8 = 0xE2
  static let application14: UInt8 = 0xEE
  static let comment: UInt8 = 0xFE

  /// Whether the marker has no length and no body.
  static func isStandalone(_ code: UInt8) -> Bool {
    code == temporary || isRestart(code) || code == startOfImage || code == endOfImage
  }

  /// Whether the marker is one of RST0 to RST7.
  static func isRestart(_ code: UInt8) -> Bool { code & 0xF8 == 0xD0 }

  /// Whether an image can be decoded without the marker's segment: APP0 to APP15, and COM.
  static func isOptional(_ code: UInt8) -> Bool { code & 0xF0 == application0 || code == comment }

  /// Whether the marker starts a frame: SOF0 to SOF15, or the reserved JPG.
  static func isFrame(_ code: UInt8) -> Bool {
    code & 0xF0 == 0xC0 && code != huffmanTables && code != arithmeticConditioning
  }

  /// The coding process of a frame that is not supported, and a command that converts its file.
  static func process(_ code: UInt8) -> (name: String, conversion: String) {
    switch code {
    case 0xC3: ("lossless", "ffmpeg -i FILE out.png")
    case 0xC9, 0xCA: ("arithmetic-coded", "jpegtran -outfile out.jpg FILE")
    case 0xCB: ("lossless arithmetic-coded", "the program that wrote it")
    default: ("hierarchical", "the program that wrote it")
    }
  }

  /// The name in the standard.
  static func name(_ code: UInt8) -> String {
    switch code {
    case huffmanTables: "DHT"
    case 0xC8: "JPG"
    case arithmeticConditioning: "DAC"
    case 0xC0...0xCF: "SOF\(code & 15)"
    case 0xD0...0xD7: "RST\(code & 7)"
    case startOfImage: "SOI"
    case endOfImage: "EOI"
    case startOfScan: "SOS"
    case quantizationTables: "DQT"
    case numberOfLines: "DNL"
    case restartInterval: "DRI"
    case hierarchicalProgression: "DHP"
    case expandReference: "EXP"
    case 0xE0...0xEF: "APP\(code & 15)"
    case comment: "COM"
    default: "0xFF" + String(code, radix: 16, uppercase: true)
    }
  }
}
