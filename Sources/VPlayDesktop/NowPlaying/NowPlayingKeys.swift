// Keys of `MPNowPlayingInfoCenter.nowPlayingInfo`, under Apple's names. A value of another type than stated is as none.

/// `String`: the title.
public let MPMediaItemPropertyTitle = "title"
/// `String`: the artist.
public let MPMediaItemPropertyArtist = "artist"
/// `String`: the album's title.
public let MPMediaItemPropertyAlbumTitle = "albumTitle"
/// `String`: the album's artist.
public let MPMediaItemPropertyAlbumArtist = "albumArtist"
/// `String`: the genre.
public let MPMediaItemPropertyGenre = "genre"
/// `String`: the composer.
public let MPMediaItemPropertyComposer = "composer"
/// `Int` or another number: the place in the album, from 1.
public let MPMediaItemPropertyAlbumTrackNumber = "albumTrackNumber"
/// `Int` or another number: the disc of the album, from 1.
public let MPMediaItemPropertyDiscNumber = "discNumber"
/// `Double` or another number: the length in seconds.
public let MPMediaItemPropertyPlaybackDuration = "playbackDuration"
/// ``MPMediaItemArtwork``: a picture.
public let MPMediaItemPropertyArtwork = "artwork"
/// `Double` or another number: the position in seconds at the moment this dictionary is set.
///
/// It is carried on by the rate; set the dictionary anew after a seek, a stall or a change of the rate only.
public let MPNowPlayingInfoPropertyElapsedPlaybackTime = "MPNowPlayingInfoPropertyElapsedPlaybackTime"
/// `Double` or another number: the rate at which the position moves; 0 when paused, 1 when not given.
public let MPNowPlayingInfoPropertyPlaybackRate = "MPNowPlayingInfoPropertyPlaybackRate"
/// `Double` or another number: the rate that playing has when it goes on; 1 when not given.
public let MPNowPlayingInfoPropertyDefaultPlaybackRate = "MPNowPlayingInfoPropertyDefaultPlaybackRate"
/// `URL`: what is played.
public let MPNowPlayingInfoPropertyAssetURL = "MPNowPlayingInfoPropertyAssetURL"
/// `String`: what tells two items with the same title apart.
public let MPNowPlayingInfoPropertyExternalContentIdentifier =
  "MPNowPlayingInfoPropertyExternalContentIdentifier"
/// `Bool`: a stream without a length.
public let MPNowPlayingInfoPropertyIsLiveStream = "MPNowPlayingInfoPropertyIsLiveStream"
/// `Int` or another number: the place in the queue, from 0.
public let MPNowPlayingInfoPropertyPlaybackQueueIndex = "MPNowPlayingInfoPropertyPlaybackQueueIndex"
