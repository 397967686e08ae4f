// A home that receives webhooks, on a machine whose clocks a test can move.
import { inject, vi } from 'vitest';
import { type OpenedStage, openStage } from '../e2e/stage.ts';
import { freePort } from '../harness/free-port.ts';
import type { SleepyMachine } from '../harness/sleepy-machine.ts';
import type { Tunnel } from '../tour/tunnel.ts';

const REGISTERED_MS = 30_000;

/** Resolves once webhooks arrive. The environment of the machine stays until `vi.unstubAllEnvs`. */
export async function openHookedStage(
  machine: SleepyMachine,
  tunnel: Tunnel,
  polling: Readonly<Record<string, number>>,
): Promise<OpenedStage> {
  for (const [name, value] of Object.entries(machine.environment)) {
    vi.stubEnv(name, value);
  }
  const port = await freePort();
  const stage = await openStage({
    pluginsFolder: inject('packed').pluginsFolder,
    scenario: { settings: { webhooks: { allowHttpToLoopback: true } } },
    simulatorClock: machine.clock,
    options: {
      webhooks: { enabled: true, port, publicUrl: await tunnel.open(port) },
      polling,
    },
  });
  await stage.homebridge.line(/Webhooks arrive/, REGISTERED_MS);
  return stage;
}
