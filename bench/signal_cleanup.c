// SPDX-License-Identifier: MIT
// Signal handlers that remove temporary files.
#define _XOPEN_SOURCE 700

#include "signal_cleanup.h"

#include "pelt/io.h"

#include <signal.h>

static void (*on_interrupt)(void);

static void on_signal(int number)
{
    pelt_save_abort();
    if (on_interrupt != NULL)
    {
        on_interrupt();
    }
    // The default action is next (SA_RESETHAND).
    raise(number);
}

void signal_cleanup_install(void (*interrupt)(void))
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGQUIT, SIGHUP, SIGPIPE};

    on_interrupt = interrupt;
    struct sigaction action = {.sa_flags = (int)SA_RESETHAND};
    action.sa_handler = on_signal;
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; ++i)
    {
        struct sigaction previous;
        bool is_ignored =
            sigaction(numbers[i], NULL, &previous) == 0 && previous.sa_handler == SIG_IGN;
        if (!is_ignored)
        {
            sigaction(numbers[i], &action, NULL);
        }
    }
}
