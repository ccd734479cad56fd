"""Swift code as text: without its comments, and by functions and blocks."""

import re

FUNCTION = re.compile(
    r"^\s*(?:[@\w()]+\s+)*(?:func\s+\S+|init[?!]?\s*[(<]|deinit\b|subscript\s*[(<])")


def without_comments(text):
    """The text with comments and string contents blanked, line numbers unchanged."""
    blank = lambda found: re.sub(r"[^\n]", " ", found.group(0))
    keep_quotes = lambda found: '"' + " " * (len(found.group(0)) - 2) + '"'
    text = re.sub(r'(#*)"""(?s:.*?)"""\1', blank, text)
    text = re.sub(r'"(?:\\.|[^"\\\n])*"', keep_quotes, text)
    text = re.sub(r"/\*(?s:.*?)\*/", blank, text)
    return re.sub(r"//[^\n]*", blank, text)


def functions(lines):
    """(line, length) of each function with a body, by counting braces."""
    for start, line in enumerate(lines):
        if not FUNCTION.match(line):
            continue
        depth, opened = 0, False
        for end in range(start, len(lines)):
            depth += lines[end].count("{") - lines[end].count("}")
            opened = opened or "{" in lines[end]
            if opened and depth <= 0:
                yield start + 1, end - start + 1
                break
            if not opened and (lines[end].strip() == "" or end > start + 25):
                break


def block_end(code, start):
    """The index of the brace that closes the block whose first character is at `start`."""
    depth = 1
    for index in range(start, len(code)):
        depth += {"{": 1, "}": -1}.get(code[index], 0)
        if depth == 0:
            return index
    return len(code)
