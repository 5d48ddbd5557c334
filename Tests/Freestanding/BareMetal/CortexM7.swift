//===--- CortexM7.swift - QEMU's Cortex-M7, Cortex-M33 and Cortex-M55 -----===//
//
// Vectors, startup code from reset to `main`, two UARTs, a clock, and shutdown, for the boards
// mps2-an500 (a Cortex-M7), with `MPS2_AN505` mps2-an505 (a Cortex-M33), and with `MPS3` mps3-an547
// (a Cortex-M55).
//
// Source    ARM DAI 0500, 0505 and 0547 (the boards), ARM DDI 0403 (ARMv7-M)
//===----------------------------------------------------------------------===//

import _Volatile

@_extern(c, "main") private func main(_ count: Int32, _ arguments: UnsafeRawPointer?) -> Int32

/// The vector table: the top of the stack, the reset handler, and the handlers of five kinds of
/// faults.
@section(".start") @used
let vectors:
  (
    LinkerSymbol, LinkerSymbol, LinkerSymbol, LinkerSymbol, LinkerSymbol, LinkerSymbol, LinkerSymbol
  ) = (
    stackTop, reset, fault, fault, fault, fault, fault
  )

@_cdecl("reset")
func reset() {
  // Full access to coprocessors 10 and 11, the floating-point unit.
  VolatileMappedRegister<UInt32>(unsafeBitPattern: 0xE000_ED88).store(0xF << 20)
  start()
}

/// Not inlined, because it may use the floating-point unit.
@inline(never)
private func start() {
  prepareMemory()
  for line in [outputLine, errorLine] {
    // The smallest divisor, then enables transmission.
    VolatileMappedRegister<UInt32>(unsafeBitPattern: line + 16).store(16)
    VolatileMappedRegister<UInt32>(unsafeBitPattern: line + 8).store(1)
  }
  _ = main(0, nil)
  reportMemory()
  shutDown()
}

// The first two CMSDK UARTs, and the clock ticks of a microsecond.
#if MPS3
  private let outputLine: UInt = 0x5930_3000
  private let errorLine: UInt = 0x5930_4000
  private let frequency: UInt32 = 32
#elseif MPS2_AN505
  private let outputLine: UInt = 0x5020_0000
  private let errorLine: UInt = 0x5020_1000
  private let frequency: UInt32 = 20
#else
  private let outputLine: UInt = 0x4000_4000
  private let errorLine: UInt = 0x4000_5000
  private let frequency: UInt32 = 25
#endif

/// Sends a byte.
func send(_ byte: UInt8, isError: Bool) {
  let line = isError ? errorLine : outputLine
  let state = VolatileMappedRegister<UInt32>(unsafeBitPattern: line + 4)
  let transmitIsFull: UInt32 = 1
  while state.load() & transmitIsFull != 0 {}
  VolatileMappedRegister<UInt32>(unsafeBitPattern: line).store(UInt32(byte))
}

@_cdecl("fault")
func fault() {
  print("fault")
  shutDown()
}

/// The system timer's registers.
private let timer: UInt = 0xE000_E010

/// Starts the clock, which loads its first value at the next tick.
@_cdecl("startClock")
func startClock() {
  VolatileMappedRegister<UInt32>(unsafeBitPattern: timer + 4).store(0xFF_FFFF)
  VolatileMappedRegister<UInt32>(unsafeBitPattern: timer + 8).store(0)
  VolatileMappedRegister<UInt32>(unsafeBitPattern: timer).store(0b101)
  while VolatileMappedRegister<UInt32>(unsafeBitPattern: timer + 8).load() == 0 {}
}

/// The nanoseconds since the clock was started, up to half a second; a tick has 31 to 50. With
/// QEMU's `-icount shift=0` an instruction takes one.
@_cdecl("nanoseconds")
func nanoseconds() -> UInt32 {
  let ticks = 0xFF_FFFF - VolatileMappedRegister<UInt32>(unsafeBitPattern: timer + 8).load()
  return ticks / frequency * 1000 + ticks % frequency * 1000 / frequency
}

/// Requests a reset. QEMU exits on it if started with `-no-reboot`.
func shutDown() -> Never {
  VolatileMappedRegister<UInt32>(unsafeBitPattern: 0xE000_ED0C).store(0x05FA_0004)
  while true {}
}
