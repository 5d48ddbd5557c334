//===--- CaseModule.swift - cases through a WebAssembly module ------------===//

// One thread calls these.
nonisolated(unsafe) private var reply: [UInt8] = []

/// Answers the request of `count` bytes at `place`; the reply lies where the functions below say.
@_cdecl("answerCase")
public func answerCase(_ place: UnsafeRawPointer?, _ count: Int32) {
  reply = answer([UInt8](UnsafeRawBufferPointer(start: place, count: Int(count))))
}

/// Where the reply lies until the next call.
@_cdecl("replyAddress")
public func replyAddress() -> UnsafeRawPointer? { reply.withUnsafeBytes { $0.baseAddress } }

/// How many bytes the reply has.
@_cdecl("replyCount")
public func replyCount() -> Int32 { Int32(reply.count) }
