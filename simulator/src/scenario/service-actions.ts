// Everything that can be done to the service as a whole, by name: people, links, new locks, switches and calendars.
import { z } from 'zod';
import { authSettingsSchema } from '../auth/auth-settings.ts';
import { credentialingSettingsSchema } from '../credentialing/credentialing-settings.ts';
import { faultSchema } from '../faults/fault.ts';
import { deliveryFaultSchema } from '../webhooks/delivery-faults.ts';
import { webhookSettingsSchema } from '../webhooks/webhook-settings.ts';
import { busyModeSchema, deviceSchema, userSchema } from '../world/setup.ts';
import { serviceAction as action, clearingAction, type ServiceAction } from './action.ts';
import { CALENDAR_ACTIONS } from './calendar-actions.ts';

const nothing = z.strictObject({});
const id = z.string().min(1);

const ACTIONS: Readonly<Record<string, ServiceAction>> = {
  'add-lock': action('A new lock appears; answers its id', deviceSchema, ({ world }, device) => ({
    deviceId: world.addDevice(device),
  })),
  'add-user': action('A new user appears; answers the user', userSchema, ({ world }, user) =>
    world.addUser(user),
  ),
  'sign-out-everywhere': action(
    'The option on the reset-password page: ends every link of the user, with a notification',
    z.strictObject({ userId: id }),
    ({ world }, { userId }) => world.signOutEverywhere(userId),
  ),
  revoke: action(
    'The user takes the consent back, from one client or from all, without a notification',
    z.strictObject({ userId: id, clientId: id.exactOptional() }),
    ({ auth }, { userId, clientId }) => auth.revoke(userId, clientId ?? null),
  ),
  'set-busy-mode': action(
    'How a second command on a busy lock is answered (error 36)',
    z.strictObject({ mode: busyModeSchema }),
    ({ world }, { mode }) => world.setBusyMode(mode),
  ),
  'configure-authorization': action(
    'Switches of the authorization server',
    authSettingsSchema,
    ({ auth }, changes) => auth.configure(changes),
  ),
  'configure-credentialing': action(
    'Switches of the credentialing interface',
    credentialingSettingsSchema,
    ({ credentialing }, changes) => credentialing.configure(changes),
  ),
  'end-credentialing-tokens': action(
    'Every token of the credentialing interface ends',
    nothing,
    ({ credentialing }) => credentialing.endTokens(),
  ),
  'clear-rate-windows': action('Every rate window opens afresh', nothing, ({ credentialing }) =>
    credentialing.clearWindows(),
  ),
  'inject-fault': action(
    'Calls of partners meet a fault: late, refused, cut, garbled; answers the id of the fault',
    faultSchema,
    ({ faults }, fault) => ({ id: faults.arm(fault) }),
  ),
  'clear-faults': clearingAction('Ends one fault of calls, or all of them', ({ faults }) => faults),
  'configure-webhooks': action(
    'Switches of webhook delivery',
    webhookSettingsSchema,
    ({ webhooks }, changes) => webhooks.configure(changes),
  ),
  'fail-deliveries': action(
    'Drops, doubles, delays, reorders or forges webhooks; answers the id of the fault',
    deliveryFaultSchema,
    ({ webhooks }, fault) => ({ id: webhooks.faults.arm(fault) }),
  ),
  'clear-delivery-faults': clearingAction(
    'Ends one fault of deliveries, or all of them',
    ({ webhooks }) => webhooks.faults,
  ),
  'rotate-signing-key': action(
    'A new key signs webhooks; partners read it where the service publishes it',
    nothing,
    ({ webhooks }) => webhooks.rotateKey(),
  ),
  ...CALENDAR_ACTIONS,
};

/** Actions by the name that stands in a script and in the path of a control call. */
export const SERVICE_ACTIONS: ReadonlyMap<string, ServiceAction> = new Map(Object.entries(ACTIONS));
