#define _GNU_SOURCE // memfd_create
#include "CDesktopBus.h"

#include <dbus/dbus.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

_Static_assert(
    sizeof(DBusMessageIter) <= sizeof(desktopbus_iterator), "DBusMessageIter has grown");

// libdbus uses two watches per connection; more would only come with a new transport.
enum { WATCH_LIMIT = 8 };

// What one sendmsg(2) may carry: a peer that sends so many must not cost us the connection.
enum { DESCRIPTORS_PER_MESSAGE = 253 };

struct desktopbus_connection {
    DBusConnection *bus;
    DBusWatch *watches[WATCH_LIMIT];
    int watch_count;
};

static DBusMessage *M(desktopbus_message *message) { return (DBusMessage *)message; }

static DBusMessageIter *I(desktopbus_iterator *iterator) { return (DBusMessageIter *)iterator; }

void desktopbus_initialize(void) { dbus_threads_init_default(); }

static dbus_bool_t add_watch(DBusWatch *watch, void *data) {
    desktopbus_connection *connection = data;
    if (connection->watch_count == WATCH_LIMIT) return FALSE;
    connection->watches[connection->watch_count++] = watch;
    return TRUE;
}

static void remove_watch(DBusWatch *watch, void *data) {
    desktopbus_connection *connection = data;
    for (int index = 0; index < connection->watch_count; index++) {
        if (connection->watches[index] != watch) continue;
        connection->watches[index] = connection->watches[--connection->watch_count];
        return;
    }
}

// What is enabled is asked for before each poll, so a change needs no action here.
static void toggle_watch(DBusWatch *watch, void *data) {
    (void)watch;
    (void)data;
}

desktopbus_connection *desktopbus_open(const char *address, char *error, size_t error_size) {
    DBusError failure = DBUS_ERROR_INIT;
    DBusConnection *bus = dbus_connection_open_private(address, &failure);
    if (bus == NULL) {
        snprintf(error, error_size, "%s", failure.message ? failure.message : "no reason given");
        dbus_error_free(&failure);
        return NULL;
    }
    dbus_connection_set_exit_on_disconnect(bus, FALSE);
    dbus_connection_set_max_message_unix_fds(bus, DESCRIPTORS_PER_MESSAGE);
    desktopbus_connection *connection = calloc(1, sizeof *connection);
    if (connection != NULL) {
        connection->bus = bus;
        if (dbus_connection_set_watch_functions(
                bus, add_watch, remove_watch, toggle_watch, connection, NULL)) {
            return connection;
        }
    }
    snprintf(error, error_size, "out of memory");
    dbus_connection_close(bus);
    dbus_connection_unref(bus);
    free(connection);
    return NULL;
}

void desktopbus_close(desktopbus_connection *connection) {
    dbus_connection_close(connection->bus);
    dbus_connection_set_watch_functions(connection->bus, NULL, NULL, NULL, NULL, NULL);
    dbus_connection_unref(connection->bus);
    free(connection);
}

int desktopbus_descriptor(const desktopbus_connection *connection, short *events) {
    int descriptor = -1;
    *events = 0;
    for (int index = 0; index < connection->watch_count; index++) {
        DBusWatch *watch = connection->watches[index];
        descriptor = dbus_watch_get_unix_fd(watch);
        if (!dbus_watch_get_enabled(watch)) continue;
        unsigned int flags = dbus_watch_get_flags(watch);
        if (flags & DBUS_WATCH_READABLE) *events |= POLLIN;
        if (flags & DBUS_WATCH_WRITABLE) *events |= POLLOUT;
    }
    return descriptor;
}

void desktopbus_handle(desktopbus_connection *connection, short events) {
    unsigned int ready = 0;
    if (events & POLLIN) ready |= DBUS_WATCH_READABLE;
    if (events & POLLOUT) ready |= DBUS_WATCH_WRITABLE;
    if (events & POLLHUP) ready |= DBUS_WATCH_HANGUP;
    if (events & (POLLERR | POLLNVAL)) ready |= DBUS_WATCH_ERROR;
    dbus_connection_ref(connection->bus);
    // Handling one watch may remove the other: each is looked up again before its turn.
    DBusWatch *pending[WATCH_LIMIT];
    int count = connection->watch_count;
    for (int index = 0; index < count; index++) pending[index] = connection->watches[index];
    for (int index = 0; index < count; index++) {
        bool present = false;
        for (int other = 0; other < connection->watch_count; other++) {
            if (connection->watches[other] == pending[index]) present = true;
        }
        if (!present || !dbus_watch_get_enabled(pending[index])) continue;
        unsigned int wanted =
            dbus_watch_get_flags(pending[index]) | DBUS_WATCH_HANGUP | DBUS_WATCH_ERROR;
        if (!(ready & wanted) || dbus_watch_handle(pending[index], ready & wanted)) continue;
        // Memory ran out, and what cannot be read stays readable: the loop would never sleep again.
        // A new connection begins without the message that was too large.
        dbus_connection_close(connection->bus);
        break;
    }
    dbus_connection_unref(connection->bus);
}

