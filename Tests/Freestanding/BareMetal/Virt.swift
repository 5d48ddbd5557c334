//===--- Virt.swift - QEMU's virt with a 64-bit Arm processor -------------===//
//
// The way from reset to `main`, two UARTs, and the way out, at exception level 3 of `-M virt,secure=on`.
//
// Source    ARM DDI 0487 (ARMv8-A), ARM DDI 0183 (PL011), ARM DDI 0190 (PL061); QEMU, hw/arm/virt.c
// Checked   .ci/check/bare-metal
//===----------------------------------------------------------------------===//

import _Volatile

@_extern(c, "main") private func main(_ count: Int32, _ arguments: UnsafeRawPointer?) -> Int32

/// Where the processor begins. Swift can't set the stack pointer, so four instructions do, and then jump:
///
///     ldr x0, #16
///     mov sp, x0
///     ldr x1, #16
///     br  x1
@section(".start") @used
let entry: (UInt32, UInt32, UInt32, UInt32, Place, Place) = (
  0x5800_0080, 0x9100_001F, 0x5800_0081, 0xD61F_0020, stackTop, start
)

@_cdecl("start")
func start() {
  prepareMemory()
  _ = main(0, nil)
  reportMemory()
  leave()
}

/// Sends a byte to one of the two PL011, which are on from the start.
func send(_ byte: UInt8, isError: Bool) {
  let line: UInt = isError ? 0x0904_0000 : 0x0900_0000
  let flags = VolatileMappedRegister<UInt32>(unsafeBitPattern: line + 0x18)
  let transmitIsFull: UInt32 = 1 << 5
  while flags.load() & transmitIsFull != 0 {}
  VolatileMappedRegister<UInt32>(unsafeBitPattern: line).store(UInt32(byte))
}

/// Raises pin 0 of the PL061 for secure programs, which turns the machine off.
func leave() -> Never {
  VolatileMappedRegister<UInt32>(unsafeBitPattern: 0x090B_0400).store(1)
  VolatileMappedRegister<UInt32>(unsafeBitPattern: 0x090B_0004).store(1)
  while true {}
}
