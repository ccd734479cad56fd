#include "CCoreLocation.h"

// UserNotifications defines this function. A program that links CoreLocation alone has no
// notification centre that could ask the user.
extern void tocsin_provide_location(void) __attribute__((weak));

void tocsin_connect_location(void) {
    if (tocsin_provide_location) tocsin_provide_location();
}
