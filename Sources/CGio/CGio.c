#include "CGio.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <gio/gdesktopappinfo.h>
#include <gio/gio.h>
#include <string.h>

static void *end_at_once(void *nothing) { return nothing; }

// The first search starts a thread of GLib's, which ends the process where it cannot: such a search
// finds nothing instead.
static GDesktopAppInfo *find_entry(const char *desktop_id) {
    static atomic_bool has_searched;
    if (!atomic_load(&has_searched)) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, end_at_once, NULL) != 0) return NULL;
        pthread_join(thread, NULL);
    }
    GDesktopAppInfo *entry = g_desktop_app_info_new(desktop_id);
    atomic_store(&has_searched, true);
    return entry;
}

int cgio_desktop_entry(const char *desktop_id, char **ret_name, char **ret_icon) {
    GDesktopAppInfo *entry = find_entry(desktop_id);
    if (entry == NULL) return 0;
    GIcon *icon = g_app_info_get_icon(G_APP_INFO(entry));
    *ret_name = g_strdup(g_app_info_get_display_name(G_APP_INFO(entry)));
    *ret_icon = icon == NULL ? NULL : g_icon_to_string(icon);
    g_object_unref(entry);
    return 1;
}

char *cgio_desktop_text(const char *desktop_id, const char *key) {
    GDesktopAppInfo *entry = find_entry(desktop_id);
    if (entry == NULL) return NULL;
    char *text = g_desktop_app_info_get_locale_string(entry, key);
    g_object_unref(entry);
    return text;
}

char *cgio_desktop_key(const char *desktop_id, const char *key) {
    GDesktopAppInfo *entry = find_entry(desktop_id);
    if (entry == NULL) return NULL;
    char *value = g_desktop_app_info_get_string(entry, key);
    g_object_unref(entry);
    return value;
}

char *cgio_desktop_file(const char *desktop_id) {
    GDesktopAppInfo *entry = find_entry(desktop_id);
    if (entry == NULL) return NULL;
    char *path = g_strdup(g_desktop_app_info_get_filename(entry));
    g_object_unref(entry);
    return path;
}

int cgio_desktop_command(
    const char *desktop_id, const char *key, char **ret_command, char **ret_file, int *ret_is_marked
) {
    static const char *const marks[] = {"X-Flatpak", "X-SnapInstanceName", "X-SnapAppName"};
    GDesktopAppInfo *entry = find_entry(desktop_id);
    if (entry == NULL) return 0;
    char *command = g_desktop_app_info_get_string(entry, key);
    if (command != NULL) {
        const char *file = g_desktop_app_info_get_filename(entry);
        *ret_command = command;
        *ret_file = g_strdup(file == NULL ? "" : file);
        *ret_is_marked = 0;
        for (size_t index = 0; index < G_N_ELEMENTS(marks); index++) {
            if (g_desktop_app_info_has_key(entry, marks[index])) *ret_is_marked = 1;
        }
    }
    g_object_unref(entry);
    return command != NULL;
}

char *cgio_command_words(const char *command, int *ret_count) {
    char **words = NULL;
    if (!g_shell_parse_argv(command, ret_count, &words, NULL)) return NULL;
    GString *block = g_string_new(NULL);
    for (int index = 0; index < *ret_count; index++) {
        g_string_append_len(block, words[index], (gssize)strlen(words[index]) + 1);
    }
    g_strfreev(words);
    return g_string_free(block, FALSE);
}

void cgio_free(char *text) {
    g_free(text);
}
