#pragma once

// Lets the header of a response share packets with the content that follows it in another system call.

/// Makes the next send() of this thread to a socket keep its bytes back until more follow, for at most 200 ms (MSG_MORE).
void chs_hold_next_send(int socket);

/// Withdraws what chs_hold_next_send has announced for a socket of this thread.
void chs_forget(int socket);
