#pragma once
// Not included in Swift's C library module.
#include <sys/epoll.h>
#include <sys/eventfd.h>

#include <microhttpd.h>
#include <stdarg.h>
#include <stdio.h>

// Swift imports neither casts in macros nor variadic functions.
static const uint64_t cmhd_size_unknown = MHD_SIZE_UNKNOWN;
static const ssize_t cmhd_end_of_stream = MHD_CONTENT_READER_END_OF_STREAM;
static const ssize_t cmhd_end_with_error = MHD_CONTENT_READER_END_WITH_ERROR;

// Receives one formatted line of libmicrohttpd's log.
typedef void (*cmhd_log_line)(const char *line);

static inline void cmhd_format_log(void *context, const char *format, va_list arguments) {
    char line[512];
    vsnprintf(line, sizeof line, format, arguments);
    ((cmhd_log_line)context)(line);
}

// The options are an array terminated by MHD_OPTION_END. The logger must be the first option.
static inline struct MHD_Daemon *cmhd_start_daemon(
    unsigned int flags, MHD_AccessHandlerCallback handler, void *handler_context, cmhd_log_line log,
    const struct MHD_OptionItem *options) {
    return MHD_start_daemon(
        flags, 0, NULL, NULL, handler, handler_context,
        MHD_OPTION_EXTERNAL_LOGGER, cmhd_format_log, (void *)log,
        MHD_OPTION_ARRAY, options,
        MHD_OPTION_END);
}

static inline const struct sockaddr *cmhd_client_address(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    return info ? info->client_addr : NULL;
}

static inline int cmhd_socket(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? info->connect_fd : -1;
}

// Returns the length of a request's start line and headers, including the final empty line.
static inline ssize_t cmhd_header_byte_count(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
    return info ? (ssize_t)info->header_size : -1;
}

static inline void *cmhd_socket_context(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : NULL;
}

static inline enum MHD_Result cmhd_upgrade_close(struct MHD_UpgradeResponseHandle *handle) {
    return MHD_upgrade_action(handle, MHD_UPGRADE_ACTION_CLOSE);
}