desktopbus_message *desktopbus_pop(desktopbus_connection *connection) {
    return (desktopbus_message *)dbus_connection_pop_message(connection->bus);
}

bool desktopbus_is_connected(desktopbus_connection *connection) {
    return dbus_connection_get_is_connected(connection->bus);
}

bool desktopbus_can_send_descriptors(desktopbus_connection *connection) {
    return dbus_connection_can_send_type(connection->bus, DBUS_TYPE_UNIX_FD);
}

bool desktopbus_send(
    desktopbus_connection *connection, desktopbus_message *message, uint32_t *serial) {
    dbus_uint32_t number = 0;
    if (!dbus_connection_send(connection->bus, M(message), &number)) return false;
    *serial = number;
    return true;
}

int64_t desktopbus_queued_bytes(desktopbus_connection *connection) {
    return dbus_connection_get_outgoing_size(connection->bus);
}

bool desktopbus_has_unsent(desktopbus_connection *connection) {
    return dbus_connection_has_messages_to_send(connection->bus);
}

desktopbus_message *desktopbus_new_call(
    const char *destination, const char *path, const char *interface, const char *member,
    int flags) {
    DBusMessage *message = dbus_message_new_method_call(destination, path, interface, member);
    if (message == NULL) return NULL;
    if (flags & DESKTOPBUS_NO_REPLY_EXPECTED) dbus_message_set_no_reply(message, TRUE);
    if (flags & DESKTOPBUS_NO_AUTO_START) dbus_message_set_auto_start(message, FALSE);
    if (flags & DESKTOPBUS_ALLOW_INTERACTIVE_AUTHORIZATION) {
        dbus_message_set_allow_interactive_authorization(message, TRUE);
    }
    return (desktopbus_message *)message;
}

desktopbus_message *desktopbus_new_signal(
    const char *path, const char *interface, const char *member, const char *destination) {
    DBusMessage *message = dbus_message_new_signal(path, interface, member);
    if (message == NULL) return NULL;
    if (destination != NULL && !dbus_message_set_destination(message, destination)) {
        dbus_message_unref(message);
        return NULL;
    }
    return (desktopbus_message *)message;
}

static desktopbus_message *new_answer(
    int type, uint32_t reply_serial, const char *destination, const char *error_name) {
    DBusMessage *message = dbus_message_new(type);
    if (message == NULL) return NULL;
    dbus_message_set_no_reply(message, TRUE);
    if (dbus_message_set_reply_serial(message, reply_serial)
        && (destination == NULL || dbus_message_set_destination(message, destination))
        && (error_name == NULL || dbus_message_set_error_name(message, error_name))) {
        return (desktopbus_message *)message;
    }
    dbus_message_unref(message);
    return NULL;
}

desktopbus_message *desktopbus_new_return(uint32_t reply_serial, const char *destination) {
    return new_answer(DBUS_MESSAGE_TYPE_METHOD_RETURN, reply_serial, destination, NULL);
}

desktopbus_message *desktopbus_new_error(
    uint32_t reply_serial, const char *destination, const char *name) {
    return new_answer(DBUS_MESSAGE_TYPE_ERROR, reply_serial, destination, name);
}

void desktopbus_message_free(desktopbus_message *message) { dbus_message_unref(M(message)); }

void desktopbus_message_header(desktopbus_message *message, desktopbus_header *header) {
    header->type = dbus_message_get_type(M(message));
    header->serial = dbus_message_get_serial(M(message));
    header->reply_serial = dbus_message_get_reply_serial(M(message));
    header->no_reply_expected = dbus_message_get_no_reply(M(message));
    header->sender = dbus_message_get_sender(M(message));
    header->path = dbus_message_get_path(M(message));
    header->interface = dbus_message_get_interface(M(message));
    header->member = dbus_message_get_member(M(message));
    header->error_name = dbus_message_get_error_name(M(message));
    header->signature = dbus_message_get_signature(M(message));
}

void desktopbus_append_begin(desktopbus_message *message, desktopbus_iterator *iterator) {
    dbus_message_iter_init_append(M(message), I(iterator));
}

bool desktopbus_append_fixed(desktopbus_iterator *iterator, int type, const void *value) {
    if (type == DBUS_TYPE_BOOLEAN) {
        dbus_bool_t wide = *(const bool *)value;
        return dbus_message_iter_append_basic(I(iterator), type, &wide);
    }
    return dbus_message_iter_append_basic(I(iterator), type, value);
}

bool desktopbus_append_string(desktopbus_iterator *iterator, int type, const char *string) {
    return dbus_message_iter_append_basic(I(iterator), type, &string);
}

bool desktopbus_append_bytes(desktopbus_iterator *iterator, const uint8_t *bytes, int count) {
    DBusMessageIter array;
    if (!dbus_message_iter_open_container(I(iterator), DBUS_TYPE_ARRAY, "y", &array)) return false;
    if (count > 0
        && !dbus_message_iter_append_fixed_array(&array, DBUS_TYPE_BYTE, &bytes, count)) {
        dbus_message_iter_abandon_container(I(iterator), &array);
        return false;
    }
    return dbus_message_iter_close_container(I(iterator), &array);
}

