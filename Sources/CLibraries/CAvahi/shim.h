#pragma once
#include <avahi-client/client.h>
#include <avahi-client/lookup.h>
#include <avahi-client/publish.h>
#include <avahi-common/address.h>
#include <avahi-common/alternative.h>
#include <avahi-common/error.h>
#include <avahi-common/malloc.h>
#include <avahi-common/simple-watch.h>
#include <avahi-common/strlst.h>

// The flags are C macros and enumerations; the functions accept either.
static const AvahiClientFlags cavahi_client_no_fail = AVAHI_CLIENT_NO_FAIL;
static const AvahiPublishFlags cavahi_publish_plain = (AvahiPublishFlags)0;
static const AvahiLookupFlags cavahi_lookup_plain = (AvahiLookupFlags)0;
static const AvahiIfIndex cavahi_any_interface = AVAHI_IF_UNSPEC;
static const AvahiProtocol cavahi_any_protocol = AVAHI_PROTO_UNSPEC;
static const AvahiProtocol cavahi_ipv4 = AVAHI_PROTO_INET;
static const AvahiProtocol cavahi_ipv6 = AVAHI_PROTO_INET6;
