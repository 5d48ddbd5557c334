//===--- CaseModule.swift - runs cases in a WebAssembly module ------------===//

// Called by one thread only.
nonisolated(unsafe) private var reply: [UInt8] = []

/// Answers the request of `count` bytes at `pointer`. The functions below return the reply.
@_cdecl("answerCase")
public func answerCase(_ pointer: UnsafeRawPointer?, _ count: Int32) {
  reply = answer([UInt8](UnsafeRawBufferPointer(start: pointer, count: Int(count))))
}

/// The address of the reply, valid until the next call.
@_cdecl("replyAddress")
public func replyAddress() -> UnsafeRawPointer? { reply.withUnsafeBytes { $0.baseAddress } }

/// The byte count of the reply.
@_cdecl("replyCount")
public func replyCount() -> Int32 { Int32(reply.count) }