bool desktopbus_open_container(
    desktopbus_iterator *parent, int type, const char *contents, desktopbus_iterator *child) {
    return dbus_message_iter_open_container(I(parent), type, contents, I(child));
}

bool desktopbus_close_container(desktopbus_iterator *parent, desktopbus_iterator *child) {
    return dbus_message_iter_close_container(I(parent), I(child));
}

void desktopbus_abandon_container(desktopbus_iterator *parent, desktopbus_iterator *child) {
    dbus_message_iter_abandon_container(I(parent), I(child));
}

bool desktopbus_read_begin(desktopbus_message *message, desktopbus_iterator *iterator) {
    return dbus_message_iter_init(M(message), I(iterator));
}

int desktopbus_read(desktopbus_iterator *iterator, desktopbus_value *value) {
    value->type = dbus_message_iter_get_arg_type(I(iterator));
    if (value->type == DBUS_TYPE_BOOLEAN) {
        dbus_bool_t wide = FALSE;
        dbus_message_iter_get_basic(I(iterator), &wide);
        value->boolean = wide != FALSE;
    } else if (dbus_type_is_basic(value->type)) {
        dbus_message_iter_get_basic(I(iterator), &value->uint64);
    }
    return value->type;
}

int desktopbus_element_type(desktopbus_iterator *iterator) {
    return dbus_message_iter_get_element_type(I(iterator));
}

bool desktopbus_next(desktopbus_iterator *iterator) {
    return dbus_message_iter_next(I(iterator));
}

void desktopbus_recurse(desktopbus_iterator *iterator, desktopbus_iterator *child) {
    dbus_message_iter_recurse(I(iterator), I(child));
}

const uint8_t *desktopbus_read_bytes(desktopbus_iterator *iterator, int *count) {
    DBusMessageIter array;
    const uint8_t *bytes = NULL;
    dbus_message_iter_recurse(I(iterator), &array);
    dbus_message_iter_get_fixed_array(&array, &bytes, count);
    return bytes;
}

char *desktopbus_signature(desktopbus_iterator *iterator) {
    return dbus_message_iter_get_signature(I(iterator));
}

static uint64_t size_at(DBusMessageIter *iterator) {
    DBusMessageIter child;
    DBusBasicValue value;
    uint64_t size = 8;
    switch (dbus_message_iter_get_arg_type(iterator)) {
    case DBUS_TYPE_ARRAY:
        dbus_message_iter_recurse(iterator, &child);
        // Deprecated for no other reason than that few need it: nothing else tells without a walk.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
        return size + (uint64_t)dbus_message_iter_get_array_len(&child);
#pragma GCC diagnostic pop
    case DBUS_TYPE_STRING:
    case DBUS_TYPE_OBJECT_PATH:
    case DBUS_TYPE_SIGNATURE:
        dbus_message_iter_get_basic(iterator, &value);
        return size + strlen(value.str);
    case DBUS_TYPE_VARIANT:
    case DBUS_TYPE_STRUCT:
        dbus_message_iter_recurse(iterator, &child);
        while (dbus_message_iter_get_arg_type(&child) != DBUS_TYPE_INVALID) {
            size += size_at(&child);
            dbus_message_iter_next(&child);
        }
        return size;
    default: return size;
    }
}

uint64_t desktopbus_body_size(desktopbus_message *message) {
    DBusMessageIter iterator;
    uint64_t size = 0;
    if (!dbus_message_iter_init(M(message), &iterator)) return 0;
    while (dbus_message_iter_get_arg_type(&iterator) != DBUS_TYPE_INVALID) {
        size += size_at(&iterator);
        dbus_message_iter_next(&iterator);
    }
    return size;
}

static int descriptors_from(DBusMessageIter *iterator) {
    int count = 0;
    for (; dbus_message_iter_get_arg_type(iterator) != DBUS_TYPE_INVALID;
         dbus_message_iter_next(iterator)) {
        int type = dbus_message_iter_get_arg_type(iterator);
        if (type == DBUS_TYPE_UNIX_FD) count++;
        if (!dbus_type_is_container(type)) continue;
        if (type == DBUS_TYPE_ARRAY) {
            int element = dbus_message_iter_get_element_type(iterator);
            if (dbus_type_is_fixed(element) && element != DBUS_TYPE_UNIX_FD) continue;
        }
        DBusMessageIter child;
        dbus_message_iter_recurse(iterator, &child);
        count += descriptors_from(&child);
    }
    return count;
}

int desktopbus_descriptors(desktopbus_message *message) {
    if (!dbus_message_contains_unix_fds(M(message))) return 0;
    DBusMessageIter iterator;
    int count = dbus_message_iter_init(M(message), &iterator) ? descriptors_from(&iterator) : 0;
    return count > 0 ? count : 1;
}

char *desktopbus_machine_id(void) { return dbus_try_get_local_machine_id(NULL); }

void desktopbus_free(char *string) { dbus_free(string); }

int desktopbus_memory_file(void) {
    return memfd_create("message", MFD_CLOEXEC | MFD_ALLOW_SEALING);
}
