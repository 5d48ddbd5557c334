import _Volatile

// MARK: - Symbols of the linker script

typealias Symbol = @convention(c) () -> Void

@_extern(c, "stack_top") func stackTop()
@_extern(c, "data_load") func dataLoad()
@_extern(c, "data_start") func dataStart()
@_extern(c, "data_end") func dataEnd()
@_extern(c, "bss_start") func bssStart()
@_extern(c, "bss_end") func bssEnd()
@_extern(c, "arena_start") func arenaStart()
@_extern(c, "arena_end") func arenaEnd()
@_extern(c, "weights_start") func weightsStart()

func address(_ symbol: Symbol) -> Int { unsafeBitCast(symbol, to: Int.self) }

// MARK: - From reset to main

/// The top of the stack, the reset handler, and handlers of faults.
@section(".vectors") @used
let vectors: (Symbol, Symbol, Symbol, Symbol, Symbol, Symbol, Symbol) = (
  stackTop, reset, stop, stop, stop, stop, stop
)

#if Pico2
  /// The block by which the Pico 2 recognizes a program for its Arm processor.
  @section(".vectors.block") @used
  let imageDefinition: (UInt32, UInt32, UInt32, UInt32, UInt32) = (
    0xFFFF_DED3, 0x1021_0142, 0x0000_01FF, 0, 0xAB12_3579
  )
#endif

@_extern(c, "main") func main(_ count: Int32, _ arguments: UnsafeRawPointer?) -> Int32

@_cdecl("reset")
func reset() {
  // Full access to the floating-point unit.
  VolatileMappedRegister<UInt32>(unsafeBitPattern: 0xE000_ED88).store(0xF << 20)
  start()
}

@inline(never)
func start() {
  if let data = UnsafeMutableRawPointer(bitPattern: address(dataStart)),
    let load = UnsafeRawPointer(bitPattern: address(dataLoad)),
    let bss = UnsafeMutableRawPointer(bitPattern: address(bssStart))
  {
    _ = copy(data, load, address(dataEnd) - address(dataStart))
    _ = fill(bss, 0, address(bssEnd) - address(bssStart))
  }
  startLine()
  _ = main(0, nil)
  stop()
}

/// Requests a reset, at which QEMU exits.
@_cdecl("stop")
func stop() {
  VolatileMappedRegister<UInt32>(unsafeBitPattern: 0xE000_ED0C).store(0x05FA_0004)
  while true {}
}

// MARK: - The serial line

#if Pico2
  let line: UInt = 0x5020_0000
#else
  let line: UInt = 0x4000_4000
#endif

func startLine() {
  VolatileMappedRegister<UInt32>(unsafeBitPattern: line + 16).store(16)
  VolatileMappedRegister<UInt32>(unsafeBitPattern: line + 8).store(1)
}

func send(_ byte: UInt8) {
  while VolatileMappedRegister<UInt32>(unsafeBitPattern: line + 4).load() & 1 != 0 {}
  VolatileMappedRegister<UInt32>(unsafeBitPattern: line).store(UInt32(byte))
}

func send(_ text: StaticString) {
  for index in 0..<text.utf8CodeUnitCount { send(text.utf8Start[index]) }
}

func send(decimal number: UInt8) {
  if number >= 10 { send(decimal: number / 10) }
  send(48 + number % 10)
}

// MARK: - Memory functions

@_cdecl("memcpy")
func copy(
  _ target: UnsafeMutableRawPointer, _ source: UnsafeRawPointer, _ count: Int
) -> UnsafeMutableRawPointer {
  for index in 0..<count {
    target.storeBytes(
      of: source.load(fromByteOffset: index, as: UInt8.self), toByteOffset: index, as: UInt8.self)
  }
  return target
}

@_cdecl("memset")
func fill(
  _ target: UnsafeMutableRawPointer, _ byte: Int32, _ count: Int
) -> UnsafeMutableRawPointer {
  for index in 0..<count {
    target.storeBytes(of: UInt8(truncatingIfNeeded: byte), toByteOffset: index, as: UInt8.self)
  }
  return target
}

@_cdecl("__aeabi_memcpy")
func copyMemory(_ target: UnsafeMutableRawPointer, _ source: UnsafeRawPointer, _ count: Int) {
  _ = copy(target, source, count)
}

@_cdecl("__aeabi_memclr")
func clearMemory(_ target: UnsafeMutableRawPointer, _ count: Int) { _ = fill(target, 0, count) }
