/// See ``CMTime/isValid``.
public func CMTIME_IS_VALID(_ time: CMTime) -> Bool { time.isValid }

/// The opposite of ``CMTime/isValid``.
public func CMTIME_IS_INVALID(_ time: CMTime) -> Bool { !time.isValid }

/// See ``CMTime/isPositiveInfinity``.
public func CMTIME_IS_POSITIVE_INFINITY(_ time: CMTime) -> Bool { time.isPositiveInfinity }

/// See ``CMTime/isNegativeInfinity``.
public func CMTIME_IS_NEGATIVE_INFINITY(_ time: CMTime) -> Bool { time.isNegativeInfinity }

/// See ``CMTime/isIndefinite``.
public func CMTIME_IS_INDEFINITE(_ time: CMTime) -> Bool { time.isIndefinite }

/// See ``CMTime/isNumeric``.
public func CMTIME_IS_NUMERIC(_ time: CMTime) -> Bool { time.isNumeric }

/// See ``CMTime/hasBeenRounded``.
public func CMTIME_HAS_BEEN_ROUNDED(_ time: CMTime) -> Bool { time.hasBeenRounded }

/// See ``CMTimeRange/isValid``.
public func CMTIMERANGE_IS_VALID(_ range: CMTimeRange) -> Bool { range.isValid }

/// The opposite of ``CMTimeRange/isValid``.
public func CMTIMERANGE_IS_INVALID(_ range: CMTimeRange) -> Bool { !range.isValid }

/// See ``CMTimeRange/isIndefinite``.
public func CMTIMERANGE_IS_INDEFINITE(_ range: CMTimeRange) -> Bool { range.isIndefinite }

/// See ``CMTimeRange/isEmpty``.
public func CMTIMERANGE_IS_EMPTY(_ range: CMTimeRange) -> Bool { range.isEmpty }

/// See ``CMTimeMapping/isValid``.
public func CMTIMEMAPPING_IS_VALID(_ mapping: CMTimeMapping) -> Bool { mapping.isValid }

/// The opposite of ``CMTimeMapping/isValid``.
public func CMTIMEMAPPING_IS_INVALID(_ mapping: CMTimeMapping) -> Bool { !mapping.isValid }

/// See ``CMTimeMapping/isEmpty``.
public func CMTIMEMAPPING_IS_EMPTY(_ mapping: CMTimeMapping) -> Bool { mapping.isEmpty }
