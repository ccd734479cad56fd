// The part of libdbus that Swift cannot import by itself, without any libdbus type: casts in
// macros, variadic functions and callbacks stay on the C side. Every function says why it exists.
#ifndef CDESKTOPBUS_H
#define CDESKTOPBUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// One private connection and the watches libdbus asked for.
typedef struct desktopbus_connection desktopbus_connection;

// One message; reference counted by libdbus.
typedef struct desktopbus_message desktopbus_message;

// Room for a DBusMessageIter, whose size is part of libdbus's ABI (checked at compile time).
typedef struct {
    void *opaque[16];
} desktopbus_iterator;

// The parts of a message outside its body; strings belong to the message, NULL where absent.
typedef struct {
    int type;
    uint32_t serial;
    uint32_t reply_serial;
    bool no_reply_expected;
    const char *sender;
    const char *path;
    const char *interface;
    const char *member;
    const char *error_name;
    const char *signature;
} desktopbus_header;

// One basic value as read: which member is set follows from `type`, the D-Bus type code.
typedef struct {
    int type;
    union {
        uint8_t byte;
        bool boolean;
        int16_t int16;
        uint16_t uint16;
        int32_t int32;
        uint32_t uint32;
        int64_t int64;
        uint64_t uint64;
        double number;
        const char *string;
        int descriptor;
    };
} desktopbus_value;

enum {
    DESKTOPBUS_METHOD_CALL = 1,
    DESKTOPBUS_METHOD_RETURN = 2,
    DESKTOPBUS_ERROR = 3,
    DESKTOPBUS_SIGNAL = 4,
};

enum {
    DESKTOPBUS_NO_REPLY_EXPECTED = 1,
    DESKTOPBUS_NO_AUTO_START = 2,
    DESKTOPBUS_ALLOW_INTERACTIVE_AUTHORIZATION = 4,
};

// Makes libdbus safe for several threads: messages are built on the callers' threads. It must
// precede every other use, whatever the program linked before us did; calling it again is free.
void desktopbus_initialize(void);

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

// Takes the next received message, NULL if there is none. Replaces libdbus's dispatching, so
// that no C callback ever enters Swift; libdbus's own answers (Peer) are ours to give then.
desktopbus_message *desktopbus_pop(desktopbus_connection *connection);

// Whether the socket is still there.
bool desktopbus_is_connected(desktopbus_connection *connection);

// Whether the transport can carry descriptors (known once authenticated).
bool desktopbus_can_send_descriptors(desktopbus_connection *connection);

// Queues the message and writes what the socket takes at once. False when out of memory.
bool desktopbus_send(
    desktopbus_connection *connection, desktopbus_message *message, uint32_t *serial);

// Bytes queued and not yet written, for the queue's bound.
int64_t desktopbus_queued_bytes(desktopbus_connection *connection);

// Whether anything is still to be written.
bool desktopbus_has_unsent(desktopbus_connection *connection);

// New messages. Names and paths must be valid: libdbus aborts on a bad one. NULL: out of memory.
desktopbus_message *desktopbus_new_call(
    const char *destination, const char *path, const char *interface, const char *member,
    int flags);
desktopbus_message *desktopbus_new_signal(
    const char *path, const char *interface, const char *member, const char *destination);
desktopbus_message *desktopbus_new_return(uint32_t reply_serial, const char *destination);
desktopbus_message *desktopbus_new_error(
    uint32_t reply_serial, const char *destination, const char *name);

// Gives back a message.
void desktopbus_message_free(desktopbus_message *message);

// Reads the header in one call instead of ten.
void desktopbus_message_header(desktopbus_message *message, desktopbus_header *header);

// Starts appending at the end of the body.
void desktopbus_append_begin(desktopbus_message *message, desktopbus_iterator *iterator);

// Append one value of a type; false when out of memory. libdbus takes all of them through
// `void *`, and booleans as 32 bits. A descriptor is duplicated.
bool desktopbus_append_fixed(desktopbus_iterator *iterator, int type, const void *value);
bool desktopbus_append_string(desktopbus_iterator *iterator, int type, const char *string);
bool desktopbus_append_bytes(desktopbus_iterator *iterator, const uint8_t *bytes, int count);

// Containers: type code 'a', 'v', 'r' (structure) or 'e' (entry); `contents` for 'a' and 'v'.
bool desktopbus_open_container(
    desktopbus_iterator *parent, int type, const char *contents, desktopbus_iterator *child);
bool desktopbus_close_container(desktopbus_iterator *parent, desktopbus_iterator *child);
// Frees an open container after a failure; the message is unusable then.
void desktopbus_abandon_container(desktopbus_iterator *parent, desktopbus_iterator *child);

// Starts reading the body; false when it is empty.
bool desktopbus_read_begin(desktopbus_message *message, desktopbus_iterator *iterator);

// Reads the value at the iterator: its type, and its contents when basic. 0 at the end. A
// descriptor is a duplicate that the caller owns, -1 when none was left.
int desktopbus_read(desktopbus_iterator *iterator, desktopbus_value *value);

// The type code of an array's elements.
int desktopbus_element_type(desktopbus_iterator *iterator);

// Steps forward; false at the end.
bool desktopbus_next(desktopbus_iterator *iterator);

// Enters a container.
void desktopbus_recurse(desktopbus_iterator *iterator, desktopbus_iterator *child);

// The bytes of an array of bytes; they belong to the message.
const uint8_t *desktopbus_read_bytes(desktopbus_iterator *iterator, int *count);

// The signature at the iterator, to be given back with desktopbus_free.
char *desktopbus_signature(desktopbus_iterator *iterator);

// The machine's id for org.freedesktop.DBus.Peer, to be given back with desktopbus_free; NULL
// where the machine has none.
char *desktopbus_machine_id(void);

// The size of a message's arguments, from the lengths that it states: its cost does not depend on it.
uint64_t desktopbus_body_size(desktopbus_message *message);

// How many descriptors a message brings, by its arguments; one at least where it brings any.
int desktopbus_descriptors(desktopbus_message *message);

// Gives back a string of libdbus.
void desktopbus_free(char *string);

// An empty file in memory that may be sealed; -1 with errno where there is none. The C library
// declares memfd_create(2) for GNU sources only, which Swift's import of it is not.
int desktopbus_memory_file(void);

#endif
