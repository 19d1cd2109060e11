// SPDX-License-Identifier: MIT
#include "test.h"
void test_body_bar(void);
void test_body_bar(void)
{
}
