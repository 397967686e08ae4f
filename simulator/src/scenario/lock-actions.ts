// Actions on one lock, by name and with checked details; scripts and the control API share them.
import { z } from 'zod';
import {
  accessCodeSchema,
  boltEndSchema,
  codeSideSchema,
  durationMsSchema,
  historyEntrySchema,
  lockSettingsSchema,
  percentSchema,
  plannedFailureSchema,
} from '../world/setup.ts';
import type { World } from '../world/world-types.ts';
import type { LockAction } from './action.ts';

function action<Details>(
  summary: string,
  schema: z.ZodType<Details>,
  act: (world: World, deviceId: string, details: Details) => unknown,
): LockAction {
  return {
    summary,
    schema,
    run: ({ world }, deviceId, details) => act(world, deviceId, schema.parse(details)),
  };
}

const nothing = z.strictObject({});
const id = z.string().min(1);

const MANUAL_ACTIONS = {
  'turn-thumbturn': action(
    'Turns the thumbturn inside; to the other side by default',
    z.strictObject({ to: boltEndSchema.exactOptional() }),
    (world, deviceId, { to }) => world.turnThumbturn(deviceId, to),
  ),
  'press-one-touch': action('Presses the locking button outside', nothing, (world, deviceId) =>
    world.pressOneTouch(deviceId),
  ),
  'type-code': action(
    'Types a code on the keypad, right or wrong; answers what the keypad made of it',
    z.strictObject({ code: z.string(), to: boltEndSchema.exactOptional() }),
    (world, deviceId, { code, to }) => ({ keypad: world.typeCode(deviceId, code, to) }),
  ),
  'press-inside-button': action(
    'Presses a button of the panel inside',
    z.strictObject({ button: z.enum(['UnlockButton', 'LockButton']) }),
    (world, deviceId, { button }) => world.pressInsideButton(deviceId, button),
  ),
  'use-virtual-key': action(
    "A user moves the bolt from the maker's own app",
    z.strictObject({ userId: id, to: boltEndSchema }),
    (world, deviceId, { userId, to }) => world.useVirtualKey(deviceId, userId, to),
  ),
  'use-platform-home': action(
    'A smart-home platform moves the bolt; by NFC if `nfc` is true',
    z.strictObject({ to: boltEndSchema, nfc: z.boolean().exactOptional() }),
    (world, deviceId, { to, nfc }) => world.usePlatformHome(deviceId, to, nfc),
  ),
  'run-scheduled-lock': action('Locks as the daily schedule does', nothing, (world, deviceId) =>
    world.runScheduledLock(deviceId),
  ),
  'trigger-alarm': action('Sets the activity alarm off', nothing, (world, deviceId) =>
    world.triggerAlarm(deviceId),
  ),
} as const satisfies Readonly<Record<string, LockAction>>;

const CIRCUMSTANCES = {
  jam: action(
    'The next movements of the motor jam; all of them, until cleared, without a count',
    z.strictObject({ count: z.int().min(1).exactOptional() }),
    (world, deviceId, { count }) => world.jam(deviceId, count),
  ),
  'clear-jam': action('Clears a jam', nothing, (world, deviceId) => world.clearJam(deviceId)),
  'forget-position': action('The lock loses its position: Unknown', nothing, (world, deviceId) =>
    world.forgetPosition(deviceId),
  ),
  'cut-wifi': action(
    'Cuts the Wi-Fi; the cloud notices later',
    z.strictObject({ noticeAfterMs: durationMsSchema.exactOptional() }),
    (world, deviceId, { noticeAfterMs }) => world.cutWifi(deviceId, noticeAfterMs),
  ),
  'restore-wifi': action('Restores the Wi-Fi', nothing, (world, deviceId) => world.restoreWifi(deviceId)),
  'set-battery': action(
    'Sets the charge; null: the lock no longer reports it',
    z.strictObject({ percent: percentSchema.nullable() }),
    (world, deviceId, { percent }) => world.setBattery(deviceId, percent),
  ),
  'replace-batteries': action('Puts new batteries in', nothing, (world, deviceId) =>
    world.replaceBatteries(deviceId),
  ),
  'fail-next-commands': action(
    'The next commands fail with an error number',
    plannedFailureSchema,
    (world, deviceId, failure) => world.failNextCommands(deviceId, failure),
  ),
  configure: action('Changes settings of the lock', lockSettingsSchema, (world, deviceId, settings) =>
    world.configure(deviceId, settings),
  ),
} as const satisfies Readonly<Record<string, LockAction>>;

const EDITS = {
  'put-access-code': action(
    'Puts a code on the lock, in the cloud, or both, without a command; answers its id',
    z.strictObject({ accessCode: accessCodeSchema, side: codeSideSchema }),
    (world, deviceId, { accessCode, side }) => ({
      accessCodeId: world.putAccessCode(deviceId, accessCode, side),
    }),
  ),
  'drop-access-code': action(
    'Takes a code from the lock, from the cloud, or both, without a command',
    z.strictObject({ accessCodeId: id, side: codeSideSchema }),
    (world, deviceId, { accessCodeId, side }) => world.dropAccessCode(deviceId, accessCodeId, side),
  ),
  'duplicate-code-on-lock': action(
    'The lock holds a code twice (error 27)',
    z.strictObject({ accessCodeId: id }),
    (world, deviceId, { accessCodeId }) => world.duplicateCodeOnLock(deviceId, accessCodeId),
  ),
  'write-history': action('Writes a history entry by hand', historyEntrySchema, (world, deviceId, entry) =>
    world.writeHistory(deviceId, entry),
  ),
  rename: action('Renames the lock', z.strictObject({ name: z.string() }), (world, deviceId, { name }) =>
    world.renameDevice(deviceId, name),
  ),
  'set-role': action(
    "Changes a user's role; null takes the lock away from them",
    z.strictObject({ userId: id, role: id.nullable() }),
    (world, deviceId, { userId, role }) => world.setRole(deviceId, userId, role),
  ),
  remove: action('The lock is gone from the account', nothing, (world, deviceId) =>
    world.removeDevice(deviceId),
  ),
} as const satisfies Readonly<Record<string, LockAction>>;

/** Actions by the name that stands in a script and in the path of a control call. */
export const LOCK_ACTIONS: ReadonlyMap<string, LockAction> = new Map(
  Object.entries<LockAction>({ ...MANUAL_ACTIONS, ...CIRCUMSTANCES, ...EDITS }),
);

/** The id of the lock that is meant: by its id, or by a name that only one lock has. */
export function findLock(world: World, idOrName: string): string | undefined {
  const ids = world.deviceIds();
  if (ids.includes(idOrName)) {
    return idOrName;
  }
  const named = ids.filter((deviceId) => world.inspect(deviceId).name === idOrName);
  return named.length === 1 ? named[0] : undefined;
}
