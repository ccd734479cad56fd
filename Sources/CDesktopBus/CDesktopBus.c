#include "CDesktopBus.h"
