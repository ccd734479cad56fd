#include "CDesktopBus.h"

#include <limits.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static dbus_bool_t add_watch(DBusWatch *watch, void *data) {
    desktopbus_connection *connection = data;
    if (connection->watch_count == DESKTOPBUS_WATCH_LIMIT) return FALSE;
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

// desktopbus_descriptor reads the watches before each poll, so a change needs no action here.
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
    dbus_connection_set_max_message_unix_fds(bus, DESKTOPBUS_DESCRIPTOR_LIMIT);
    // Turn off two limits of libdbus. It would stop reading while the messages in use hold 63 MiB
    // or 4,096 descriptors. Then it would read no answer to our own calls, and no signal that a
    // caller has left. InvocationTable limits the bytes and descriptors of calls instead.
    dbus_connection_set_max_received_size(bus, LONG_MAX);
    dbus_connection_set_max_received_unix_fds(bus, LONG_MAX);
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
    // Handling one watch may remove another watch, so look up each watch again before handling it.
    DBusWatch *pending[DESKTOPBUS_WATCH_LIMIT];
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
        // Memory ran out. The unread message would keep the socket readable, so the reactor would
        // never sleep. Close the connection: a new connection begins without that message.
        dbus_connection_close(connection->bus);
        break;
    }
    dbus_connection_unref(connection->bus);
}

static uint64_t size_from(DBusMessageIter *iterator) {
    uint64_t size = 0;
    for (; dbus_message_iter_get_arg_type(iterator) != DBUS_TYPE_INVALID;
         dbus_message_iter_next(iterator)) {
        DBusMessageIter child;
        DBusBasicValue value;
        size += 8;
        switch (dbus_message_iter_get_arg_type(iterator)) {
        case DBUS_TYPE_ARRAY:
            dbus_message_iter_recurse(iterator, &child);
            // libdbus deprecates this function only because few programs need it. Any other way to
            // get the length walks through the array.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
            size += (uint64_t)dbus_message_iter_get_array_len(&child);
#pragma GCC diagnostic pop
            break;
        case DBUS_TYPE_STRING:
        case DBUS_TYPE_OBJECT_PATH:
        case DBUS_TYPE_SIGNATURE:
            dbus_message_iter_get_basic(iterator, &value);
            size += strlen(value.str);
            break;
        case DBUS_TYPE_VARIANT:
        case DBUS_TYPE_STRUCT:
            dbus_message_iter_recurse(iterator, &child);
            size += size_from(&child);
        }
    }
    return size;
}

uint64_t desktopbus_body_size(DBusMessage *message) {
    DBusMessageIter iterator;
    return dbus_message_iter_init(message, &iterator) ? size_from(&iterator) : 0;
}

static int descriptors_from(DBusMessageIter *iterator) {
    int count = 0;
    for (; count <= DESKTOPBUS_DESCRIPTOR_LIMIT
           && dbus_message_iter_get_arg_type(iterator) != DBUS_TYPE_INVALID;
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

int desktopbus_descriptors(DBusMessage *message) {
    if (!dbus_message_contains_unix_fds(message)) return 0;
    DBusMessageIter iterator;
    int count = dbus_message_iter_init(message, &iterator) ? descriptors_from(&iterator) : 0;
    return count > 0 ? count : 1;
}
