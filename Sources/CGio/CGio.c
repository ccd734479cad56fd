#include "CGio.h"
#include <gio/gdesktopappinfo.h>
#include <gio/gio.h>
#include <string.h>

int cgio_desktop_entry(const char *desktop_id, char **ret_name, char **ret_icon) {
    GDesktopAppInfo *entry = g_desktop_app_info_new(desktop_id);
    if (entry == NULL) return 0;
    GIcon *icon = g_app_info_get_icon(G_APP_INFO(entry));
    *ret_name = g_strdup(g_app_info_get_display_name(G_APP_INFO(entry)));
    *ret_icon = icon == NULL ? NULL : g_icon_to_string(icon);
    g_object_unref(entry);
    return 1;
}

char *cgio_desktop_text(const char *desktop_id, const char *key) {
    GDesktopAppInfo *entry = g_desktop_app_info_new(desktop_id);
    if (entry == NULL) return NULL;
    char *text = g_desktop_app_info_get_locale_string(entry, key);
    g_object_unref(entry);
    return text;
}

char *cgio_desktop_key(const char *desktop_id, const char *key) {
    GDesktopAppInfo *entry = g_desktop_app_info_new(desktop_id);
    if (entry == NULL) return NULL;
    char *value = g_desktop_app_info_get_string(entry, key);
    g_object_unref(entry);
    return value;
}

char *cgio_desktop_file(const char *desktop_id) {
    GDesktopAppInfo *entry = g_desktop_app_info_new(desktop_id);
    if (entry == NULL) return NULL;
    char *path = g_strdup(g_desktop_app_info_get_filename(entry));
    g_object_unref(entry);
    return path;
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
