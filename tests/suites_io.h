// SPDX-License-Identifier: MIT
// The suites that need libpelt_io: SUITE(x) is `void test_x(void)` in tests/test_x.c.
SUITE(save)
SUITE(pose_json)
