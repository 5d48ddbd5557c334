//===--- Command.swift - the protocol of commands -------------------------===//

/// A command with its checked arguments.
package protocol Command {
  static var specification: CommandSpecification { get }

  init(_ arguments: Arguments) throws(UsageError)

  /// Runs the command and returns the exit status: 0, or 1 if an input or a check failed.
  func run() -> Int32
}
