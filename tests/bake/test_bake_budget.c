// SPDX-License-Identifier: MIT
#include "test.h"
void test_bake_budget(void)
{
}
