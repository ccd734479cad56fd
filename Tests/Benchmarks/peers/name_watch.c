/* Starts a program and prints two times in microseconds from its exec: until it owned NAME on the
 * bus, and until it had answered METHOD. Then ends the program. The path of the object is made
 * from NAME.
 *
 *     name_watch NAME METHOD PROGRAM [ARGUMENT...] */
#include "notify.h"
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static long long appeared;

static DBusHandlerResult handle(DBusConnection *bus, DBusMessage *message, void *wanted) {
    const char *name, *former, *owner;
    (void)bus;
    if (dbus_message_is_signal(message, DBUS_INTERFACE_DBUS, "NameOwnerChanged")
        && dbus_message_get_args(message, NULL, DBUS_TYPE_STRING, &name, DBUS_TYPE_STRING, &former,
                                 DBUS_TYPE_STRING, &owner, DBUS_TYPE_INVALID)
        && !strcmp(name, wanted) && *owner)
        appeared = nanoseconds(CLOCK_MONOTONIC);
    return DBUS_HANDLER_RESULT_NOT_YET_HANDLED;
}

static DBusMessage *question(const char *name, const char *method) {
    char path[256];
    snprintf(path, sizeof path, "/%s", name);
    for (char *place = path; *place; place++) if (*place == '.') *place = '/';
    return dbus_message_new_method_call(name, path, name, method);
}

int main(int argc, char **argv) {
    int status;
    if (argc < 4) return 64;
    DBusConnection *bus = session_bus("name_watch");
    dbus_bus_add_match(bus, "type='signal',member='NameOwnerChanged'", NULL);
    dbus_connection_add_filter(bus, handle, argv[1], NULL);
    dbus_connection_flush(bus);
    long long start = nanoseconds(CLOCK_MONOTONIC);
    pid_t child = fork();
    if (child == 0) {
        if (!freopen("/dev/null", "w", stdout)) _exit(127);
        execvp(argv[3], argv + 3);
        _exit(127);
    }
    while (!appeared && waitpid(child, &status, WNOHANG) == 0)
        if (!dbus_connection_read_write_dispatch(bus, 1000)) return 1;
    if (!appeared) { fprintf(stderr, "name_watch: %s ended at once\n", argv[3]); return 1; }
    DBusMessage *call = question(argv[1], argv[2]);
    DBusMessage *reply = dbus_connection_send_with_reply_and_block(bus, call, 60000, NULL);
    long long answered = nanoseconds(CLOCK_MONOTONIC);
    kill(child, SIGTERM);
    waitpid(child, &status, 0);
    if (!reply) { fprintf(stderr, "name_watch: no answer of %s\n", argv[3]); return 1; }
    printf("%lld %lld\n", (appeared - start) / 1000, (answered - start) / 1000);
    return 0;
}
