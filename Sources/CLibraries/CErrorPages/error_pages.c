#define _GNU_SOURCE
#include "error_pages.h"

#include <dlfcn.h>
#include <microhttpd.h>
#include <stdatomic.h>
#include <stddef.h>

// libmicrohttpd rejects malformed and oversized requests with HTML pages, and has no option to replace them. It queues them
// with its own public function, which it calls through the dynamic linker: the definition below intercepts that call. The
// program queues its own responses with cep_queue_response, so that only the library's pages get here. If the library is linked
// so that its own calls cannot be intercepted, clients get its pages.

typedef enum MHD_Result (*queue_function)(struct MHD_Connection *, unsigned int, struct MHD_Response *);

static _Atomic(cep_page_maker) page_maker;
static _Atomic(queue_function) library_function;

static enum MHD_Result queue(struct MHD_Connection *connection, unsigned int status, struct MHD_Response *response) {
    queue_function function = atomic_load_explicit(&library_function, memory_order_relaxed);
    if (function == NULL) {
        function = (queue_function)dlsym(RTLD_NEXT, "MHD_queue_response");
        if (function == NULL) return MHD_NO;
        atomic_store_explicit(&library_function, function, memory_order_relaxed);
    }
    return function(connection, status, response);
}

void cep_set_page_maker(cep_page_maker maker) { atomic_store(&page_maker, maker); }

int cep_queue_response(struct MHD_Connection *connection, unsigned int status, struct MHD_Response *response) {
    return queue(connection, status, response);
}

enum MHD_Result
MHD_queue_response(struct MHD_Connection *connection, unsigned int status, struct MHD_Response *response) {
    cep_page_maker make = atomic_load(&page_maker);
    struct MHD_Response *page = make != NULL ? make(connection, &status) : NULL;
    if (page == NULL) return status == 0 ? MHD_NO : queue(connection, status, response);
    // The library destroys its own page; this one keeps its own reference while it is sent.
    enum MHD_Result result = queue(connection, status, page);
    MHD_destroy_response(page);
    return result;
}
