//===--- Virt.swift - QEMU's virt with a 64-bit Arm processor -------------===//
//
// Startup code from reset to `main`, two UARTs, and shutdown. Runs at exception level 3 of QEMU's
// `-M virt,secure=on`.
//
// Source    ARM DDI 0487 (ARMv8-A), ARM DDI 0183 (PL011), ARM DDI 0190 (PL061); QEMU, hw/arm/virt.c
//===----------------------------------------------------------------------===//

import _Volatile

@_extern(c, "main") private func main(_ count: Int32, _ arguments: UnsafeRawPointer?) -> Int32

/// The entry point. Swift cannot set the stack pointer, so four instructions set it and jump:
///
///     ldr x0, #16
///     mov sp, x0
///     ldr x1, #16
///     br  x1
@section(".start") @used
let entry: (UInt32, UInt32, UInt32, UInt32, LinkerSymbol, LinkerSymbol) = (
  0x5800_0080, 0x9100_001F, 0x5800_0081, 0xD61F_0020, stackTop, start
)

@_cdecl("start")
func start() {
  prepareMemory()
  _ = main(0, nil)
  reportMemory()
  shutDown()
}

/// Sends a byte to one of the two PL011 UARTs, which are enabled from the start.
func send(_ byte: UInt8, isError: Bool) {
  let line: UInt = isError ? 0x0904_0000 : 0x0900_0000
  let flags = VolatileMappedRegister<UInt32>(unsafeBitPattern: line + 0x18)
  let transmitIsFull: UInt32 = 1 << 5
  while flags.load() & transmitIsFull != 0 {}
  VolatileMappedRegister<UInt32>(unsafeBitPattern: line).store(UInt32(byte))
}

/// Raises pin 0 of the secure PL061, which turns the machine off.
func shutDown() -> Never {
  VolatileMappedRegister<UInt32>(unsafeBitPattern: 0x090B_0400).store(1)
  VolatileMappedRegister<UInt32>(unsafeBitPattern: 0x090B_0004).store(1)
  while true {}
}
