//===--- URLSessionTransport.swift - requests by Foundation ---------------===//
//
// Contract  Memory does not grow with the answer, however slowly it is taken: the next piece is read
//           when the receiver has returned. Nothing is stored or sent beyond the request: no cache,
//           cookies or credentials.
//
// On Linux all sessions of a process read on one queue, and `URLSession` adds every piece to the
// delegate's queue without waiting. So the delegate runs on that one queue itself, as Foundation's own
// download tasks write their files there: nothing piles up, and nothing waits for another thread, but
// a receiver that waits holds up every request of the process.
//
// Cost      A session for each request.
// Checked   Tests/MartletHostingTests/URLSessionTransportTests.swift
//===----------------------------------------------------------------------===//

import Foundation
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The transport of Foundation, with TLS as the system does it.
public struct URLSessionTransport: HTTPTransport {
  /// Foundation's transport.
  public init() {}

  /// Sends a GET request and hands the answer to `receiver`.
  public func get(
    _ request: TransportRequest, to receiver: some TransportReceiver
  ) async throws(ModelHostingError) {
    let exchange = Exchange(receiver)
    // On Linux an ephemeral configuration makes a folder for a cache that it never fills.
    #if canImport(FoundationNetworking)
      let configuration = URLSessionConfiguration.default
    #else
      let configuration = URLSessionConfiguration.ephemeral
    #endif
    configuration.urlCache = nil
    configuration.urlCredentialStorage = nil
    configuration.httpCookieStorage = nil
    configuration.httpShouldSetCookies = false
    configuration.allowsCellularAccess = request.allowsCellularAccess
    configuration.timeoutIntervalForRequest = max(
      1, Double(request.idleLimit.components.seconds))
    try URLSessionTransport.avoidProxy(for: request.url, configuration)
    let session = URLSession(
      configuration: configuration, delegate: exchange, delegateQueue: DelegateQueue())
    defer { session.finishTasksAndInvalidate() }
    var message = URLRequest(url: request.url)
    // Ranges and sizes are those of the file, not of a compressed form of it.
    message.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
    for (name, value) in request.fields { message.setValue(value, forHTTPHeaderField: name) }
    let task = session.dataTask(with: message)
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in exchange.start(task, continuation) }
    } onCancel: {
      exchange.cancel()
    }
    try result.get()
  }

  /// Keeps requests for this machine from proxies, or throws if that is not possible.
  private static func avoidProxy(
    for url: URL, _ configuration: URLSessionConfiguration
  ) throws(ModelHostingError) {
    guard let host = url.host, AddressPolicy.isLoopback(host) else { return }
    #if canImport(FoundationNetworking)
      let proxy = LoopbackProxy(ProcessInfo.processInfo.environment)
      if url.scheme?.lowercased() == "http", let variable = proxy.variable(for: host) {
        throw .proxiedLoopback(host: host, variable: variable)
      }
    #else
      configuration.connectionProxyDictionary = [:]
    #endif
  }
}

/// For calls that wait for the thread that reads, and so cannot be made on it. A queue of its own has a
/// thread even while all of the shared ones wait.
private let aside = DispatchQueue(label: "martlet.hosting.transport")

/// Where the delegate is called: on Linux at once, by the thread that reads.
private final class DelegateQueue: OperationQueue, @unchecked Sendable {
  override init() {
    super.init()
    maxConcurrentOperationCount = 1
  }

  #if canImport(FoundationNetworking)
    override func addOperation(_ block: @escaping @Sendable () -> Void) { block() }
  #endif
}

/// A request on its way and what came of it.
private final class Exchange<Receiver: TransportReceiver>: NSObject, URLSessionDataDelegate {
  typealias Outcome = Result<Void, ModelHostingError>

  private struct State {
    var task: URLSessionDataTask?
    var continuation: CheckedContinuation<Outcome, Never>?
    var isCancelled = false
    /// Whether the head has been handed on.
    var hasResponse = false
    /// What the receiver refused with.
    var failure: ModelHostingError?
  }

  private let receiver: Receiver
  private let state = Mutex(State())

  init(_ receiver: Receiver) { self.receiver = receiver }

  func start(_ task: URLSessionDataTask, _ continuation: CheckedContinuation<Outcome, Never>) {
    let isCancelled = state.withLock { state in
      state.task = task
      state.continuation = continuation
      return state.isCancelled
    }
    task.resume()
    if isCancelled { cancel() }
  }

  /// Ends the request; its end comes to the delegate as any other.
  func cancel() {
    let task = state.withLock { state in
      state.isCancelled = true
      return state.task
    }
    if let task { aside.async { task.cancel() } }
  }

  private func take(_ body: () throws(ModelHostingError) -> Void) {
    guard state.withLock({ $0.failure == nil }) else { return }
    do throws(ModelHostingError) { try body() } catch {
      state.withLock { $0.failure = error }
      cancel()
    }
  }

  private func take(_ response: URLResponse?) {
    guard let response = response as? HTTPURLResponse,
      // Informational answers come before the one that counts.
      response.statusCode >= 200,
      !state.withLock({ state in
        defer { state.hasResponse = true }
        return state.hasResponse
      })
    else { return }
    let fields = response.allHeaderFields.compactMap { name, value in
      (name as? String).flatMap { name in (value as? String).map { (name, $0) } }
    }
    take { () throws(ModelHostingError) in
      try receiver.receive(
        TransportResponse(
          status: response.statusCode,
          fields: Dictionary(fields, uniquingKeysWith: { first, _ in first })))
    }
  }

  // MARK: - URLSessionDataDelegate

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    take(response)
    completionHandler(.allow)
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data
  ) {
    take { () throws(ModelHostingError) in try receiver.receive(data) }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    completionHandler(nil)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler:
      @escaping @Sendable (
        URLSession.AuthChallengeDisposition, URLCredential?
      ) -> Void
  ) {
    #if canImport(FoundationNetworking)
      // The only challenges here ask for a password, and there is none: the answer is a refusal.
      take(challenge.failureResponse)
      aside.async { completionHandler(.cancelAuthenticationChallenge, nil) }
    #else
      completionHandler(.performDefaultHandling, nil)
    #endif
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    let status = (task.response as? HTTPURLResponse)?.statusCode ?? 0
    // Some answers without a body come with the end alone.
    if error == nil || status == 401 { take(task.response) }
    let (continuation, outcome) = state.withLock { state in
      let continuation = state.continuation
      state.continuation = nil
      state.task = nil
      return (continuation, Exchange.outcome(error, status, state))
    }
    continuation?.resume(returning: outcome)
  }

  private static func outcome(_ error: (any Error)?, _ status: Int, _ state: State) -> Outcome {
    if let failure = state.failure { return .failure(failure) }
    if state.isCancelled { return .failure(.cancelled) }
    if status == 401 { return .success(()) }
    if let error = error as NSError? { return .failure(ModelHostingError(connection: error)) }
    return state.hasResponse
      ? .success(()) : .failure(.connection(code: NSURLErrorBadServerResponse))
  }
}
