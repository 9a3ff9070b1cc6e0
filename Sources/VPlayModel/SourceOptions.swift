/// How a medium is asked for at an `http` or `https` address; of no effect elsewhere.
package struct SourceOptions: Sendable, Equatable {
  /// The value of `User-Agent`.
  package var userAgent = "VPlay"
  /// Sent with every request for the medium and what belongs to it, also to where a server redirects.
  package var headers: [String: String] = [:]
  /// A connection that is silent for so long counts as broken; an opening one has failed.
  package var silenceSeconds = 15.0
  /// A medium that broke off, or whose server is silent, is asked for again until no byte has come for so long.
  package var persistenceSeconds = 60.0
  /// A file of certificates to trust, in PEM, in place of the system's.
  package var certificateFile: String?

  package init() {}
}
