// The part of libdbus that Swift cannot use by itself, beside libdbus's own functions: the watches,
// which libdbus hands over through callbacks, and two figures of a message.
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

// Connects; may block in connect(2) or a name look-up, so it is called on a thread of its own.
// Sets what every use of ours needs: private, no exit on disconnect, watches recorded here.
// NULL on failure, with libdbus's text in `error`.
desktopbus_connection *desktopbus_open(const char *address, char *error, size_t error_size);

// Closes the socket and frees everything; a private connection must be closed before its last
// reference goes, or libdbus aborts.
void desktopbus_close(desktopbus_connection *connection);

// The descriptor, and in `events` the poll(2) events wanted now. libdbus makes two watches on one
// descriptor; they are OR'ed here. -1 when there is none.
int desktopbus_descriptor(const desktopbus_connection *connection, short *events);

// Lets libdbus read and write as poll(2) said, watch by watch, under a reference of its own.
void desktopbus_handle(desktopbus_connection *connection, short events);

// The size of a message's arguments, from the lengths that it states: its cost does not depend on it.
uint64_t desktopbus_body_size(DBusMessage *message);

// How many descriptors a message brings, by its arguments; one at least where it brings any.
int desktopbus_descriptors(DBusMessage *message);

#endif
