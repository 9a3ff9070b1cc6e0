import Foundation
import TestSupport
import Testing
import VPlayModel

@testable import VPlayFFmpeg

struct NameLookupTests {
  @Test(arguments: [
    ("http://example.org/a", "example.org"), ("https://user:pass@example.org:8080/a", "example.org"),
    ("http://localhost?x", "localhost"), ("http://127.0.0.1:80/a", nil), ("http://[::1]/a", nil), ("http:///a", nil),
    ("nonsense", nil),
  ])
  func `a name is looked up, a number is not`(_ url: String, _ host: String?) {
    #expect(NameLookup.host(of: url) == host)
  }

  @Test func `an answer, whatever it is, ends the wait`() {
    let interrupter = Interrupter()
    #expect(NameLookup.wait(for: "localhost", seconds: 20, interrupter: interrupter) == .answered)
    #expect(NameLookup.wait(for: "x", seconds: 20, interrupter: interrupter) { _ in } == .answered)
  }

  @Test func `a resolver that does not answer is not waited for`() {
    let gate = Monitor(false)
    defer { gate.withLockAndWake { $0 = true } }
    let hangs: @Sendable (String) -> Void = { _ in _ = gate.wait(until: nil) { $0 ? true : nil } }
    let interrupter = Interrupter()
    #expect(NameLookup.wait(for: "x", seconds: 0.05, interrupter: interrupter, resolve: hangs) == .timedOut)
    let started = Monitor(false)
    Thread.detachNewThread {
      _ = started.wait(until: nil) { $0 ? true : nil }
      interrupter.interrupt()
    }
    let outcome = NameLookup.wait(for: "x", seconds: 20, interrupter: interrupter) { host in
      started.withLockAndWake { $0 = true }
      hangs(host)
    }
    #expect(outcome == .interrupted)
  }
}
