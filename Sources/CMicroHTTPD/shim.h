#pragma once
#include <stdarg.h>
#include <stdint.h>
#include <sys/socket.h>
#include <netinet/in.h>
#include <microhttpd.h>

// MHD_start_daemon takes a variable list of arguments, which Swift cannot call: here the options
// come as an array that ends with MHD_OPTION_END.
static inline struct MHD_Daemon *shim_MHD_start(
    unsigned int flags, uint16_t port, MHD_AccessHandlerCallback handler, void *context,
    struct MHD_OptionItem *options) {
  return MHD_start_daemon(
      flags, port, NULL, NULL, handler, context, MHD_OPTION_ARRAY, options, MHD_OPTION_END);
}

// The socket of a connection; -1 when it has none. MHD_get_connection_info has a variable list too.
static inline int shim_MHD_socket(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info ? (int)info->connect_fd : -1;
}

// The address at the other end; NULL when there is none.
static inline const struct sockaddr *shim_MHD_peer(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
  return info ? info->client_addr : NULL;
}
