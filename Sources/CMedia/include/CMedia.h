#ifndef CMEDIA_H
#define CMEDIA_H

// What is used of gdk-pixbuf, libsndfile and libcanberra, without their types: GObject's macros and
// variadic calls cannot be imported into Swift, nor may Swift call fork.

#include "Confinement.h"
#include "Picture.h"
#include "Sound.h"

#endif
