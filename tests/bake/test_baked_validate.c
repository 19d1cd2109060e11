// SPDX-License-Identifier: MIT
#include "test.h"
void test_baked_validate(void)
{
}
