import Glibc

// The bytes as they came: `CommandLine.arguments` repairs what is not UTF-8.
let arguments = (1..<max(1, Int(CommandLine.argc))).compactMap { index in
  CommandLine.unsafeArgv[index].map { pointer in
    UnsafeBufferPointer(start: pointer, count: strlen(pointer)).map(UInt8.init(bitPattern:))
  }
}
// All output is written; what other threads still do need not be waited for.
_exit(Program.run(arguments))
