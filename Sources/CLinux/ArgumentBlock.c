#include "ArgumentBlock.h"
#include <stdlib.h>
#include <string.h>

char **clinux_split(const char *block) {
    size_t count = 0;
    for (const char *text = block; *text; text += strlen(text) + 1) count++;
    char **list = calloc(count + 1, sizeof *list);
    if (!list) return NULL;
    size_t index = 0;
    for (const char *text = block; *text; text += strlen(text) + 1) list[index++] = (char *)text;
    return list;
}
