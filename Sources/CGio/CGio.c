#include "CGio.h"

#include <pthread.h>
#include <stdatomic.h>
#include <../gio-unix-2.0/gio/gdesktopappinfo.h>
#include <gio/gio.h>
#include <string.h>

static void *end_at_once(void *nothing) { return nothing; }

static atomic_bool has_searched;

// The first search starts a thread of GLib, and GLib ends the process if no thread can start. So if
// no thread can start, skip the search and find nothing.
static bool can_search(void) {
    if (atomic_load(&has_searched)) return true;
    pthread_t thread;
    if (pthread_create(&thread, NULL, end_at_once, NULL) != 0) return false;
    pthread_join(thread, NULL);
    return true;
}

cgio_entry *cgio_entry_open(const char *desktop_id) {
    if (!can_search()) return NULL;
    GDesktopAppInfo *entry = g_desktop_app_info_new(desktop_id);
    atomic_store(&has_searched, true);
    return entry;
}

bool cgio_opens_scheme(const char *scheme) {
    if (!can_search()) return false;
    GAppInfo *app = g_app_info_get_default_for_uri_scheme(scheme);
    atomic_store(&has_searched, true);
    if (app == NULL) return false;
    g_object_unref(app);
    return true;
}

void cgio_entry_close(cgio_entry *entry) {
    g_object_unref(entry);
}

const char *cgio_entry_name(cgio_entry *entry) {
    return g_app_info_get_display_name(G_APP_INFO(entry));
}

const char *cgio_entry_file(cgio_entry *entry) {
    return g_desktop_app_info_get_filename(entry);
}

char *cgio_entry_icon(cgio_entry *entry) {
    GIcon *icon = g_app_info_get_icon(G_APP_INFO(entry));
    return icon == NULL ? NULL : g_icon_to_string(icon);
}

char *cgio_entry_value(cgio_entry *entry, const char *key) {
    return g_desktop_app_info_get_string(entry, key);
}

char *cgio_entry_localized_value(cgio_entry *entry, const char *key) {
    return g_desktop_app_info_get_locale_string(entry, key);
}

bool cgio_entry_has_key(cgio_entry *entry, const char *key) {
    return g_desktop_app_info_has_key(entry, key);
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
