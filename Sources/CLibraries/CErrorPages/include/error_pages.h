#pragma once

struct MHD_Connection;
struct MHD_Response;

// Creates the response that replaces one of libmicrohttpd's own pages; NULL keeps the page. The status may be changed; 0 with
// NULL means that the maker has already responded: the connection is closed.
typedef struct MHD_Response *(*cep_page_maker)(struct MHD_Connection *connection, unsigned int *status);

// Sets the maker for all daemons of the process.
void cep_set_page_maker(cep_page_maker maker);

// MHD_queue_response for the program's own responses. Returns MHD_YES or MHD_NO.
int cep_queue_response(struct MHD_Connection *connection, unsigned int status, struct MHD_Response *response);
