#pragma once
#include <wslay/wslay.h>
// Not included in Swift's C library module.
#include <sys/epoll.h>
#include <sys/eventfd.h>
