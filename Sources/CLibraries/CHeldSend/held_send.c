#include "held_send.h"

#include <stddef.h>
#include <sys/socket.h>
#include <sys/types.h>

// libmicrohttpd sends the header of a response whose content it gathers from several buffers at once, in a packet of its own, and
// has no option for it. It calls send() through the dynamic linker: the definition below takes the place of the C library's, adds
// the flag where it was announced, and otherwise does the same. If the library is linked so that its calls cannot be
// intercepted, headers travel in packets of their own.

static _Thread_local int held = -1;

void chs_hold_next_send(int socket) { held = socket; }

void chs_forget(int socket) {
    if (held == socket) held = -1;
}

ssize_t send(int socket, const void *bytes, size_t count, int flags) {
    if (socket == held) {
        held = -1;
        flags |= MSG_MORE;
    }
    return sendto(socket, bytes, count, flags, NULL, 0);
}
