set -e
board=$1
mkdir -p $board
flags="-target armv7em-none-none-eabi -Xcc -mcpu=$2 -Xcc -mfloat-abi=hard -wmo -parse-as-library -swift-version 6
  -enable-experimental-feature Embedded -enable-experimental-feature Extern -Osize
  -Xfrontend -function-sections -Xfrontend -disable-stack-protector -Xllvm -disable-loop-idiom-all
  -Xllvm -pre-RA-sched=source -D MARTLET_DSP -D $board"
case $2 in
  cortex-m52 | cortex-m55 | cortex-m85) flags="$flags -D MARTLET_HELIUM" ;;
esac
swiftc $flags -Xfrontend -enable-builtin-module -package-name martlet -module-name MartletCompiled \
  -emit-module -emit-module-path $board/MartletCompiled.swiftmodule \
  ../martlet/Sources/Inference/MartletCompiled/*.swift
swiftc $flags -I $board -module-name Program -c -o $board/program.o Program.swift Startup.swift Classifier.swift
ld.lld --gc-sections -T $board.ld -o $board/program.elf $board/program.o --format=binary classifier.weights
