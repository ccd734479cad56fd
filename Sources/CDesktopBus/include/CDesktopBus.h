// The parts of libdbus that Swift cannot call directly: the watches, which libdbus passes to
// callbacks, and two properties of a message.
#ifndef CDESKTOPBUS_H
#define CDESKTOPBUS_H

#include <dbus/dbus.h>
#include <stddef.h>
#include <stdint.h>

// libdbus uses two watches per connection; more would only come with a new transport.
enum { DESKTOPBUS_WATCH_LIMIT = 8 };

// One private connection and the watches libdbus asked for.
typedef struct {
    DBusConnection *bus;
    DBusWatch *watches[DESKTOPBUS_WATCH_LIMIT];
    int watch_count;
} desktopbus_connection;

// Connects; may block in connect(2) or a name lookup, so call it on a separate thread.
// The connection is private, its loss does not end the process, and `watches` receives its watches.
// Returns NULL on failure, with libdbus's text in `error`.
desktopbus_connection *desktopbus_open(const char *address, char *error, size_t error_size);

// Closes the socket and frees everything; a private connection must be closed before its last
// reference goes, or libdbus aborts.
void desktopbus_close(desktopbus_connection *connection);

// The descriptor, and in `events` the poll(2) events wanted now. libdbus makes two watches on one
// descriptor; this function combines them. Returns -1 without a descriptor.
int desktopbus_descriptor(const desktopbus_connection *connection, short *events);

// Lets libdbus read and write by the results of poll(2), watch by watch. It holds a reference to
// the connection meanwhile.
void desktopbus_handle(desktopbus_connection *connection, short events);

// The approximate size of a message's arguments in bytes. An array counts by the length that the
// message states, so that a large array costs no more than a small one.
uint64_t desktopbus_body_size(DBusMessage *message);

// How many descriptors a message carries, by its arguments; at least one if it carries any.
int desktopbus_descriptors(DBusMessage *message);

#endif
