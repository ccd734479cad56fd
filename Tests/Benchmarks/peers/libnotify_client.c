/* Posts COUNT notifications as a program with libnotify does, one after the other.
 * Prints the time of the first post (CLOCK_REALTIME, nanoseconds). */
#include <libnotify/notify.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int main(int argc, char **argv) {
    int count = argc > 1 ? atoi(argv[1]) : 1;
    if (!notify_init("bench")) { fputs("libnotify_client: no bus\n", stderr); return 1; }
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    printf("%lld\n", time.tv_sec * 1000000000LL + time.tv_nsec);
    for (int index = 0; index < count; index++) {
        char summary[32];
        GError *error = NULL;
        snprintf(summary, sizeof summary, "libnotify %d", index);
        NotifyNotification *notification = notify_notification_new(summary, "body", NULL);
        if (!notify_notification_show(notification, &error)) {
            fprintf(stderr, "libnotify_client: %s\n", error->message);
            return 1;
        }
        g_object_unref(notification);
    }
    return 0;
}
