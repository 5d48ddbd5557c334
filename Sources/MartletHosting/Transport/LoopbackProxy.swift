//===--- LoopbackProxy.swift - proxies and this machine's own addresses ---===//
//
// Plain HTTP is allowed to this machine because it does not leave it, so such requests must not go
// to a proxy. On Linux the library below Foundation takes proxies from the environment and cannot be
// told otherwise.
//
// Source    libcurl-env(3)
// Checked   Tests/MartletHostingTests/LoopbackProxyTests.swift, .ci/check-download
//===----------------------------------------------------------------------===//

/// The variables of an environment that name proxies.
package struct LoopbackProxy: Sendable {
  private let environment: [String: String]

  package init(_ environment: [String: String]) { self.environment = environment }

  private var exceptions: String? { environment["no_proxy"] ?? environment["NO_PROXY"] }

  /// The variable that sends an HTTP request for `host` to a proxy; nil if none does.
  func variable(for host: String) -> String? {
    func bare(_ name: some StringProtocol) -> String {
      name.lowercased().filter { !"[]".contains($0) }
    }
    let names = (exceptions ?? "").split { ", ".contains($0) }.map(bare)
    guard exceptions != "*", !names.contains(bare(host)) else { return nil }
    let variable = ["http_proxy", "all_proxy", "ALL_PROXY"].first { environment[$0] != nil }
    return variable.flatMap { environment[$0] == "" ? nil : $0 }
  }

  /// The value of `no_proxy` with which no request for this machine goes to a proxy.
  package var exceptionsWithLoopback: String {
    if exceptions == "*" { return "*" }
    return (exceptions.map { $0 + "," } ?? "") + "localhost,127.0.0.1,::1"
  }
}
