// SPDX-License-Identifier: MIT
#include "test.h"
void test_texture_vectors(void)
{
}
