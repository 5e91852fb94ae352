#pragma once
#include <errno.h>
#include <libavcodec/avcodec.h>
#include <libavutil/channel_layout.h>
#include <libavutil/frame.h>
#include <libavutil/log.h>
#include <libavutil/mem.h>

// Macros that do not import.
static const int companion_again = AVERROR(EAGAIN);

// Returns the loudspeaker of a channel of a frame: AVChannel's number.
static inline int companion_channel(const AVFrame *frame, int channel) {
    return av_channel_layout_channel_from_index(&frame->ch_layout, (unsigned)channel);
}

// Gives a context its own copy of a configuration, with the zeros after it that the library demands.
static inline int companion_set_configuration(AVCodecContext *context, const uint8_t *bytes, int count) {
    context->extradata = (uint8_t *)av_mallocz((size_t)count + AV_INPUT_BUFFER_PADDING_SIZE);
    if (!context->extradata) return AVERROR(ENOMEM);
    for (int i = 0; i < count; i++) context->extradata[i] = bytes[i];
    context->extradata_size = count;
    return 0;
}
