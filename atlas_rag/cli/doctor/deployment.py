"""Looks at a deployment from outside in: name, port, TLS, log-in, clock, search."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from atlas_rag.cli import places
from atlas_rag.cli.doctor.finding import Finding
from atlas_rag.errors import AtlasRagError

PATIENCE = 3.0
"""Seconds given to one connection."""
CLOCK_SKEW = 60.0
"""Seconds; tokens of cloud accounts and certificates are refused beyond a few minutes."""
DEFAULT_PORT = 27017


def deployment(address: str) -> Iterator[Finding]:
    """What can be seen of the deployment; stops where nothing further can be."""
    servers = list(_servers(address))
    yield from (finding for finding, _ in servers)
    reached = False
    for _, place in servers:
        if place is not None:
            finding = _door(*place, tls=_wants_tls(address))
            reached = reached or finding.state == "well"
            yield finding
    if reached:
        yield from _inside(address)


def _servers(address: str) -> Iterator[tuple[Finding, tuple[str, int] | None]]:
    """The hosts that an address names, looked up."""
    where = places.hosts(address)
    if not address.startswith("mongodb+srv://"):
        for one in where.split(","):
            name, _, port = one.rpartition(":") if one.rpartition(":")[2].isdecimal() else (one, "", "")
            yield _looked_up(name.strip("[]"), int(port or DEFAULT_PORT))
        return
    import dns.exception
    import dns.resolver

    try:
        answers = dns.resolver.resolve(f"_mongodb._tcp.{where}", "SRV", lifetime=PATIENCE)
    except dns.exception.DNSException as error:
        remedy = "check the name; some networks block SRV records: use the address that begins mongodb://"
        yield Finding("DNS", f"{where}: {type(error).__name__}", "ill", remedy), None
        return
    for answer in answers:
        yield _looked_up(str(answer.target).rstrip("."), answer.port)


def _looked_up(host: str, port: int) -> tuple[Finding, tuple[str, int] | None]:
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except OSError as error:
        return Finding("DNS", f"{host}: {error.strerror}", "ill", "check the name of the host"), None
    return Finding("DNS", f"{host} is {found[0][4][0]}"), (host, port)


def _wants_tls(address: str) -> bool:
    options = address.partition("?")[2].lower()
    if "tls=false" in options or "ssl=false" in options:
        return False
    return address.startswith("mongodb+srv://") or "tls=true" in options or "ssl=true" in options


def _door(host: str, port: int, *, tls: bool) -> Finding:
    """Connects once, with TLS where the address asks for it."""
    where = f"{host}:{port}"
    try:
        with socket.create_connection((host, port), timeout=PATIENCE) as plain:
            return _handshake(plain, host, where) if tls else Finding("port", f"{where} is open, without TLS")
    except OSError as error:
        remedy = "is the server running? does a firewall or the network access list let this machine in?"
        return Finding("port", f"{where}: {error.strerror or 'no answer'}", "ill", remedy)


def _handshake(plain: socket.socket, host: str, where: str) -> Finding:
    try:
        with ssl.create_default_context().wrap_socket(plain, server_hostname=host) as secure:
            return Finding("TLS", f"{where} with {secure.version()}, {_valid_until(secure)}")
    except ssl.SSLCertVerificationError as error:
        remedy = "check the clock and the certificate; name its authority with tlsCAFile="
        return Finding("TLS", f"{where}: {error.verify_message}", "ill", remedy)
    except ssl.SSLError as error:
        remedy = "Atlas ends the handshake of machines that are not on its network access list"
        return Finding("TLS", f"{where}: {error.reason or 'the handshake failed'}", "ill", remedy)
    except OSError as error:
        remedy = "does the server speak TLS at all? the address asks for it"
        return Finding("TLS", f"{where}: {error.strerror or 'no answer to the handshake'}", "ill", remedy)


def _valid_until(secure: ssl.SSLSocket) -> str:
    certificate: Any = secure.getpeercert() or {}
    return f"certificate until {certificate.get('notAfter', 'an unknown day')}"


def _inside(address: str) -> Iterator[Finding]:
    """Logs in, and asks for release and time."""
    try:
        with places.client(address) as client:
            hello = client.admin.command("hello")
            release = client.server_info()["version"]
    except AtlasRagError as error:
        yield Finding("log-in", error.problem, "ill", error.next_step)
        return
    yield Finding("server", f"release {release}, answers to this user")
    yield _clock(hello["localTime"])


def _clock(told: datetime) -> Finding:
    skew = (told.replace(tzinfo=UTC) - datetime.now(UTC)).total_seconds()
    seen = f"{abs(skew):.1f} s {'ahead of' if skew > 0 else 'behind'} this machine's"
    if abs(skew) > CLOCK_SKEW:
        return Finding("clock", seen, "ill", "set the clock of this machine, or of the server, with NTP")
    return Finding("clock", seen)
