#ifndef CMEDIA_H
#define CMEDIA_H

// The parts of gdk-pixbuf, libsndfile and libcanberra that our Swift code uses, without their
// types. Swift cannot import GObject's macros and variadic calls, and must not call fork.

#include "Confinement.h"
#include "Image.h"
#include "Sound.h"

#endif
