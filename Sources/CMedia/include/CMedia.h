#ifndef CMEDIA_H
#define CMEDIA_H

// The used parts of gdk-pixbuf, libsndfile and libcanberra, without their types: Swift cannot
// import GObject's macros and variadic calls, and must not call fork.

#include "Confinement.h"
#include "Image.h"
#include "Sound.h"

#endif
