import Glibc

/// Refuses to write the output over what is to be played. Looks at the files themselves: links lead to the same one.
enum OutputCheck {
  static func check(_ options: Options) throws(UsageError) {
    guard case .wav(let path) = options.output, let output = regularFile(path) else { return }
    for input in options.inputs {
      let file = input.isStandardInput ? openFile(0) : input.path.flatMap(regularFile)
      if let file, file.st_dev == output.st_dev, file.st_ino == output.st_ino {
        throw .overwritten(input.name)
      }
    }
  }

  /// Whether this path leads to the file that the output goes into.
  static func isSameFile(_ path: [UInt8], as output: Options.Output) -> Bool {
    guard case .wav(let outputPath) = output, let output = regularFile(outputPath), let file = regularFile(path)
    else { return false }
    return file.st_dev == output.st_dev && file.st_ino == output.st_ino
  }

  private static func regularFile(_ path: [UInt8]) -> stat? {
    var status = stat()
    let isKnown = (path.map(CChar.init(bitPattern:)) + [0]).withUnsafeBufferPointer { bytes in
      bytes.baseAddress.map { stat($0, &status) == 0 } ?? false
    }
    return isKnown && status.st_mode & S_IFMT == S_IFREG ? status : nil
  }

  private static func openFile(_ descriptor: Int32) -> stat? {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? status : nil
  }
}

extension UsageError {
  static func overwritten(_ name: String) -> UsageError {
    UsageError("--output", "\(name) is to be played: it would be overwritten")
  }
}
