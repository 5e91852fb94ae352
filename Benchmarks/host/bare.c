// Serves the files of a folder with libmicrohttpd and nothing else: what the library costs of each response of stream-host.
// It checks no key and no file, and counts nothing; threads, buffers and header fields are those of stream-host.
//
//     bare PORT FOLDER THREADS

#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <microhttpd.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>

struct file {
    void *bytes;
    size_t count;
};

static const char *folder;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

// Returns a file, mapped on the first request; NULL if it does not exist.
static struct file *find(const char *path) {
    pthread_mutex_lock(&lock);
    ENTRY *entry = hsearch((ENTRY){.key = (char *)path}, FIND);
    if (entry == NULL) {
        char name[4096];
        snprintf(name, sizeof name, "%s%s", folder, path);
        int descriptor = open(name, O_RDONLY);
        struct stat status;
        if (descriptor >= 0 && fstat(descriptor, &status) == 0) {
            struct file *file = malloc(sizeof *file);
            file->count = status.st_size;
            file->bytes = mmap(NULL, file->count, PROT_READ, MAP_SHARED, descriptor, 0);
            entry = hsearch((ENTRY){.key = strdup(path), .data = file}, ENTER);
        }
    }
    pthread_mutex_unlock(&lock);
    return entry == NULL ? NULL : entry->data;
}

static void keep(void *bytes) { (void)bytes; }

static enum MHD_Result answer(
    void *context, struct MHD_Connection *connection, const char *path, const char *method, const char *version,
    const char *upload, size_t *upload_count, void **request) {
    static int header_has_arrived;
    if (*request == NULL) {
        *request = &header_has_arrived;
        return MHD_YES;
    }
    struct file *file = find(path);
    if (file == NULL) return MHD_NO;
    struct MHD_Response *response =
        MHD_create_response_from_buffer_with_free_callback_cls(file->count, file->bytes, keep, NULL);
    MHD_add_response_header(response, "Content-Type", "audio/mpeg");
    MHD_add_response_header(response, "Cache-Control", "private, max-age=31536000, immutable");
    MHD_add_response_header(response, "ETag", "\"664107af5823b560993973ff3c7d82c2-s12\"");
    MHD_add_response_header(response, "Accept-Ranges", "bytes");
    MHD_add_response_header(response, "X-Request-Id", "0123456789abcdef");
    enum MHD_Result result = MHD_queue_response(connection, MHD_HTTP_OK, response);
    MHD_destroy_response(response);
    return result;
}

int main(int count, char **arguments) {
    if (count != 4) return 2;
    folder = arguments[2];
    hcreate(1 << 16);
    struct MHD_Daemon *daemon = MHD_start_daemon(
        MHD_USE_EPOLL_INTERNAL_THREAD | MHD_USE_NO_LISTEN_SOCKET | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, answer, NULL,
        MHD_OPTION_THREAD_POOL_SIZE, (unsigned int)atoi(arguments[3]), MHD_OPTION_CONNECTION_MEMORY_LIMIT,
        (size_t)16 * 1024, MHD_OPTION_CONNECTION_LIMIT, 4096u, MHD_OPTION_END);
    int listener = socket(AF_INET, SOCK_STREAM, 0), on = 1;
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    setsockopt(listener, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons(atoi(arguments[1])), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    if (daemon == NULL || bind(listener, (struct sockaddr *)&address, sizeof address) != 0 || listen(listener, 1024) != 0)
        return 1;
    while (1) {
        struct sockaddr_storage client;
        socklen_t length = sizeof client;
        int connection = accept(listener, (struct sockaddr *)&client, &length);
        if (connection >= 0) MHD_add_connection(daemon, connection, (struct sockaddr *)&client, length);
    }
}
