#include "CVPlayCLI.h"
