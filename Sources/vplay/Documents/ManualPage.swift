/// The manual page, in mdoc.
enum ManualPage {
  static var text: String {
    let parts = [head, options, keys, lists, json, end]
    let lines = parts.joined().split(separator: "\n", omittingEmptySubsequences: false)
    return lines.map { $0.hasPrefix(".") ? String($0) : filled($0) }.joined(separator: "\n")
  }

  /// In lines of at most 80 columns.
  private static func filled(_ text: Substring) -> String {
    var (result, column) = ("", 0)
    for word in text.split(separator: " ") {
      let isFirst = column == 0
      let breaks = !isFirst && column + 1 + word.count > 80
      result += isFirst ? "" : breaks ? "\n" : " "
      column = breaks || isFirst ? word.count : column + 1 + word.count
      result += word
    }
    return result
  }

  private static let head = #"""
    .\" Made by `vplay --generate`, from its table of options: do not edit.
    .Dd December 1, 2026
    .Dt VPLAY 1
    .Os
    .Sh NAME
    .Nm vplay
    .Nd play sound files, streams and lists
    .Sh SYNOPSIS
    .Nm
    .Op Ar options
    .Ar FILE Ns | Ns Ar URL Ns | Ns Cm - Ar ...
    .Sh DESCRIPTION
    .Nm
    plays its inputs, one after the other without a gap, on a PulseAudio server or on PipeWire's.
    An input is a file of any name, an
    .Li http
    or
    .Li https
    URL, a list of them (see
    .Sx LISTS ) ,
    or
    .Cm -
    for standard input, which is read only then, and for keys when it is a terminal.
    What begins with a dash is played after the argument
    .Cm -- .
    .Pp
    On a terminal, and in its foreground, a status line on standard output shows the state, the position and the length,
    the volume or that it is muted, whether it loops, and the title.
    Notes and errors are lines on standard error, each with the input and the cause.
    .Pp
    Control-Z fades the sound out and stops;
    .Ic fg
    goes on from there.

    """#

  private static var options: String {
    var text =
      ".Sh OPTIONS\nOptions may stand before and behind the inputs, and be shortened as long as they stay distinct.\n"
    for section in OptionTable.sections {
      text += ".Ss \(capitalized(section.title))\n.Bl -tag -width Ds\n"
      for row in section.rows {
        text += ".It Fl -\(row.name)\(value(row))\n\(row.manual ?? sentence(row))\n"
      }
      text += ".El\n"
    }
    return text
  }

  private static func value(_ row: OptionRow) -> String {
    switch row.value {
    case .none: ""
    case .optional(let placeholder): " Ns Op = Ns Ar \(placeholder)"
    case .required(let placeholder): " Ar \(placeholder)"
    }
  }

  private static func sentence(_ row: OptionRow) -> String {
    capitalized(row.help.joined(separator: " ")) + "."
  }

  private static func capitalized(_ text: String) -> String {
    text.prefix(1).uppercased() + text.dropFirst()
  }

  private static var keys: String {
    var text = ".Sh KEYS\n.Bl -tag -width \"shift-left, shift-right\" -compact\n"
    for row in KeyTable.rows {
      text += ".It \(row.names.map { "Cm \($0)" }.joined(separator: " , "))\n\(row.meaning)\n"
    }
    return text + ".El\n"
  }

  private static let lists = #"""
    .Sh LISTS
    An input whose name ends in
    .Pa .m3u
    or
    .Pa .m3u8
    is a list: its entries are played in its place.
    An entry is a file, relative to the folder of the list, or a URL; lines that begin with
    .Ql #
    are comments, of which
    .Ql #EXTINF:seconds,title
    gives the next entry its title.
    A list may be UTF-8 or Latin-1, with any line ends, and may hold other lists, eight deep, but not itself.
    A list from the network may name
    .Li http
    and
    .Li https
    addresses only.
    A list with
    .Ql #EXT-X-
    lines is an HLS playlist, and played as the stream that it is.
    A folder is no input.

    """#

  private static let json = #"""
    .Sh JSON
    With
    .Fl -json
    each line of standard output is an object.
    Its key
    .Li event
    is one of:
    .Bl -tag -width "error"
    .It Li state
    Something other than the time has changed:
    .Li state
    .Pq playing , paused or waiting ;
    .Li index ,
    the number of the input from 0, lists counted out, and
    .Li count ,
    how many there are;
    .Li file ,
    the input as it was named;
    .Li url ,
    its address with every byte kept;
    .Li title ;
    .Li time
    and
    .Li duration
    in seconds;
    .Li volume
    from 0 to 1;
    .Li rate ,
    media seconds a second while it plays;
    .Li muted ;
    .Li looping .
    What is not known is null.
    .It Li time
    A second went by, or playing has started, stopped or jumped:
    .Li index
    and
    .Li time .
    .It Li end
    An input was heard to its end:
    .Li index ,
    .Li file ,
    .Li url .
    .It Li error
    An input could not be played:
    .Li file ,
    .Li url ,
    and
    .Li message ,
    which is told on standard error too.
    Without an input,
    .Li file
    and
    .Li url
    are null.
    .It Li info
    With
    .Fl -info ,
    what an input holds:
    .Li file ,
    .Li url ,
    .Li container ,
    .Li duration
    in seconds,
    .Li exact
    .Pq false for an estimate ,
    .Li tracks ,
    and
    .Li tags ,
    a list of
    .Li name
    and
    .Li value .
    A track has
    .Li id ,
    .Li kind
    .Pq sound , picture , subtitles or data ,
    .Li codec ,
    .Li playable ,
    .Li default ,
    .Li language ,
    .Li bitRate
    in bits a second,
    .Li start
    and
    .Li duration ;
    of sound
    .Li rate ,
    .Li channels
    and
    .Li layout ,
    of a picture
    .Li width
    and
    .Li height
    as it is shown, and
    .Li frameRate .
    .It Li stats
    With
    .Fl -stats ,
    at the end:
    .Li underruns ,
    .Li stalls ,
    .Li rewrites ,
    .Li streams ,
    and
    .Li clockError
    in seconds.
    .El
    .Pp
    Events and keys may be added in later versions.
    Nobody waits for a slow reader: with more than a megabyte unread, lines are left out.

    """#

  private static let end = #"""
    .Sh ENVIRONMENT
    .Bl -tag -width "PULSE_SERVER"
    .It Ev PULSE_SERVER , Ev PULSE_SINK
    The sound server and its device, as for all its programs.
    .It Ev TERM
    A terminal that is
    .Ql dumb
    gets no status line.
    .It Ev LC_ALL , Ev LC_CTYPE , Ev LANG
    Which characters the terminal shows.
    .El
    .Sh EXIT STATUS
    .Bl -tag -width "128+n" -compact
    .It 0
    All was played.
    .It 1
    Something could not be played; the rest was.
    .It 2
    The command line is wrong.
    .It 3
    There is no sound output.
    .It 128+n
    It was ended by signal n.
    .El
    .Sh EXAMPLES
    Play an album, twice as quiet, in any order:
    .Pp
    .Dl $ vplay --volume 0.5 --shuffle *.flac
    .Pp
    Loop a sound twenty times, without a seam, into a file:
    .Pp
    .Dl $ vplay --loop=20 --output wav:long.wav short.wav
    .Pp
    Hear ten seconds from the second minute on:
    .Pp
    .Dl $ vplay --start 1:00 --duration 10 talk.m4a
    .Sh SEE ALSO
    .Xr mpv 1 ,
    .Xr pactl 1 ,
    .Xr paplay 1

    """#
}
