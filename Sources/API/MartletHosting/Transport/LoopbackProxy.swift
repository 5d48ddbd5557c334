//===--- LoopbackProxy.swift - proxies for loopback addresses -------------===//
//
// Plain HTTP is allowed for loopback addresses because the data does not leave the machine, so a
// proxy must not receive such requests. On Linux, libcurl below Foundation takes proxies from the
// environment, and Foundation cannot override that.
//
// Source    libcurl-env(3)
//===----------------------------------------------------------------------===//

/// The environment variables that name proxies.
package struct LoopbackProxy: Sendable {
  private let environment: [String: String]

  package init(_ environment: [String: String]) { self.environment = environment }

  private var exceptions: String? { environment["no_proxy"] ?? environment["NO_PROXY"] }

  /// The variable that sends an HTTP request for `host` to a proxy; `nil` if none does.
  func variable(for host: String) -> String? {
    func bare(_ name: some StringProtocol) -> String {
      name.lowercased().filter { !"[]".contains($0) }
    }
    let names = (exceptions ?? "").split { ", ".contains($0) }.map(bare)
    guard exceptions != "*", !names.contains(bare(host)) else { return nil }
    let variable = ["http_proxy", "all_proxy", "ALL_PROXY"].first { environment[$0] != nil }
    return variable.flatMap { environment[$0] == "" ? nil : $0 }
  }

  /// The value of `no_proxy` that exempts loopback addresses from proxies.
  package var exceptionsWithLoopback: String {
    if exceptions == "*" { return "*" }
    return (exceptions.map { $0 + "," } ?? "") + "localhost,127.0.0.1,::1"
  }
}
