// `api.matter` in memory and Homebridge's own, with an offline node of matter.js, keep the same promises.
import { Endpoint, Environment, Logger, LogLevel, NotImplementedError, ServerNode } from '@matter/main';
import { AggregatorEndpoint } from '@matter/main/endpoints/aggregator';
import { Status } from '@matter/main/types';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { HomebridgeAPI } from '../../../node_modules/homebridge/dist/api.js';
import { BehaviorRegistry } from '../../../node_modules/homebridge/dist/matter/behaviors/BehaviorRegistry.js';
import { MatterAPIImpl } from '../../../node_modules/homebridge/dist/matter/MatterAPIImpl.js';
import { AccessoryManager } from '../../../node_modules/homebridge/dist/matter/server/AccessoryManager.js';
import type { BoltPosition } from '../../../src/domain/locks/bolt.ts';
import { lockId } from '../../../src/domain/locks/lock.ts';
import { accessoryOf } from '../../../src/features/matter/node/accessory.ts';
import type { StatusName } from '../../../src/features/matter/node/command-status.ts';
import { faultOfMatter, lockDevice } from '../../../src/features/matter/node/evidence-lock.ts';
import {
  type DeviceType,
  isMatterApi,
  type LockEndpoint,
  type MatterAccessory,
} from '../../../src/features/matter/node/matter-api.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { describedAs } from '../account/runtime.ts';
import { StandInMatter } from './matter.ts';

const UUID = '0b6f3c9e-7a44-4f0e-9d5e-2f6b8f0a9c11';

/** Commands of matter.js's lock that would set its state. */
const NOT_OFFERED = ['unlockWithTimeout', 'unboltDoor'] as const;

type Command = 'lockDoor' | 'unlockDoor' | (typeof NOT_OFFERED)[number];

type Commands = Readonly<Record<Command, (request: object) => unknown>>;

/** A lock as Homebridge's own pages have it: commands come from no fabric. */
interface Shown {
  readonly read: (cluster: string, attribute: string) => unknown;
  /** Null when it was taken, else the name of the status. */
  readonly command: (name: Command) => Promise<string | null>;
}

interface World {
  readonly matter: unknown;
  readonly register: (accessory: MatterAccessory) => Promise<Shown>;
}

async function inMemory(): Promise<World> {
  const matter = new StandInMatter();
  return Promise.resolve({
    matter,
    register: async (accessory) => {
      await matter.registerPlatformAccessories('plugin', 'Platform', [accessory]);
      const endpoint = matter.endpoints.get(accessory.UUID);
      return {
        read: (cluster, attribute) => endpoint?.read(cluster, attribute),
        command: async (name) => endpoint?.command(name, {}) ?? null,
      };
    },
  });
}

async function inHomebridge(): Promise<World> {
  Logger.level = LogLevel.FATAL;
  vi.spyOn(console, 'log').mockImplementation(() => {});
  const environment = new Environment('stand-in', Environment.default);
  environment.vars.set('storage.path', temporaryFolder());
  environment.vars.set('mdns.networkInterface', 'lo');
  const node = await ServerNode.create({ id: 'bridge', environment });
  onTestFinished(async () => {
    await node.close();
    vi.restoreAllMocks();
  });
  const aggregator = new Endpoint(AggregatorEndpoint, { id: 'bridge' });
  await node.add(aggregator);
  const accessories = new Map<string, { readonly endpoint: Endpoint }>();
  const manager = new AccessoryManager();
  const deps = {
    config: {},
    accessories,
    behaviorRegistry: new BehaviorRegistry(new Map()),
    registryManager: {},
    accessoryCache: null,
    getServerNode: () => node,
    getAggregator: () => aggregator,
    getIsRunning: () => true,
    getMonitoringEnabled: () => false,
    isCommissioned: () => false,
  };
  return {
    matter: new MatterAPIImpl(new HomebridgeAPI()),
    register: async (accessory) => {
      // The part of Homebridge's types that the plugin uses is narrower.
      await manager.registerAccessory('plugin', 'Platform', accessory as never, deps as never);
      const endpoint = accessories.get(accessory.UUID)?.endpoint;
      return {
        read: (cluster, attribute) => endpoint?.stateOf(cluster)[attribute],
        command: async (name) => {
          try {
            await endpoint?.act(async (agent) => {
              const { doorLock } = agent as unknown as { readonly doorLock: Commands };
              await doorLock[name]({});
            });
            return null;
          } catch (error) {
            return statusOf(error);
          }
        },
      };
    },
  };
}

