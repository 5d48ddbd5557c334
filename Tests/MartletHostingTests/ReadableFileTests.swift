import Foundation
import MartletBase
import Testing

@testable import MartletHosting

@Suite struct ReadableFileTests {
  @Test func readsTheOpenedFileAfterReplacement() throws {
    let bench = try HostingBench()
    let url = bench.folder.appending(path: "a")
    let old = HostingBench.bytes(1, count: 600_000)
    try Data(old).write(to: url)
    let file = try #require(ReadableFile(url.path))
    try Data(count: 10).write(to: url, options: .atomic)
    #expect(file.digest() == SHA256.digest(of: old) && file.size == old.count)
    #expect(try #require(ReadableFile(url.path)).identity != file.identity)
  }

  @Test func truncatedFileHasNoDigest() throws {
    let bench = try HostingBench()
    let url = bench.folder.appending(path: "a")
    try Data(count: 100).write(to: url)
    let file = try #require(ReadableFile(url.path))
    try FileHandle(forWritingTo: url).truncate(atOffset: 40)
    #expect(file.digest() == nil)
  }

  @Test(arguments: ["/", "/dev/null", "/nowhere"])
  func opensRegularFilesOnly(_ path: String) { #expect(ReadableFile(path) == nil) }
}
