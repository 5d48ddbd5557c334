import Foundation
import MartletCodecs
import MartletCommandLine
import MartletModel
import Testing

@testable import MartletTool

/// Devices, which have no end.
@Suite struct InputFilesTests {
  @Test func deviceWithoutEndIsNoImage() {
    let zeros = [UInt8](repeating: 0, count: 16)
    #expect(throws: ImageFileError.unknownFormat(firstBytes: zeros)) {
      _ = try ImageFile(readingFrom: "/dev/zero", limits: ImageLimits())
    }
  }

  @Test func deviceWithoutEndIsNoModelAndNoList() {
    #expect(throws: ModelError.self) { _ = try Files.model("/dev/zero") }
    #expect(throws: FailedFile.self) { _ = try Files.labels("/dev/zero") }
    #expect(throws: FileError.tooLarge(path: "/dev/zero", limit: 5)) {
      _ = try Files.read("/dev/zero", limit: 5)
    }
  }
}
