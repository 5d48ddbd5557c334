//===--- Machine.swift - benchmark machine --------------------------------===//
//
// The processor's name and its peak multiply-adds per second with the kernels' instruction set: the
// best of several runs of a loop in registers, on all workers.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletCLibrary
import MartletCommandLine
import MartletKernels
import MartletSystem

struct Machine {
  let processor: String
  let system: String
  let cores: Int
  let threads: Int
  /// The instruction set that the kernels use.
  let instructionSet = Microkernels.current.instructionSet
  /// The lanes of its vectors.
  let lanes: Int
  /// The names of the matrix products that the kernels use.
  let tiles: [String]
  /// Multiply-adds per second, in billions.
  private let float32Peak: Double
  private let int16Peak: Double

  init(workers: Workers) {
    processor = Machine.processorName
    system = Machine.systemName
    cores = Processors.count
    threads = workers.count
    let kernels = Microkernels.current
    lanes = kernels.lanes
    tiles = kernels.tileNames
    float32Peak = Machine.peak(workers, kernels.throughputRound, sum: Float.zero) { rounds, sums in
      kernels.float32Throughput(rounds, 0.5, 1, sums)
    }
    int16Peak = Machine.peak(
      workers, 2 * kernels.throughputRound, sum: Int32.zero
    ) { rounds, sums in
      kernels.int16Throughput(rounds, 1, sums)
    }
  }

  /// The peak of a kind of multiply-adds, in billions per second.
  func peak(of arithmetic: Arithmetic) -> Double {
    switch arithmetic {
    case .float32: float32Peak
    case .int16: int16Peak
    }
  }

  private static func peak<Sum>(
    _ workers: Workers, _ multiplyAdds: Int, sum: Sum,
    _ loop: (_ rounds: Int, _ sums: UnsafeMutablePointer<Sum>) -> Void
  ) -> Double {
    let rounds = 1 << 16
    let vector = Microkernels.current.lanes
    var sums = [Sum](repeating: sum, count: workers.count * vector)
    let measurement = sums.withUnsafeMutableBufferPointer { sums in
      Measurement(minimumTime: 0.1) {
        workers.perform(workers.count) { worker in
          guard let start = sums.baseAddress else { return }
          loop(rounds, start + worker * vector)
        }
      }
    }
    let millions = Double(multiplyAdds * rounds * workers.count) / 1e6
    return millions / measurement.minimum
  }

  /// The processor time of this process, in milliseconds.
  static var processorTime: Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
  }

  /// The peak memory of this process, in bytes.
  static var peakByteCount: Int {
    var usage = rusage()
    #if canImport(Darwin)
      let unit = 1
      getrusage(RUSAGE_SELF, &usage)
    #else
      let unit = 1024
      getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    #endif
    return Int(usage.ru_maxrss) * unit
  }

  private static var processorName: String {
    #if canImport(Darwin)
      var bytes = [UInt8](repeating: 0, count: 256)
      var count = bytes.count
      guard sysctlbyname("machdep.cpu.brand_string", &bytes, &count, nil, 0) == 0 else {
        return "unknown"
      }
      return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    #else
      let lines = (try? Files.lines("/proc/cpuinfo")) ?? []
      let line = lines.first { $0.hasPrefix("model name") }
      guard let value = line?.split(separator: ":").last else { return "unknown" }
      return String(value.drop { $0 == " " })
    #endif
  }

  private static var systemName: String {
    var names = utsname()
    uname(&names)
    func text<T>(_ field: T) -> String {
      withUnsafeBytes(of: field) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
    return "\(text(names.sysname)) \(text(names.release)) \(text(names.machine))"
  }
}
