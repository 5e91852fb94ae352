#pragma once
#include <zlib.h>

// deflateInit2 is a macro that passes the header's version and the size of z_stream. 15 + 16 selects gzip framing.
static inline int czlib_gzip_init(z_stream *stream, int level) {
    return deflateInit2(stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
}
