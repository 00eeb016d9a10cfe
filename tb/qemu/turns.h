/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SARE_QEMU_TURNS_H
#define SARE_QEMU_TURNS_H

/* QEMU's main loop and the guest's processor take turns.
 *
 * QEMU lets its main loop run beside the processor. With -icount it may then look at the virtual clock
 * between the instruction that halts the processor and the moment when the instructions before it are
 * counted, and skip too much idle time: seldom, but a run of a minute has a million such moments, and each
 * makes another run of it. With turns, the main loop has the lock of all devices only while the processor
 * sleeps. Timers of the virtual clock need no more: the processor's own thread runs those that fall due while
 * it is awake. */

/* Makes main loop and processor take turns from now on. Call before the processor's thread is there. */
void turns_begin(void);

/* Ends the turns, for the guest's end, which is the main loop's work. Call with the lock of all devices held.
 */
void turns_end(void);

/* Keeps the main loop busy with nothing from now on, for tests: the results of a run must not change by it.
 */
void turns_stir(void);

#endif
