"""Options of collections and views, as `create` and `collMod` take them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from bson import Int64

from atlas_rag.inprocess.deployment.arguments import (
    ANY,
    ARRAY,
    BOOL,
    FLAG,
    INTEGER,
    OBJECT,
    STRING,
    Fields,
    collection_name,
)
from atlas_rag.inprocess.deployment.databases import View, check_name
from atlas_rag.inprocess.deployment.indexes.specification import read_expiry
from atlas_rag.inprocess.deployment.namespace import Namespace
from atlas_rag.inprocess.deployment.queries import execution
from atlas_rag.inprocess.deployment.validation import ACTIONS, LEVELS, Validator
from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.values import equal

if TYPE_CHECKING:
    from atlas_rag.inprocess.deployment.deployment import Deployment

Document = dict[str, Any]

_VALIDATION = {"validator": OBJECT, "validationLevel": STRING, "validationAction": STRING}
_VIEW = {"viewOn": STRING, "pipeline": ARRAY}
_CREATE = Fields(
    "create",
    {"collation": OBJECT, "idIndex": OBJECT, "capped": BOOL, "size": INTEGER, "max": INTEGER}
    | _VALIDATION
    | _VIEW,
)
_MODIFY = Fields(
    "collMod",
    {"index": OBJECT, "cappedSize": INTEGER, "cappedMax": INTEGER} | _VALIDATION | _VIEW,
)
_INDEX = Fields(
    "collMod.index",
    {"name": STRING, "keyPattern": OBJECT, "expireAfterSeconds": ANY, "hidden": FLAG},
    command=False,
)
_REFUSED = (
    "timeseries",
    "clusteredIndex",
    "encryptedFields",
    "changeStreamPreAndPostImages",
    "storageEngine",
)
_REFUSED_CHANGES = ("changeStreamPreAndPostImages", "timeseries", "recordPreImages", "expireAfterSeconds")
_SIZE_STEP = 256
_WRITES = ("$out", "$merge")


def create(deployment: Deployment, database: str, command: Mapping[str, Any]) -> Document:
    """Runs `create`, for a collection or a view."""
    _refuse("create", command, _REFUSED)
    arguments = _CREATE.read(command)
    if arguments.get("collation"):
        raise CommandError(115, "create: collation is not supported by the in-process engine")
    name = collection_name(command, database)
    if "viewOn" in arguments:
        return _create_view(deployment, database, name, arguments)
    if "pipeline" in arguments:
        raise CommandError(72, "'pipeline' requires 'viewOn' to also be specified")
    options = {key: arguments[key] for key in _VALIDATION if key in arguments} | _cap(arguments)
    _check_validation("create", options)
    if deployment.existing(database, name) or deployment.databases.view(database, name):
        raise CommandError(48, f"Collection {database}.{name} already exists.")
    deployment.databases.create(database, name, options)
    return {"ok": 1.0}


def _refuse(name: str, command: Mapping[str, Any], options: Sequence[str]) -> None:
    for option in options:
        if command.get(option):
            raise CommandError(115, f"{name}: {option} is not supported by the in-process engine")


def _cap(arguments: Mapping[str, Any]) -> Document:
    """Returns the options of a capped collection, its size in whole steps. Raises 72 and 51024."""
    if not arguments.get("capped"):
        if "size" in arguments or "max" in arguments:
            text = "the 'capped' field needs to be true when either the 'size' or 'max' fields are present"
            raise CommandError(72, text)
        return {}
    if "size" not in arguments:
        raise CommandError(72, "the 'size' field is required when 'capped' is true")
    if arguments["size"] < 1:
        text = f"BSON field 'size' value must be >= 1, actual value '{arguments['size']}'"
        raise CommandError(51024, text)
    most = arguments.get("max", 0)
    return {"capped": True, "size": _in_steps(arguments["size"]), **({"max": most} if most > 0 else {})}


def _in_steps(size: int) -> int:
    return -(-size // _SIZE_STEP) * _SIZE_STEP


def _check_validation(name: str, options: Mapping[str, Any]) -> None:
    for option, allowed in (("validationLevel", LEVELS), ("validationAction", ACTIONS)):
        if option in options and options[option] not in allowed:
            text = f"Enumeration value '{options[option]}' for field '{name}.{option}' is not a valid value."
            raise CommandError(2, text)
    Validator(options)


# ---------------------------------------------------------------- views


def _create_view(deployment: Deployment, database: str, name: str, arguments: Mapping[str, Any]) -> Document:
    check_name(database, name)
    view = _checked_view(deployment, database, name, arguments)
    databases = deployment.databases
    if deployment.existing(database, name) or databases.view(database, name):
        raise CommandError(48, "Namespace already exists")
    databases.set_view(view)
    return {"ok": 1.0}


def _checked_view(deployment: Deployment, database: str, name: str, arguments: Mapping[str, Any]) -> View:
    """Returns a view that can be read. Raises 2, 5 for a circle, 167, and what the pipeline raises."""
    source, pipeline = arguments["viewOn"], arguments.get("pipeline", [])
    full_name = f"{database}.{name}"
    if not source:
        raise CommandError(2, "'viewOn' cannot be empty")
    for position, stage in enumerate(pipeline):
        for writer in _WRITES:
            if isinstance(stage, Mapping) and writer in stage:
                text = f"The aggregation stage {writer} in location {position} of the pipeline cannot be "
                text += f"used in the view definition of {full_name} because it writes to disk"
                raise CommandError(167, f"Invalid pipeline for view {full_name} :: caused by :: {text}")
    chain = [source]
    while chain[-1] != name and (below := deployment.databases.view(database, chain[-1])):
        chain.append(below.source)
    if chain[-1] == name:
        shown = " => ".join(f"{database}.{part}" for part in (name, *chain, name))
        raise CommandError(5, f"View cycle detected: {shown}")
    execution.compile_only(deployment, database, source, {"pipeline": pipeline})
    return View(database, name, source, pipeline)


# ---------------------------------------------------------------- collMod


def modify(deployment: Deployment, database: str, command: Mapping[str, Any]) -> Document:
    """Runs `collMod`."""
    _refuse("collMod", command, _REFUSED_CHANGES)
    arguments = _MODIFY.read(command)
    name = collection_name(command, database)
    if view := deployment.databases.view(database, name):
        return _modify_view(deployment, view, arguments)
    namespace = deployment.existing(database, name)
    if namespace is None:
        raise CommandError(26, "ns does not exist")
    for option in ("pipeline", "viewOn"):
        if option in arguments:
            raise CommandError(72, f"option only supported on a view: {option}")
    outcome = _modify_index(namespace, arguments["index"]) if "index" in arguments else {}
    if "expireAfterSeconds_new" in outcome:
        deployment.expiry.begin()
    options = {**namespace.options, **_changed_options(namespace, arguments)}
    if options != namespace.options:
        namespace.set_options({key: value for key, value in options.items() if value != {}})
    return {**outcome, "ok": 1.0}


def _modify_view(deployment: Deployment, view: View, arguments: Mapping[str, Any]) -> Document:
    for option in arguments:
        if option not in _VIEW:
            raise CommandError(72, f"option not supported on a view: {option}")
    wanted = {"viewOn": view.source, "pipeline": view.pipeline} | dict(arguments)
    deployment.databases.set_view(_checked_view(deployment, view.database, view.name, wanted))
    return {"ok": 1.0}


def _changed_options(namespace: Namespace, arguments: Mapping[str, Any]) -> Document:
    changed: Document = {key: arguments[key] for key in _VALIDATION if key in arguments}
    if changed:
        _check_validation("collMod", changed)
        kept = namespace.options
        defaults = {"validationLevel": "strict", "validationAction": "error"}
        changed |= {key: kept.get(key, value) for key, value in defaults.items() if key not in changed}
    for option, kept_as in (("cappedSize", "size"), ("cappedMax", "max")):
        if option in arguments:
            if not namespace.options.get("capped"):
                raise CommandError(72, "cannot change the size or max of a collection that is not capped")
            value = arguments[option]
            changed[kept_as] = _in_steps(value) if kept_as == "size" else value
    return changed


def _modify_index(namespace: Namespace, given: Mapping[str, Any]) -> Document:
    """Changes an index's expiry, or whether it is hidden; returns the old and new values. Raises 27, 72."""
    if "unique" in given or "prepareUnique" in given:
        raise CommandError(115, "collMod: index.unique is not supported by the in-process engine")
    wanted = _INDEX.read(given)
    if ("name" in wanted) == ("keyPattern" in wanted):
        raise CommandError(72, "Must specify either index name or key pattern.")
    if not {"expireAfterSeconds", "hidden"} & wanted.keys():
        raise CommandError(72, "no expireAfterSeconds, hidden, unique, or prepareUnique field")
    index = _found_index(namespace, wanted)
    outcome: Document = {}
    if "expireAfterSeconds" in wanted:
        new = read_expiry({**index, "expireAfterSeconds": wanted["expireAfterSeconds"]})
        if "expireAfterSeconds" in index:
            outcome["expireAfterSeconds_old"] = Int64(index["expireAfterSeconds"])
        outcome["expireAfterSeconds_new"] = Int64(new)
        namespace.set_index_options(index["name"], {"expireAfterSeconds": new})
    hidden = wanted.get("hidden")
    if hidden is not None and hidden != bool(index.get("hidden")):
        if index["name"] == "_id_":
            raise CommandError(2, "can't hide _id index")
        outcome |= {"hidden_old": not hidden, "hidden_new": hidden}
        namespace.set_index_options(index["name"], {"hidden": hidden})
    return outcome


def _found_index(namespace: Namespace, wanted: Mapping[str, Any]) -> Mapping[str, Any]:
    for index in namespace.indexes.values():
        if index["name"] == wanted.get("name") or equal(dict(index["key"]), wanted.get("keyPattern")):
            return index
    what = wanted.get("name") or wanted["keyPattern"]
    raise CommandError(27, f"cannot find index {what} for ns {namespace.full_name}")
