// Helpers for libdbus: the watches, which libdbus passes to C callbacks, and two measures of a
// message (its size and its number of descriptors).
#ifndef CDESKTOPBUS_H
#define CDESKTOPBUS_H

#include <dbus/dbus.h>
#include <stddef.h>
#include <stdint.h>

// libdbus uses two watches per connection; only a new transport would use more.
enum { DESKTOPBUS_WATCH_LIMIT = 8 };

// sendmsg(2) passes at most this many descriptors. libdbus closes a connection on which a message
// brings more than the limit. So with a lower limit, a peer could close our connection.
enum { DESKTOPBUS_DESCRIPTOR_LIMIT = 253 };

// One private connection and the watches that libdbus asked for.
typedef struct {
    DBusConnection *bus;
    DBusWatch *watches[DESKTOPBUS_WATCH_LIMIT];
    int watch_count;
} desktopbus_connection;

// Connects to a bus. The function may block in connect(2) or in a name lookup, so call it only on a
// thread that may wait. The connection is private, its loss does not end the process, and `watches`
// receives its watches. Returns NULL on failure, with libdbus's text in `error`.
desktopbus_connection *desktopbus_open(const char *address, char *error, size_t error_size);

// Closes the socket and frees everything; a private connection must be closed before its last
// reference is released, or libdbus aborts.
void desktopbus_close(desktopbus_connection *connection);

// Returns the connection's descriptor, or -1 if the connection has none. Sets `events` to the
// poll(2) events that libdbus wants now. libdbus makes two watches on one descriptor; this function
// combines their events.
int desktopbus_descriptor(const desktopbus_connection *connection, short *events);

// Passes the results of poll(2) to libdbus, which then reads and writes. The function holds a
// reference to the connection while it runs.
void desktopbus_handle(desktopbus_connection *connection, short events);

// The approximate size of a message's arguments in bytes. The function reads the size of an array
// from its length field, so a large array takes no more time.
uint64_t desktopbus_body_size(DBusMessage *message);

// How often a message's arguments name a descriptor; at least 1 if the message carries any. The
// arguments may name one descriptor many times. Counting stops above DESKTOPBUS_DESCRIPTOR_LIMIT.
int desktopbus_descriptors(DBusMessage *message);

#endif
