#pragma once

/// Lets UserNotifications provide the location of the device, if the program links
/// UserNotifications.
void tocsin_connect_location(void);
