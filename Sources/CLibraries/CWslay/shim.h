#pragma once
#include <wslay/wslay.h>
// Swift's own module of the C library leaves these out.
#include <sys/epoll.h>
#include <sys/eventfd.h>
