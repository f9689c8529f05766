"""Which addresses a push bot may have: none through which the service could be turned on its own network.

Checked at registration and, because names can come to mean another address, again for the very
address of each connection (`referee.service.pushing`).
"""

from __future__ import annotations

import ipaddress
import socket
from urllib.parse import urlsplit

from referee.service.problems import ServiceProblem

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
PORTS = frozenset({80, 443, *range(1024, 65536)})
LONGEST = 2000

# `is_global` alone calls some of these global, depending on the edition of Python.
BLOCKED = tuple(
    ipaddress.ip_network(network)
    for network in [
        "0.0.0.0/8",
        "10.0.0.0/8",
        "100.64.0.0/10",
        "127.0.0.0/8",
        "169.254.0.0/16",
        "172.16.0.0/12",
        "192.0.0.0/24",
        "192.0.2.0/24",
        "192.88.99.0/24",
        "192.168.0.0/16",
        "198.18.0.0/15",
        "198.51.100.0/24",
        "203.0.113.0/24",
        "224.0.0.0/4",
        "240.0.0.0/4",
        "::/128",
        "::1/128",
        "::ffff:0:0:0/96",
        "64:ff9b:1::/48",
        "100::/64",
        "2001::/23",
        "2001:db8::/32",
        "3fff::/20",
        "5f00::/16",
        "fc00::/7",
        "fe80::/10",
        "fec0::/10",
        "ff00::/8",
    ]
)
TRANSLATED = (ipaddress.ip_network("64:ff9b::/96"), ipaddress.ip_network("::/96"))  # the last 32 bits are an IPv4
SIX_TO_FOUR = ipaddress.ip_network("2002::/16")


def is_public(address: str) -> bool:
    """Tells whether an IP address, unwrapped of translations, lies outside every private or special network.

    >>> is_public("9.9.9.9"), is_public("::ffff:10.0.0.1"), is_public("169.254.169.254")
    (True, False, False)
    """
    try:
        found = _unwrapped(ipaddress.ip_address(address.split("%")[0]))
    except ValueError:
        return False
    return found.is_global and not any(found in network for network in BLOCKED if network.version == found.version)


def _unwrapped(address: Address) -> Address:
    if isinstance(address, ipaddress.IPv4Address):
        return address
    if address.ipv4_mapped is not None:
        return address.ipv4_mapped
    if address in SIX_TO_FOUR:
        return ipaddress.IPv4Address(int(address) >> 80 & 0xFFFFFFFF)
    if any(address in network for network in TRANSLATED) and int(address) & 0xFFFFFFFF > 1:
        return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    return address


def require_public(url: str, *, allow_private: bool) -> None:
    """Lets an address of a push bot pass. 422 `push/address_refused` says what is wrong with it.

    A name that cannot be resolved now passes: each call looks again.
    """
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError as problem:
        raise refused(url, str(problem)) from problem
    if any(letter.isspace() or not letter.isprintable() for letter in url):
        raise refused(url, "it must hold no spaces and no control characters")
    if parts.scheme not in ("http", "https") or not host or len(url) > LONGEST:
        raise refused(url, f"it must be an http or https address of at most {LONGEST} characters")
    if parts.username is not None or parts.password is not None:
        raise refused(url, "it must hold no user or password; calls are signed instead")
    if port == 0 or "%" in host or not _is_host(host):
        raise refused(url, "its host is no name, or its port 0, or it names an interface")
    if allow_private:
        return
    port = port or (443 if parts.scheme == "https" else 80)
    if port not in PORTS:
        raise refused(url, f"port {port} is none of 80, 443 and 1024 to 65535")
    host = host.rstrip(".")  # a name may be written with the dot of the root, and means the same
    if host == "localhost" or host.endswith(".localhost"):
        raise refused(url, f"{host} is always this machine itself (RFC 6761)")
    if not all(is_public(found) for found in resolved(host, port)):  # which it is, is nobody's affair outside
        raise refused(url, f"{host} is a private, loopback, link-local or special address, or a name of one")


def _is_host(host: str) -> bool:
    """Tells whether this is an IPv6 address, or what can be looked up as a name: no part of it empty or too long."""
    try:
        return ":" in host or bool(host.rstrip(".").encode("idna"))
    except UnicodeError:
        return False


def resolved(host: str, port: int) -> list[str]:
    """Are the IP addresses a host name means here and now, as a connection would use them; none if unknown."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        return []
    return [str(entry[4][0]) for entry in found]


def refused(url: str, reason: str) -> ServiceProblem:
    """Is the 422 for an address that is not called."""
    detail = f"{url!r} is not called: {reason}."
    errors = [{"pointer": "/url", "detail": reason}]
    return ServiceProblem(422, "push/address_refused", title="Address refused", detail=detail, errors=errors)
