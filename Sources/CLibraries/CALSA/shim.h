#pragma once
#include <alsa/asoundlib.h>

// The library exposes its structures through macros that allocate on the stack, which Swift cannot import.

/// Configures interleaved floating-point or 16-bit playback; the actual format may differ from the requested one.
static inline int calsa_set_up(
    snd_pcm_t *pcm, int is_float, unsigned int *channels, unsigned int *rate,
    unsigned int *buffer_microseconds, unsigned int *period_microseconds) {
    snd_pcm_hw_params_t *parameters;
    int code = snd_pcm_hw_params_malloc(&parameters);
    if (code < 0) return code;
    code = snd_pcm_hw_params_any(pcm, parameters);
    if (code >= 0) code = snd_pcm_hw_params_set_access(pcm, parameters, SND_PCM_ACCESS_RW_INTERLEAVED);
    if (code >= 0)
        code = snd_pcm_hw_params_set_format(
            pcm, parameters, is_float ? SND_PCM_FORMAT_FLOAT : SND_PCM_FORMAT_S16);
    if (code >= 0) code = snd_pcm_hw_params_set_channels_near(pcm, parameters, channels);
    if (code >= 0) code = snd_pcm_hw_params_set_rate_near(pcm, parameters, rate, NULL);
    if (code >= 0)
        code = snd_pcm_hw_params_set_buffer_time_near(pcm, parameters, buffer_microseconds, NULL);
    if (code >= 0)
        code = snd_pcm_hw_params_set_period_time_near(pcm, parameters, period_microseconds, NULL);
    if (code >= 0) code = snd_pcm_hw_params(pcm, parameters);
    snd_pcm_hw_params_free(parameters);
    return code;
}
