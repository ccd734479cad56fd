#ifndef CLINUX_ARGUMENT_BLOCK_H
#define CLINUX_ARGUMENT_BLOCK_H

// The texts of a block, each ended by NUL and the last followed by another NUL, as the list that
// exec(3) takes; the caller frees the list. NULL where there is no memory.
char **clinux_split(const char *block);

#endif
