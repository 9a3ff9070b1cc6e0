#ifndef CVPLAY_FFMPEG_SHIM_H
#define CVPLAY_FFMPEG_SHIM_H

#include <errno.h>
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/avutil.h>
#include <libavutil/channel_layout.h>
#include <libavutil/log.h>
#include <libavutil/opt.h>
#include <libswresample/swresample.h>
#include <sys/eventfd.h>
#include <unistd.h>

// Macros that Swift does not import, as functions. Versions of FFmpeg are told apart here and nowhere else.

static inline int vplay_averror(int code) { return AVERROR(code); }

static inline int vplay_averror_eof(void) { return AVERROR_EOF; }
static inline int vplay_averror_exit(void) { return AVERROR_EXIT; }
static inline int vplay_averror_invalid_data(void) { return AVERROR_INVALIDDATA; }
static inline int vplay_averror_decoder_not_found(void) { return AVERROR_DECODER_NOT_FOUND; }
static inline int vplay_averror_demuxer_not_found(void) { return AVERROR_DEMUXER_NOT_FOUND; }
static inline int vplay_averror_protocol_not_found(void) { return AVERROR_PROTOCOL_NOT_FOUND; }
static inline int vplay_averror_stream_not_found(void) { return AVERROR_STREAM_NOT_FOUND; }
static inline int vplay_averror_patch_welcome(void) { return AVERROR_PATCHWELCOME; }
static inline int vplay_averror_http_bad_request(void) { return AVERROR_HTTP_BAD_REQUEST; }
static inline int vplay_averror_http_unauthorized(void) { return AVERROR_HTTP_UNAUTHORIZED; }
static inline int vplay_averror_http_forbidden(void) { return AVERROR_HTTP_FORBIDDEN; }
static inline int vplay_averror_http_not_found(void) { return AVERROR_HTTP_NOT_FOUND; }
static inline int vplay_averror_http_other_4xx(void) { return AVERROR_HTTP_OTHER_4XX; }
static inline int vplay_averror_http_server_error(void) { return AVERROR_HTTP_SERVER_ERROR; }

static inline int64_t vplay_no_timestamp(void) { return AV_NOPTS_VALUE; }

static inline int vplay_skip_manual_flag(void) { return (int)AV_CODEC_FLAG2_SKIP_MANUAL; }

// The number of AAC's plain profile; the name of its constant changed between versions.
static inline int vplay_profile_aac_low(void) { return 1; }

static inline int vplay_is_attached_picture(const AVStream *stream) {
  return (stream->disposition & AV_DISPOSITION_ATTACHED_PIC) != 0;
}

static inline int vplay_is_default(const AVStream *stream) {
  return (stream->disposition & AV_DISPOSITION_DEFAULT) != 0;
}

static inline int vplay_is_forced(const AVStream *stream) {
  return (stream->disposition & AV_DISPOSITION_FORCED) != 0;
}

// A movie's display matrix of nine numbers; null where there is none.
static inline const int32_t *vplay_display_matrix(const AVStream *stream) {
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(60, 31, 100)
  const AVPacketSideData *data = av_packet_side_data_get(
      stream->codecpar->coded_side_data, stream->codecpar->nb_coded_side_data, AV_PKT_DATA_DISPLAYMATRIX);
  return data && data->size >= 9 * sizeof(int32_t) ? (const int32_t *)data->data : NULL;
#else
  size_t size = 0;
  const uint8_t *data = av_stream_get_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, &size);
  return data && size >= 9 * sizeof(int32_t) ? (const int32_t *)data : NULL;
#endif
}

static inline int vplay_has_timestamp_jumps(const AVInputFormat *format) {
  return (format->flags & AVFMT_TS_DISCONT) != 0;
}

// The frames to skip at the start and the end of a decoded frame; false where it says nothing.
static inline int vplay_frame_skips(const AVFrame *frame, uint32_t *start, uint32_t *end) {
  const AVFrameSideData *data = av_frame_get_side_data(frame, AV_FRAME_DATA_SKIP_SAMPLES);
  if (!data || data->size < 8) return 0;
  const uint8_t *b = data->data;
  *start = (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
  *end = (uint32_t)b[4] | (uint32_t)b[5] << 8 | (uint32_t)b[6] << 16 | (uint32_t)b[7] << 24;
  return 1;
}

// The frames to skip at the start of a packet's sound, 0 where it says nothing.
static inline uint32_t vplay_packet_start_skip(const AVPacket *packet) {
  size_t size = 0;
  const uint8_t *b = av_packet_get_side_data(packet, AV_PKT_DATA_SKIP_SAMPLES, &size);
  if (!b || size < 4) return 0;
  return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

// Whether a packet is the first of a stream glued on to another of its kind, with headers of its own.
static inline int vplay_packet_has_headers(const AVPacket *packet) {
  size_t size = 0;
  return av_packet_get_side_data(packet, AV_PKT_DATA_NEW_EXTRADATA, &size) != NULL && size > 0;
}

// A descriptor that polls as readable once it is woken; -1 when there is none to be had.
static inline int vplay_wake_descriptor(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

static inline void vplay_wake(int descriptor) { (void)eventfd_write(descriptor, 1); }

// Silences libav*'s messages, unless the program has chosen a level of its own.
static inline void vplay_silence_log(void) {
  if (av_log_get_level() == AV_LOG_INFO) av_log_set_level(AV_LOG_QUIET);
}

#endif
