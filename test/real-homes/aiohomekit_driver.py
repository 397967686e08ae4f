"""Drives aiohomekit for the tests: a request a line on standard input, an answer or an event a line on standard output."""

import asyncio
import json
import sys

from aiohomekit import Controller
from aiohomekit.characteristic_cache import CharacteristicCacheMemory
from aiohomekit.zeroconf import ZeroconfServiceListener
from zeroconf.asyncio import AsyncServiceBrowser, AsyncZeroconf

FOUND_WITHIN_S = 60


def say(message):
    print(json.dumps(message, default=str), flush=True)


class Driver:
    def __init__(self, controller):
        self.controller = controller
        self.pairing = None

    async def pair(self, device, pin):
        discovery = await self.controller.async_find(device, timeout=FOUND_WITHIN_S)
        finish = await discovery.async_start_pairing(device)
        self.pairing = await finish(pin)
        self.pairing.dispatcher_connect(self.heard)
        self.pairing.dispatcher_availability_changed(lambda available: say({"available": available}))
        return await self.accessories()

    def heard(self, event):
        """In the order in which aiohomekit hands them on, which is the order in which its users apply them."""
        say({"event": [[aid, iid, value] for (aid, iid), value in event.items()]})

    async def accessories(self):
        return await self.pairing.list_accessories_and_characteristics()

    async def get(self, ids):
        values = await self.pairing.get_characteristics([tuple(each) for each in ids])
        return [[aid, iid, value] for (aid, iid), value in values.items()]

    async def put(self, values):
        """Only what was refused, with its status."""
        refused = await self.pairing.put_characteristics([tuple(each) for each in values])
        return [[aid, iid, status] for (aid, iid), status in refused.items()]

    async def subscribe(self, ids):
        await self.pairing.subscribe({tuple(each) for each in ids})


async def answer(driver, request):
    try:
        result = await getattr(driver, request["method"])(**request.get("arguments", {}))
        say({"id": request["id"], "result": result})
    except Exception as error:  # noqa: BLE001
        say({"id": request["id"], "error": repr(error)})


async def main():
    zeroconf = AsyncZeroconf()
    browser = AsyncServiceBrowser(zeroconf.zeroconf, ["_hap._tcp.local.", "_hap._udp.local."], listener=ZeroconfServiceListener())
    controller = Controller(async_zeroconf_instance=zeroconf, char_cache=CharacteristicCacheMemory())
    running = set()
    async with controller:
        driver = Driver(controller)
        say({"ready": True})
        while line := await asyncio.to_thread(sys.stdin.readline):
            task = asyncio.create_task(answer(driver, json.loads(line)))
            running.add(task)
            task.add_done_callback(running.discard)
    await browser.async_cancel()
    await zeroconf.async_close()


asyncio.run(main())
