import Foundation
import MartletTestServer
import Testing

@testable import MartletHosting

@Suite(.timeLimit(.minutes(5))) struct LoopbackProxyTests {
  @Test(
    arguments: [
      ([:], "127.0.0.1", nil),
      (["http_proxy": "p:1"], "127.0.0.1", "http_proxy"),
      (["all_proxy": "p:1"], "localhost", "all_proxy"),
      (["ALL_PROXY": "p:1"], "::1", "ALL_PROXY"),
      // curl ignores this variable, because web servers set it from a request's header.
      (["HTTP_PROXY": "p:1"], "127.0.0.1", nil),
      (["https_proxy": "p:1"], "127.0.0.1", nil),
      (["http_proxy": "", "all_proxy": "p:1"], "127.0.0.1", nil),
      (["http_proxy": "p:1", "no_proxy": "*"], "127.0.0.1", nil),
      (["http_proxy": "p:1", "no_proxy": "a.example,127.0.0.1"], "127.0.0.1", nil),
      (["http_proxy": "p:1", "NO_PROXY": "a.example LOCALHOST"], "localhost", nil),
      (["http_proxy": "p:1", "no_proxy": "[::1]"], "::1", nil),
      (["http_proxy": "p:1", "no_proxy": "::1"], "[::1]", nil),
      (["http_proxy": "p:1", "no_proxy": "127.0.0.2"], "127.0.0.1", "http_proxy"),
      (["http_proxy": "p:1", "no_proxy": "", "NO_PROXY": "*"], "127.0.0.1", "http_proxy"),
    ] as [([String: String], String, String?)])
  func returnsVariableThatSetsProxy(
    _ environment: [String: String], _ host: String, _ variable: String?
  ) {
    #expect(LoopbackProxy(environment).variable(for: host) == variable)
  }

  @Test(arguments: [[:], ["no_proxy": "a.example"], ["NO_PROXY": "a.example"], ["no_proxy": "*"]])
  func exceptionsWithLoopbackKeepExistingHosts(_ environment: [String: String]) {
    let names = LoopbackProxy(environment).exceptionsWithLoopback
    for host in ["localhost", "127.0.0.1", "::1"] {
      #expect(LoopbackProxy(["http_proxy": "p:1", "no_proxy": names]).variable(for: host) == nil)
    }
    #expect(environment.values.allSatisfy { names.split(separator: ",").contains($0[...]) })
  }

  #if canImport(FoundationNetworking)
    /// Nothing listens at the proxy's address, so requests through it would fail. Runs in its own
    /// process, because environment variables are global.
    @Test func loopbackRequestsAreNotSentToProxy() async throws {
      let server = try ScriptedServer { request, _, connection throws(SocketError) in
        try connection.send(HTTPResponse(200, body: Array("here".utf8)), to: request)
      }
      let url = server.url("/")
      await #expect(processExitsWith: .success) { [url = url as URL] in
        setenv("http_proxy", "http://127.0.0.1:9", 1)
        setenv("no_proxy", "", 1)
        let recorder = URLSessionTransportTests.ResponseRecorder()
        let request = TransportRequest(url: url)
        let refusal = ModelHostingError.proxiedLoopback(host: "127.0.0.1", variable: "http_proxy")
        await #expect(throws: refusal) {
          try await URLSessionTransport().get(request, to: recorder)
        }
        #expect("\(refusal)".contains("no_proxy"))
        let proxy = LoopbackProxy(ProcessInfo.processInfo.environment)
        setenv("no_proxy", proxy.exceptionsWithLoopback, 1)
        try await URLSessionTransport().get(request, to: recorder)
        #expect(recorder.text == "here")
      }
    }
  #endif
}
