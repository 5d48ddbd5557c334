//===--- URLSessionTransport.swift - HTTP requests by URLSession ----------===//
//
// Contract  Memory does not grow with the response, even if the receiver is slow: the next piece is
//           read after the receiver has returned. No cache, cookies or credentials are used.
//
// On Linux, all sessions of a process read on one queue, and `URLSession` adds every piece to the
// delegate's queue without waiting. Therefore the delegate runs on the reading queue, where
// Foundation's download tasks also write their files. Nothing accumulates, but a receiver that
// blocks delays every request of the process.
//
// Also on Linux, Foundation uses a processor core while requests wait for data. A program without other
// sessions can avoid that: `pausesReading` lets that queue sleep for 5 ms between reads.
//
// Cost      A session for each request. On Linux, a second of processor time for each second in which
//           requests run, or 0.03 s with `pausesReading`.
//===----------------------------------------------------------------------===//

import Foundation
import MartletBase

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The transport by Foundation's `URLSession`, with the system's TLS.
public struct URLSessionTransport: HTTPTransport {
  private let pausesReading: Bool

  /// A transport with no state of its own.
  ///
  /// - Parameter pausesReading: On Linux, whether all `URLSession`s of the process pause for 5 ms between
  ///   reads while requests of this transport run, which saves a processor core. Other downloads of
  ///   the process become slower. Default: `false`, other sessions are not affected. Ignored on Apple's
  ///   platforms, where waiting takes no time.
  public init(pausesReading: Bool = false) { self.pausesReading = pausesReading }

  /// Sends a GET request and passes the response to `receiver`.
  public func get(
    _ request: TransportRequest, to receiver: some TransportReceiver
  ) async throws(ModelHostingError) {
    let exchange = Exchange(receiver)
    // On Linux, an ephemeral configuration creates a folder for a cache that it never uses.
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
    configuration.timeoutIntervalForRequest = max(1, request.idleLimit)
    try URLSessionTransport.avoidProxy(for: request.url, configuration)
    let session = URLSession(
      configuration: configuration, delegate: exchange, delegateQueue: DelegateQueue())
    defer { session.finishTasksAndInvalidate() }
    var message = URLRequest(url: request.url)
    // Ranges and sizes refer to the file, not to a compressed form of it.
    message.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
    for (name, value) in request.fields { message.setValue(value, forHTTPHeaderField: name) }
    let task = session.dataTask(with: message)
    #if canImport(FoundationNetworking)
      if pausesReading { ReadingPauses.shared.begin() }
      defer { if pausesReading { ReadingPauses.shared.end() } }
    #endif
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in exchange.start(task, continuation) }
    } onCancel: {
      exchange.cancel()
    }
    try result.get()
  }

  /// Exempts loopback requests from proxies, or throws if that is impossible.
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

/// Runs calls that wait for the reading thread, and so cannot run on it. A queue of its own has a
/// thread even if all shared ones are blocked.
private let waitingQueue = DispatchQueue(label: "martlet.hosting.transport")

/// The delegate's queue. On Linux it runs operations at once, on the reading thread.
private final class DelegateQueue: OperationQueue, @unchecked Sendable {
  override init() {
    super.init()
    maxConcurrentOperationCount = 1
  }

  #if canImport(FoundationNetworking)
    override func addOperation(_ block: @escaping @Sendable () -> Void) { block() }
  #endif
}

#if canImport(FoundationNetworking)
  /// Pauses the reading queue again and again while requests run, unless one began or ended in the
  /// last 5 ms: short requests are not delayed.
  ///
  /// Foundation watches a request's socket not only for data, but also whether it can be written,
  /// which is nearly always so (`_SocketSources.createSources`). `getAllTasks` calls the delegate's
  /// queue from the reading queue.
  final class ReadingPauses: Sendable {
    private struct State {
      var requests = 0
      var isRunning = false
      /// Whether a request began or ended since the last step.
      var hasChanged = false
    }

    static let shared = ReadingPauses()

    /// Whether a request that pauses the queue runs.
    var isRunning: Bool { state.withLock { $0.isRunning } }

    private let session = URLSession(
      configuration: .default, delegate: nil, delegateQueue: DelegateQueue())
    private let state = Mutex(State())

    func begin() {
      let isRunning = state.withLock { state in
        defer { state.isRunning = true }
        state.requests += 1
        state.hasChanged = true
        return state.isRunning
      }
      if !isRunning { step() }
    }

    func end() {
      state.withLock { state in
        state.requests -= 1
        state.hasChanged = true
      }
    }

    private func step() {
      let (isRunning, hasChanged) = state.withLock { state in
        defer { state.hasChanged = false }
        state.isRunning = state.requests > 0
        return (state.isRunning, state.hasChanged)
      }
      guard isRunning else { return }
      if hasChanged {
        waitingQueue.asyncAfter(deadline: .now() + 0.005) { self.step() }
      } else {
        session.getAllTasks { _ in
          Thread.sleep(forTimeInterval: 0.005)
          // From the reading queue itself, the next pause would come before all reads.
          waitingQueue.async { self.step() }
        }
      }
    }
  }
#endif

/// A running request and its outcome.
private final class Exchange<Receiver: TransportReceiver>: NSObject, URLSessionDataDelegate {
  typealias Outcome = Result<Void, ModelHostingError>

  private struct State {
    var task: URLSessionDataTask?
    var continuation: CheckedContinuation<Outcome, Never>?
    var isCancelled = false
    /// Whether the header has been passed on.
    var hasResponse = false
    /// The error of the receiver.
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

  /// Ends the request; the delegate receives its end as usual.
  func cancel() {
    let task = state.withLock { state in
      state.isCancelled = true
      return state.task
    }
    if let task { waitingQueue.async { task.cancel() } }
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
      // Ignores informational responses (1xx).
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
      // The only challenges here ask for a password. There is none, so the response is an error.
      take(challenge.failureResponse)
      waitingQueue.async { completionHandler(.cancelAuthenticationChallenge, nil) }
    #else
      completionHandler(.performDefaultHandling, nil)
    #endif
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    let status = (task.response as? HTTPURLResponse)?.statusCode ?? 0
    // Some responses without a body arrive only with the end.
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
