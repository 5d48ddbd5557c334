//===--- Virt32.swift - QEMU's 32-bit RISC-V virt machine -----------------===//
//
// Startup code from reset to `main`, the UART, a clock, and shutdown. All output goes to one UART.
//
// Source    QEMU hw/riscv/virt.c, ns16550a, SiFive test finisher, RISC-V ACLINT
//===----------------------------------------------------------------------===//

import _Volatile

@_extern(c, "main") private func main(_ count: Int32, _ arguments: UnsafeRawPointer?) -> Int32

/// The first instruction, `lui sp, 0x80500`: the linker script has the stack's top there, and the
/// function `reset` after the instruction.
@section(".start") @used
let firstInstruction: UInt32 = 0x8050_0137

@_cdecl("reset")
func reset() {
  prepareMemory()
  _ = main(0, nil)
  reportMemory()
  shutDown()
}

/// Sends a byte.
func send(_ byte: UInt8, isError: Bool) {
  VolatileMappedRegister<UInt8>(unsafeBitPattern: 0x1000_0000).store(byte)
}

/// The machine's clock always runs.
func startClock() {}

/// The nanoseconds since the start; one tick of 10 MHz has 100. With QEMU's `-icount shift=0` an
/// instruction takes one.
func nanoseconds() -> UInt32 {
  100 * VolatileMappedRegister<UInt32>(unsafeBitPattern: 0x0200_BFF8).load()
}

/// Ends QEMU.
func shutDown() -> Never {
  VolatileMappedRegister<UInt32>(unsafeBitPattern: 0x0010_0000).store(0x5555)
  while true {}
}
