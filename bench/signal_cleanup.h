// SPDX-License-Identifier: MIT
// A program that ends by a signal leaves no temporary files behind.
#ifndef PELT_SIGNAL_CLEANUP_H
#define PELT_SIGNAL_CLEANUP_H

/// Install handlers of SIGINT, SIGTERM, SIGQUIT, SIGHUP and SIGPIPE that call pelt_save_abort() and
/// then end the program by the default action, so that its exit status tells the signal. Signals
/// that are ignored, as under nohup, stay ignored. For programs; a library installs no handlers.
/// @param interrupt  called in the handler as well, so async-signal-safe; or NULL
void signal_cleanup_install(void (*interrupt)(void));

#endif
