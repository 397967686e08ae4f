// One home for the tests of the world: a door, its people, and a record of everything that happened.
import { expect } from 'vitest';
import type { ErrorCode, Refusal } from '../../src/contract/errors.ts';
import { createWorld } from '../../src/world/house/world.ts';
import type {
  AccessCodeRecord,
  Answer,
  CommandRecord,
  DeviceRecord,
  HistoryRecord,
} from '../../src/world/records.ts';
import type { DeviceSetup, LockSettings, WorldSetup } from '../../src/world/setup.ts';
import type { WorldEvent } from '../../src/world/world-event.ts';
import type { World } from '../../src/world/world-types.ts';

/** A Tuesday, 08:00 in New York. */
export const START = Date.UTC(2026, 3, 14, 12);
export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** The one lock of most tests. */
export const DOOR = 'door-1';

/** Stands for an id in an expected record. */
export const ANY_TEXT: unknown = expect.any(String);

/** People by what they may do. */
export const PEOPLE = [
  { userId: 'owner', friendlyName: 'Owner', email: 'owner@home.example' },
  { userId: 'guest', friendlyName: 'Guest', email: 'guest@home.example' },
  { userId: 'watcher', friendlyName: 'Watcher', email: 'watcher@home.example' },
  { userId: 'stranger', friendlyName: 'Stranger', email: 'stranger@away.example' },
];

/** A fact of the stream without its id, time and concern. */
export type Fact = Omit<WorldEvent, 'id' | 'at' | 'deviceId' | 'userIds'>;

export interface Home {
  readonly world: World;
  /** Everything that happened, in order. */
  readonly activities: WorldEvent[];
  /** The events that webhooks would report: all kinds but `device-changed`, without ids and times. */
  readonly reported: () => Fact[];
  /** The kinds of `reported`. */
  readonly kinds: () => string[];
  readonly pass: (durationMs: number) => void;
  readonly device: () => DeviceRecord;
  readonly history: (limit?: number) => readonly HistoryRecord[];
  readonly codes: () => readonly AccessCodeRecord[];
  readonly submit: (name: unknown, data?: unknown) => Answer<CommandRecord>;
  /** Submits as the owner and expects a command. */
  readonly command: (name: string, data?: unknown) => CommandRecord;
  /** The command as it stands now. */
  readonly read: (commandId: string) => CommandRecord;
  /** Submits, lets two minutes pass, and reads the command back. */
  readonly outcome: (name: string, data?: unknown) => CommandRecord;
  /** Submits and expects a refusal. */
  readonly refusal: (name: unknown, data?: unknown) => Refusal;
}

/** A home with one door; `device` and `world` change its defaults. */
export function home(
  device: Partial<DeviceSetup> & { readonly settings?: Partial<LockSettings> } = {},
  setup: Partial<WorldSetup> = {},
): Home {
  const world = createWorld({
    seed: 'test',
    startAt: START,
    users: PEOPLE,
    devices: [
      {
        deviceId: DOOR,
        name: 'Front door',
        type: 'WifiDeadbolt',
        roles: { owner: 'owner', guest: 'guest', watcher: 'watcher' },
        ...device,
      },
    ],
    ...setup,
  });
  const activities: WorldEvent[] = [];
  world.onEvent((worldEvent) => activities.push(worldEvent));
  const submit = (name: unknown, data?: unknown): Answer<CommandRecord> =>
    world.submitCommand('owner', DOOR, name, data);
  const pass = (durationMs: number): void => {
    world.advance(world.now() + durationMs);
  };
  const reported = (): Fact[] =>
    activities
      .filter((worldEvent) => worldEvent.kind !== 'device-changed')
      .map(({ id: _id, at: _at, deviceId: _deviceId, userIds: _userIds, ...fact }) => fact);
  const command = (name: string, data?: unknown): CommandRecord => value(submit(name, data));
  const read = (commandId: string): CommandRecord => value(world.getCommand('owner', DOOR, commandId));
  return {
    world,
    activities,
    reported,
    kinds: () => reported().map((fact) => fact.kind),
    pass,
    device: () => value(world.getDevice('owner', DOOR)),
    history: (limit = 50) => value(world.history('owner', DOOR, limit, false)),
    codes: () => value(world.listAccessCodes('owner', DOOR)),
    submit,
    command,
    read,
    outcome: (name, data) => {
      const { commandId } = command(name, data);
      pass(2 * MINUTE);
      return read(commandId);
    },
    refusal: (name, data) => refusalOf(submit(name, data)),
  };
}

/** The value of an answer that must not be a refusal. */
export function value<Value>(answer: Answer<Value>): Value {
  if (!answer.ok) {
    throw new Error(`Refused: ${JSON.stringify(answer.refusal)}`);
  }
  return answer.value;
}

/** The refusal of an answer that must be one. */
export function refusalOf(answer: Answer<unknown>): Refusal {
  if (answer.ok) {
    throw new Error(`Not refused: ${JSON.stringify(answer.value)}`);
  }
  return answer.refusal;
}

/** Status and number of a refusal. */
export function statusAndCode(refusal: Refusal): readonly [number, ErrorCode] {
  return [refusal.status, refusal.errorCode];
}

/** The number of a command's error; null when it has none. */
export function errorOf(command: CommandRecord): number | null {
  return command.data.error?.errorCode ?? null;
}
