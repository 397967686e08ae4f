"""aiohomekit as a controller of HomeKit, driven by lines of JSON: each request is answered, and each event is told.

Several connections may stand beside each other. Each applies events as Home Assistant does, and reads nothing by itself.
"""

import asyncio
import json
import sys
from functools import cache

from aiohomekit.characteristic_cache import CharacteristicCacheMemory
from aiohomekit.controller.ip.controller import IpController
from aiohomekit.controller.ip.discovery import IpDiscovery
from aiohomekit.controller.ip.pairing import IpPairing
from aiohomekit.model import Categories
from aiohomekit.model.characteristics import CharacteristicsTypes
from aiohomekit.model.feature_flags import FeatureFlags
from aiohomekit.model.services import ServicesTypes
from aiohomekit.model.status_flags import StatusFlags
from aiohomekit.zeroconf import HomeKitService

PAIRINGS = {}
VALUES = {}
NAMES = {uuid: name for names in (CharacteristicsTypes, ServicesTypes) for name, uuid in vars(names).items() if isinstance(uuid, str)}


def say(message):
    print(json.dumps(message), flush=True)


@cache
def controller():
    return IpController(CharacteristicCacheMemory(), None)


def key_of(aid, iid):
    return f"{aid}.{iid}"


def applied(name, changes):
    news = {key_of(*key): change.get("value") for key, change in changes.items() if "value" in change}
    VALUES[name].update(news)
    if news:
        say({"event": name, "values": news})


async def pair(host, port, id, pin):
    service = HomeKitService(
        name="bridge", id=id.lower(), model="", feature_flags=FeatureFlags(0), status_flags=StatusFlags(1), config_num=1,
        state_num=1, category=Categories(2), protocol_version="1.1", type="_hap._tcp.local.", address=host, addresses=[host], port=port,
    )
    finish = await IpDiscovery(controller(), service).async_start_pairing("bridge")
    pairing = await finish(pin)
    data = pairing.pairing_data
    await pairing.close()
    return data


async def connect(name, pairing):
    VALUES[name] = {}
    PAIRINGS[name] = IpPairing(controller(), dict(pairing))
    PAIRINGS[name].dispatcher_connect(lambda changes: applied(name, changes))
    return await table(name)


async def table(name):
    rows = []
    for accessory in await PAIRINGS[name].list_accessories_and_characteristics():
        for service in accessory["services"]:
            for one in service["characteristics"]:
                key = key_of(accessory["aid"], one["iid"])
                VALUES[name][key] = one.get("value")
                rows.append({
                    "aid": accessory["aid"], "iid": one["iid"], "service": NAMES.get(service["type"], service["type"]),
                    "type": NAMES.get(one["type"], one["type"]), "value": one.get("value"), "perms": one["perms"],
                    "format": one.get("format"), "max": one.get("maxLen"),
                })
    return rows


async def subscribe(name, points):
    await PAIRINGS[name].subscribe([tuple(point) for point in points])


async def again(name, pairing, points):
    """A controller that was away: it subscribes anew, and reads nothing."""
    PAIRINGS[name] = IpPairing(controller(), dict(pairing))
    PAIRINGS[name].dispatcher_connect(lambda changes: applied(name, changes))
    await subscribe(name, points)


async def read(name, points):
    answer = await PAIRINGS[name].get_characteristics([tuple(point) for point in points])
    return {key_of(*key): value for key, value in answer.items()}


async def write(name, aid, iid, value):
    answer = await PAIRINGS[name].put_characteristics([(aid, iid, value)])
    return {key_of(*key): value for key, value in answer.items()}


async def values(name):
    return VALUES[name]


async def close(name):
    await PAIRINGS.pop(name).close()


REQUESTS = {call.__name__: call for call in (pair, connect, table, subscribe, again, read, write, values, close)}


async def answer(line):
    request = json.loads(line)
    number = request.pop("number")
    try:
        result = await REQUESTS[request.pop("call")](**request)
        say({"answer": number, "result": result})
    except Exception as error:  # whoever asked decides
        say({"answer": number, "error": f"{type(error).__name__}: {error}"})


async def main():
    reader = asyncio.StreamReader(limit=2**24)
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    running = set()
    while line := await reader.readline():
        task = asyncio.create_task(answer(line))
        running.add(task)
        task.add_done_callback(running.discard)


asyncio.run(main())
