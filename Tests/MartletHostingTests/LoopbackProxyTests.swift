import Foundation
import MartletHTTP
import Testing

@testable import MartletHosting

@Suite(.timeLimit(.minutes(5))) struct LoopbackProxyTests {
  @Test(
    arguments: [
      ([:], "127.0.0.1", nil),
      (["http_proxy": "p:1"], "127.0.0.1", "http_proxy"),
      (["all_proxy": "p:1"], "localhost", "all_proxy"),
      (["ALL_PROXY": "p:1"], "::1", "ALL_PROXY"),
      // curl reads no variable of this name, as a web server sets it from a request.
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
  func tellsWhichVariableNamesAProxy(
    _ environment: [String: String], _ host: String, _ variable: String?
  ) {
    #expect(LoopbackProxy(environment).variable(for: host) == variable)
  }

  @Test(arguments: [[:], ["no_proxy": "a.example"], ["NO_PROXY": "a.example"], ["no_proxy": "*"]])
  func exceptionsWithLoopbackKeepThoseThatThereWere(_ environment: [String: String]) {
    let names = LoopbackProxy(environment).exceptionsWithLoopback
    for host in ["localhost", "127.0.0.1", "::1"] {
      #expect(LoopbackProxy(["http_proxy": "p:1", "no_proxy": names]).variable(for: host) == nil)
    }
    #expect(environment.values.allSatisfy { names.split(separator: ",").contains($0[...]) })
  }

  #if canImport(FoundationNetworking)
    /// Nothing listens at the proxy, and a request that came through it would not be answered. In a
    /// process of its own, as the environment is the process's.
    @Test func requestsForThisMachineGoToNoProxy() async throws {
      let server = try ScriptedServer { request, _, connection throws(SocketError) in
        try connection.send(HTTPResponse(200, text: "here"), to: request)
      }
      let url = server.url("/")
      await #expect(processExitsWith: .success) { [url = url as URL] in
        setenv("http_proxy", "http://127.0.0.1:9", 1)
        setenv("no_proxy", "", 1)
        let keeper = URLSessionTransportTests.Keeper()
        let request = TransportRequest(url: url)
        let refusal = ModelHostingError.proxiedLoopback(host: "127.0.0.1", variable: "http_proxy")
        await #expect(throws: refusal) { try await URLSessionTransport().get(request, to: keeper) }
        #expect("\(refusal)".contains("no_proxy"))
        let proxy = LoopbackProxy(ProcessInfo.processInfo.environment)
        setenv("no_proxy", proxy.exceptionsWithLoopback, 1)
        try await URLSessionTransport().get(request, to: keeper)
        #expect(keeper.text == "here\n")
      }
    }
  #endif
}