describe.each([
  ['the stand-in of Homebridge’s Matter', inMemory],
  ['Homebridge’s own Matter', inHomebridge],
] as const)('%s', (_name, open) => {
  const asked: BoltPosition[] = [];
  let opened: LockEndpoint | null = null;

  async function shown(refusal: StatusName | null = null): Promise<Shown> {
    const { matter, register } = await open();
    expect([faultOfMatter(matter, false), faultOfMatter(matter, true)]).toEqual([null, null]);
    if (!isMatterApi(matter)) {
      throw new Error('Locks cannot be shown');
    }
    const host = {
      opened: (endpoint: LockEndpoint) => {
        opened = endpoint;
      },
      productOf: () => 'Model-D1',
      request: async (_uuid: string, target: BoltPosition) => {
        asked.push(target);
        return Promise.resolve(refusal);
      },
    };
    asked.length = 0;
    return register(accessoryWith(lockDevice(matter, host, false)?.deviceType));
  }

  it('leaves a lock where it was when a command only asks', async () => {
    const lock = await shown();
    expect(lock.read('doorLock', 'lockState')).toBeNull();
    expect([await lock.command('lockDoor'), await lock.command('unlockDoor')]).toEqual([null, null]);
    expect(asked).toEqual(['secured', 'unsecured']);
    expect(lock.read('doorLock', 'lockState')).toBeNull();
  });

  it('says the status of a refused command, and that others are not offered', async () => {
    const lock = await shown('Busy');
    expect(await lock.command('unlockDoor')).toBe('Busy');
    for (const name of NOT_OFFERED) {
      expect(await lock.command(name)).toBe('UnsupportedCommand');
    }
    expect(asked).toEqual(['unsecured']);
  });

  it('shows what is written to the endpoint, which has the id of its registration', async () => {
    const lock = await shown();
    expect(opened?.id).toBe(UUID);
    await opened?.construction;
    await opened?.set({ doorLock: { lockState: 1 } } as Parameters<LockEndpoint['set']>[0]);
    expect(lock.read('doorLock', 'lockState')).toBe(1);
  });

  it('knows a lock by one id over restarts', async () => {
    const [before, after] = [await shown(), await shown()].map((lock) =>
      lock.read('bridgedDeviceBasicInformation', 'uniqueId'),
    );
    expect(before).toEqual(expect.any(String));
    expect(after).toBe(before);
  });

  it('has the label of its product, not its own name (faults#174)', async () => {
    expect((await shown()).read('bridgedDeviceBasicInformation', 'productLabel')).toBe('Model-D1');
  });

  it('takes no lock twice', async () => {
    const { matter, register } = await open();
    const host = { opened() {}, productOf: () => null, request: async () => Promise.resolve(null) };
    const device = isMatterApi(matter) ? lockDevice(matter, host, false) : null;
    await register(accessoryWith(device?.deviceType));
    await expect(register(accessoryWith(device?.deviceType))).rejects.toThrow(/already registered/u);
  });
});

/** The name of the status that a controller gets. */
function statusOf(error: unknown): string {
  // The node answers for a command that it does not list.
  return error instanceof NotImplementedError
    ? 'UnsupportedCommand'
    : (Status[Number(Reflect.get(Object(error), 'code'))] ?? String(error));
}

function accessoryWith(deviceType: DeviceType | undefined): MatterAccessory {
  if (deviceType === undefined) {
    throw new Error('The lock was not taken');
  }
  const description = describedAs('Front door');
  return accessoryOf({
    uuid: UUID,
    id: lockId('front'),
    name: 'Front door',
    label: null,
    description,
    deviceType,
  });
}
