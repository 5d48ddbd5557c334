import Foundation
import Testing

@testable import MartletHosting

@Suite struct RemoteModelTests {
  @Test func modelsOfTheSameSourceAreEqual() throws {
    let url = try #require(URL(string: "https://example.com/birds.json"))
    func model() -> RemoteModel {
      CustomRemoteModel(remoteModelSource: HTTPModelSource(name: "birds", manifestURL: url))
    }
    #expect(model() == model() && model().hashValue == model().hashValue)
    #expect(model().name == "birds")
    let firebase = CustomRemoteModel(remoteModelSource: FirebaseModelSource(name: "birds"))
    #expect(model() != firebase)
    #expect(firebase == CustomRemoteModel(name: "birds"))
    #expect(firebase != CustomRemoteModel(name: "trees"))
  }

  @Test func conditionsAreValues() throws {
    let plain = ModelDownloadConditions()
    #expect(plain.allowsCellularAccess && !plain.allowsBackgroundDownloading)
    let same = ModelDownloadConditions(
      allowsCellularAccess: true, allowsBackgroundDownloading: false)
    #expect(plain == same && plain.hash == same.hash)
    #expect(plain.copy() as? ModelDownloadConditions == plain)
    #expect(
      plain
        != ModelDownloadConditions(allowsCellularAccess: false, allowsBackgroundDownloading: false))
    #expect(!plain.isEqual("plain"))
  }

  @Test func modelsAreKeptWhereTheSystemKeepsSuchThings() {
    let path = HostingConfiguration.defaultDirectory.path
    #expect(path.hasSuffix("/martlet/models") && path.hasPrefix("/"))
    #if !canImport(Darwin)
      for (environment, folder) in [
        (["XDG_CACHE_HOME": "/c", "HOME": "/h"], "/c"), (["HOME": "/h"], "/h/.cache"),
        (["XDG_CACHE_HOME": "c", "HOME": "/h"], "/h/.cache"),
        (["XDG_CACHE_HOME": "", "HOME": "h"], NSHomeDirectory() + "/.cache"),
      ] { #expect(HostingConfiguration.cacheFolder(environment) == folder) }
    #endif
    #expect(ModelManager.modelManager() === ModelManager.modelManager())
    #expect(ModelManager.modelManager(app: NSObject()) === ModelManager.modelManager())
  }
}
