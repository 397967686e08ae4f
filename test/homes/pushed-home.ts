// A home whose service tells of every turn, over real HTTP and on one clock that a test moves; and the bad days of its
// deliveries, drawn at random.
import fc from 'fast-check';
import { isBoltPosition } from '../../src/domain/locks/bolt.ts';
import { boltOf } from '../../src/domain/locks/lock.ts';
import { freePort } from '../harness/free-port.ts';
import { RESIDENT, SimulatedHome } from './simulated-home.ts';

/** How often an account asks while webhooks arrive, in milliseconds: the default of the plugin. */
export const HEALTHY_INTERVAL_MS = 60_000;

/** The doors of the simulator's default house. */
const DOORS = ['Front door', 'Back door', 'Garage'] as const;

const KINDS = ['drop', 'double', 'delay', 'reorder'] as const;

/** What happens to deliveries, and which doors are turned meanwhile. */
export interface Pattern {
  readonly faults: readonly {
    readonly kind: (typeof KINDS)[number];
    /** The share of deliveries that it strikes. */
    readonly rate: number;
    /** The delay of a delayed delivery, in milliseconds. */
    readonly delayMs: number;
  }[];
  readonly commits: readonly { readonly door: (typeof DOORS)[number]; readonly pauseMs: number }[];
}

export const patterns: fc.Arbitrary<Pattern> = fc.record({
  faults: fc.array(
    fc.record({
      kind: fc.constantFrom(...KINDS),
      rate: fc.integer({ min: 1, max: 10 }).map((tenths) => tenths / 10),
      delayMs: fc.integer({ min: 1, max: 60_000 }),
    }),
    { minLength: 1, maxLength: 4 },
  ),
  commits: fc.array(
    fc.record({ door: fc.constantFrom(...DOORS), pauseMs: fc.integer({ min: 0, max: 20_000 }) }),
    { minLength: 1, maxLength: 8 },
  ),
});

/** The options of a listener on loopback, where the simulator reaches it. */
export function pushOptions(
  port: number,
  more: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, unknown>> {
  return { webhooks: { enabled: true, port, publicUrl: `http://127.0.0.1:${String(port)}`, ...more } };
}

export interface PushedHomeOptions {
  /** The default house has three; another number is of doors called "Door 1" and so on. */
  readonly locks?: number;
  readonly port?: number;
  /** Members of `webhooks` beside the port and the address. */
  readonly webhooks?: Readonly<Record<string, unknown>>;
  /** See `AuthSettings` of the simulator. */
  readonly accessTokenForm?: 'opaque' | 'jwt';
  /** See `SimulatedHomeOptions`. */
  readonly lasting?: boolean;
}

/** A linked home that is registered and has its first listing. */
export async function openPushedHome({
  locks,
  port,
  webhooks,
  accessTokenForm = 'opaque',
  lasting = false,
}: PushedHomeOptions = {}): Promise<SimulatedHome> {
  const home = await SimulatedHome.linked({
    lasting,
    simulator: {
      webhooks: { allowHttpToLoopback: true },
      authorization: { accessTokenForm },
      ...(locks === undefined ? {} : { scenario: { locks: doors(locks) } }),
    },
    options: pushOptions(port ?? (await freePort()), webhooks),
  });
  await home.clock.advance(2_000);
  await delivered(home);
  return home;
}

/** Turns the thumbturn of a door from outside of the account's knowledge; what is delivered at once has arrived. */
export async function turn(home: SimulatedHome, door = 'Front door'): Promise<void> {
  await home.control(`locks/${encodeURIComponent(door)}/turn-thumbturn`);
  await delivered(home);
}

/** Names of the doors that the account believes elsewhere than they are, or knows nothing of. */
export function wrongDoors(home: SimulatedHome): readonly string[] {
  const { world } = home.simulator;
  return home.app.runtime
    .locks()
    .filter((lock) => {
      const shown = boltOf(lock);
      const truth = world.inspect(lock.id).bolt === 'Locked' ? 'secured' : 'unsecured';
      return !isBoltPosition(shown) || shown !== truth;
    })
    .map(({ description }) => description.name);
}

/** Plays a pattern and lets one interval pass; resolves with the doors that are wrong even then. */
export async function wrongAfter(
  home: SimulatedHome,
  { faults, commits }: Pattern,
): Promise<readonly string[]> {
  for (const { kind, rate, delayMs } of faults) {
    await home.control('house/fail-deliveries', {
      kind,
      often: { rate },
      ...(kind === 'delay' ? { delayMs } : {}),
    });
  }
  for (const { door, pauseMs } of commits) {
    await turn(home, door);
    await home.clock.advance(pauseMs);
    await delivered(home);
  }
  await home.clock.advance(HEALTHY_INTERVAL_MS);
  await delivered(home);
  await home.control('house/clear-delivery-faults');
  return wrongDoors(home);
}

async function delivered(home: SimulatedHome): Promise<void> {
  await home.simulator.deliveriesIdle();
  await home.clock.advance(0);
}

function doors(count: number) {
  return Array.from({ length: count }, (_, index) => ({
    name: `Door ${String(index + 1)}`,
    type: 'WifiDeadbolt' as const,
    roles: { [RESIDENT]: 'owner' as const },
  }));
}
