import Foundation
import Testing

@testable import MartletHosting

@Suite struct PartialFileTests {
  static func folder(_ body: (ModelFolder) throws -> Void) throws {
    let store = FileManager.default.temporaryDirectory.appending(path: "martlet-store-\(UUID())")
    defer { try? FileManager.default.removeItem(at: store) }
    let folder = ModelFolder(store: store.path, name: "birds", source: "test")
    try folder.make()
    try body(folder)
  }

  static func record(_ folder: ModelFolder, _ key: String = "k") -> PartialRecord? {
    PartialFile.record(folder, key: key, hasDigest: false)
  }

  @Test func countsOnlyBytesOnDisk() throws {
    try PartialFileTests.folder { folder in
      let file = try PartialFile(folder, PartialRecord(key: "k", entityTag: "\"1\"", size: 100))
      try file.append(Data(count: 10))
      // The ten bytes are not recorded yet, as after a power failure.
      #expect(PartialFileTests.record(folder) == nil)
      try file.save()
      #expect(PartialFileTests.record(folder)?.stored == 10)
      try file.append(Data(count: 5))
      #expect(PartialFileTests.record(folder)?.stored == 10)
      let next = try PartialFile(folder, try #require(PartialFileTests.record(folder)))
      #expect(SystemFile.size(folder.partialPath) == 10 && next.count == 10)
    }
  }

  @Test func flushesDuringDownload() throws {
    try PartialFileTests.folder { folder in
      let file = try PartialFile(folder, PartialRecord(key: "k", entityTag: "\"1\""))
      try file.append(Data(count: PartialFile.checkpoint - 1))
      #expect(PartialFileTests.record(folder) == nil)
      try file.append(Data(count: 1))
      let deadline = ContinuousClock.now + .seconds(60)
      while PartialFileTests.record(folder) == nil, .now < deadline { usleep(1000) }
      #expect(PartialFileTests.record(folder)?.stored == PartialFile.checkpoint)
    }
  }

  @Test func reportsEarlierFailure() throws {
    try PartialFileTests.folder { folder in
      let file = try PartialFile(folder, PartialRecord(key: "k", entityTag: "\"1\""))
      // A record cannot replace a folder that is not empty.
      SystemFile.remove(folder.partialRecordPath)
      try SystemFile.makeFolder(folder.partialRecordPath + "/x")
      try file.append(Data(count: PartialFile.checkpoint))
      for _ in 0..<2 {
        #expect(throws: ModelHostingError.file(path: folder.partialRecordPath, errno: EISDIR)) {
          try file.save()
        }
      }
      #expect(throws: ModelHostingError.file(path: folder.partialRecordPath, errno: EISDIR)) {
        try file.append(Data(count: 1))
      }
    }
  }

  @Test func continuesAtLastByte() throws {
    try PartialFileTests.folder { folder in
      let file = try PartialFile(folder, PartialRecord(key: "k", entityTag: "\"1\"", size: 10))
      try file.append(Data(count: 10))
      try file.save()
      #expect(PartialFileTests.record(folder)?.stored == 9)
    }
  }

  @Test func restartsDownloadOfOtherFile() throws {
    try PartialFileTests.folder { folder in
      let file = try PartialFile(folder, PartialRecord(key: "k", entityTag: "\"1\"", size: 100))
      try file.append(Data(count: 10))
      try file.save()
      #expect(PartialFileTests.record(folder, "other") == nil)
      try SystemFile.write([1], to: folder.partialPath)
      #expect(PartialFileTests.record(folder) == nil)
      try SystemFile.write(Array("nonsense".utf8), to: folder.partialRecordPath)
      #expect(PartialFileTests.record(folder) == nil)
    }
  }
}
