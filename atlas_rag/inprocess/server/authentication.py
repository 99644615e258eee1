"""SCRAM-SHA-256, the server's side.

Source: RFC 5802 and RFC 7677; payloads and replies as the MongoDB authentication specification describes
them. Passwords are kept as salted keys only.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from atlas_rag.inprocess.errors import CommandError

MECHANISM = "SCRAM-SHA-256"
ITERATIONS = 15_000


@dataclass(frozen=True)
class User:
    """Someone who may connect.

    Args:
        name, password: credentials.
        roles: database name to "read" or "readWrite"; "*" stands for every database.
    """

    name: str
    password: str = field(repr=False)
    roles: Mapping[str, str] = field(default_factory=lambda: {"*": "readWrite"})

    def __post_init__(self) -> None:
        for role in self.roles.values():
            if role not in ("read", "readWrite"):
                raise ValueError(f'role {role!r} is unknown; expected "read" or "readWrite"')

    def may(self, database: str, *, write: bool) -> bool:
        """Whether the user may read, or write, a database."""
        granted = {self.roles.get(database), self.roles.get("*")}
        return "readWrite" in granted or (not write and "read" in granted)


@dataclass(frozen=True)
class _Keys:
    salt: bytes
    stored: bytes
    server: bytes


class Credentials:
    """All users with their keys."""

    def __init__(self, users: tuple[User, ...]) -> None:
        self._users = {user.name: user for user in users}
        self._keys = {user.name: _derive(user.password, secrets.token_bytes(28)) for user in users}
        self._secret = secrets.token_bytes(32)

    def __bool__(self) -> bool:
        return bool(self._users)

    def __contains__(self, name: str) -> bool:
        return name in self._users

    def user(self, name: str) -> User:
        """Returns a known user."""
        return self._users[name]

    def keys(self, name: str) -> _Keys:
        """Returns a user's keys; an unknown user has some too, so that nobody learns who is unknown."""
        known = self._keys.get(name)
        if known is not None:
            return known
        salt = hmac.digest(self._secret, name.encode(), "sha256")[:28]
        return _Keys(salt, secrets.token_bytes(32), secrets.token_bytes(32))


def _derive(password: str, salt: bytes) -> _Keys:
    prepared = unicodedata.normalize("NFKC", password).encode()
    salted = hashlib.pbkdf2_hmac("sha256", prepared, salt, ITERATIONS)
    client = hmac.digest(salted, b"Client Key", "sha256")
    return _Keys(salt, hashlib.sha256(client).digest(), hmac.digest(salted, b"Server Key", "sha256"))


class Exchange:
    """One authentication under way: two messages of the client, two answers, and an empty pair."""

    def __init__(self, credentials: Credentials) -> None:
        self._credentials = credentials
        self._step = 0
        self._skip_empty = False
        self._name = ""
        self._nonce = ""
        self._first_messages = ""
        self.user: User | None = None

    def start(self, command: Mapping[str, Any]) -> dict[str, Any]:
        """Answers `saslStart`. Raises 2 for another mechanism, 18 for a malformed message."""
        if command.get("mechanism") != MECHANISM:
            raise CommandError(2, f"Received authentication for mechanism {command.get('mechanism')} "
                                  "which is unknown or not enabled")  # fmt: skip
        options = command.get("options")
        self._skip_empty = isinstance(options, Mapping) and bool(options.get("skipEmptyExchange"))
        message = _text(command.get("payload"))
        if not message.startswith("n,,"):
            raise failed()
        fields = _fields(message[3:])
        self._name = fields.get("n", "").replace("=2C", ",").replace("=3D", "=")
        client_nonce = fields.get("r", "")
        if not self._name or not client_nonce:
            raise failed()
        self._nonce = client_nonce + base64.b64encode(secrets.token_bytes(24)).decode()
        salt = base64.b64encode(self._credentials.keys(self._name).salt).decode()
        answer = f"r={self._nonce},s={salt},i={ITERATIONS}"
        self._first_messages = f"{message[3:]},{answer}"
        self._step = 1
        return _reply(answer, done=False)

    def go_on(self, command: Mapping[str, Any]) -> dict[str, Any]:
        """Answers `saslContinue`; `user` is set when it succeeded. Raises 18."""
        if self._step == 2:
            self._step = 3
            return _reply("", done=True)
        if self._step != 1:
            raise failed()
        message = _text(command.get("payload"))
        signature = self._check(message)
        self._step = 2
        self.user = self._credentials.user(self._name)
        return _reply(f"v={signature}", done=self._skip_empty)

    def _check(self, message: str) -> str:
        """Returns the server's signature for a right proof. Raises 18 for a wrong one."""
        without_proof, _, proof = message.rpartition(",p=")
        fields = _fields(without_proof)
        keys = self._credentials.keys(self._name)
        said = f"{self._first_messages},{without_proof}".encode()
        mask = hmac.digest(keys.stored, said, "sha256")
        try:
            given = base64.b64decode(proof, validate=True)
        except ValueError:
            raise failed() from None
        client_key = bytes(one ^ other for one, other in zip(given, mask, strict=False))
        right = hmac.compare_digest(hashlib.sha256(client_key).digest(), keys.stored)
        if not right or fields.get("r") != self._nonce or fields.get("c") != "biws" or len(given) != 32:
            raise failed()
        if self._name not in self._credentials:
            raise failed()
        return base64.b64encode(hmac.digest(keys.server, said, "sha256")).decode()


def failed() -> CommandError:
    """The one answer to every wrong attempt."""
    return CommandError(18, "Authentication failed.")


def _reply(payload: str, *, done: bool) -> dict[str, Any]:
    return {"conversationId": 1, "done": done, "payload": payload.encode(), "ok": 1.0}


def _text(payload: Any) -> str:
    if not isinstance(payload, (bytes, str)):
        raise failed()
    try:
        return payload if isinstance(payload, str) else payload.decode()
    except UnicodeDecodeError:
        raise failed() from None


def _fields(message: str) -> dict[str, str]:
    return {part[0]: part[2:] for part in message.split(",") if part[1:2] == "="}
