#pragma once
#include <opus.h>
#include <opus_multistream.h>

/// Sets the gain that the decoder applies, in 1/256 dB. The library's own function is variadic.
static inline int copus_set_gain(OpusMSDecoder *decoder, opus_int32 gain) {
    return opus_multistream_decoder_ctl(decoder, OPUS_SET_GAIN(gain));
}

/// Returns the decoder to its state after creation; the gain stays.
static inline int copus_reset(OpusMSDecoder *decoder) {
    return opus_multistream_decoder_ctl(decoder, OPUS_RESET_STATE);
}
