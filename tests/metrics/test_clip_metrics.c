// SPDX-License-Identifier: MIT
#include "test.h"
void test_clip_metrics(void);
void test_clip_metrics(void)
{
}
