// SPDX-License-Identifier: MIT
#include "test.h"
void test_body(void);
void test_body(void)
{
}
