// A scenario: the whole beginning of a simulation as JSON, checked with words that lead to the place of the mistake.
import { z } from 'zod';
import { authSettingsSchema } from '../auth/auth-settings.ts';
import { clientSchema } from '../auth/partner-client.ts';
import { calendarSchema, MOST_CALENDARS } from '../calendars/calendar-setup.ts';
import { credentialingSettingsSchema } from '../credentialing/credentialing-settings.ts';
import { credentialingUserSchema } from '../credentialing/logins.ts';
import { faultSchema } from '../faults/fault.ts';
import { webhookSettingsSchema } from '../webhooks/webhook-settings.ts';
import type { DeviceSetup, UserSetup } from '../world/setup.ts';
import { busyModeSchema, deviceSchema, userSchema } from '../world/setup.ts';
import { LOCK_ACTIONS } from './lock-actions.ts';
import { SERVICE_ACTIONS } from './service-actions.ts';

const word = z.string().min(1);

const stepSchema = z
  .strictObject({
    /** Milliseconds after the beginning. */
    afterMs: z.int().min(0).exactOptional(),
    /** Just before the lock gets its Nth command (1: the first), refused ones counted. */
    beforeCommand: z.int().min(1).exactOptional(),
    /** The lock's id or name; the target of the action and of the counted commands. */
    lock: word.exactOptional(),
    action: word,
    details: z.unknown().exactOptional(),
  })
  .superRefine((step, context) => {
    if ((step.afterMs === undefined) === (step.beforeCommand === undefined)) {
      context.addIssue({ code: 'custom', message: 'Say when: either "afterMs" or "beforeCommand"' });
    }
    const action = LOCK_ACTIONS.get(step.action) ?? SERVICE_ACTIONS.get(step.action);
    if (action === undefined) {
      const names = [...LOCK_ACTIONS.keys(), ...SERVICE_ACTIONS.keys()].join(', ');
      context.addIssue({ code: 'custom', path: ['action'], message: `Known actions: ${names}` });
      return;
    }
    if (step.lock === undefined && (LOCK_ACTIONS.has(step.action) || step.beforeCommand !== undefined)) {
      context.addIssue({ code: 'custom', path: ['lock'], message: 'Say which lock' });
    }
    for (const issue of action.schema.safeParse(step.details ?? {}).error?.issues ?? []) {
      context.addIssue({ code: 'custom', path: ['details', ...issue.path], message: issue.message });
    }
  });

/** The form of a scenario file. Everything is optional: `{}` is the default home. */
export const scenarioSchema = z
  .strictObject({
    name: z.string().exactOptional(),
    description: z.string().exactOptional(),
    seed: word.exactOptional(),
    /** The first moment; the clock runs on from there. Default: now. */
    startAt: z.iso.datetime({ offset: true }).exactOptional(),
    productSegment: z
      .string()
      .regex(/^[\w-]+$/u, 'One path segment of letters, digits, - and _')
      .exactOptional(),
    clients: z.array(clientSchema).min(1).exactOptional(),
    users: z.array(userSchema).exactOptional(),
    credentialingUsers: z.array(credentialingUserSchema).exactOptional(),
    locks: z.array(deviceSchema).exactOptional(),
    calendars: z.array(calendarSchema).max(MOST_CALENDARS).exactOptional(),
    settings: z
      .strictObject({
        busyMode: busyModeSchema.exactOptional(),
        authorization: authSettingsSchema.exactOptional(),
        credentialing: credentialingSettingsSchema.exactOptional(),
        webhooks: webhookSettingsSchema.exactOptional(),
      })
      .exactOptional(),
    /** Faults in force from the first moment; a script may add others. */
    faults: z.array(faultSchema).exactOptional(),
    script: z.array(stepSchema).exactOptional(),
  })
  .superRefine((scenario, context) => {
    for (const { path, message } of [...strangersIn(scenario), ...missingLocksIn(scenario)]) {
      context.addIssue({ code: 'custom', path: [...path], message });
    }
  });

interface Mistake {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

type Household = {
  readonly users?: readonly UserSetup[];
  readonly locks?: readonly DeviceSetup[];
  readonly script?: readonly { readonly lock?: string }[];
};

/** Roles of users that a scenario with users of its own does not have. */
function strangersIn({ users, locks = [] }: Household): Mistake[] {
  const known = users?.map(({ userId }) => userId);
  return locks.flatMap(({ roles }, index) =>
    Object.keys(roles)
      .filter((userId) => known?.includes(userId) === false)
      .map((userId) => ({
        path: ['locks', index, 'roles', userId],
        message: 'No user of this scenario has this id',
      })),
  );
}

/** Steps for locks that a scenario with locks of its own does not have. */
function missingLocksIn({ locks, script = [] }: Household): Mistake[] {
  const names = (locks ?? []).map(({ name }) => name).join(', ');
  return script.flatMap(({ lock }, index) => {
    const known = locks?.some((device) => device.name === lock || device.deviceId === lock) ?? true;
    return lock === undefined || known
      ? []
      : [
          {
            path: ['script', index, 'lock'],
            message: `No lock of this scenario is called so; there are: ${names}`,
          },
        ];
  });
}

export type Scenario = z.output<typeof scenarioSchema>;
/** A scenario with a fixed seed, so that it can be replayed. */
export type SeededScenario = Scenario & { readonly seed: string };
export type ScriptStep = z.output<typeof stepSchema>;

/** A scenario that cannot be used; the message has one line for each mistake. */
export class ScenarioError extends Error {
  override readonly name = 'ScenarioError';
}

/** Checks a scenario. `source` names it in the error: a file's name, or the sender. */
export function parseScenario(value: unknown, source: string): Scenario {
  const result = scenarioSchema.safeParse(value);
  if (result.success) {
    return result.data;
  }
  const lines = result.error.issues.map((issue) => `  ${pathText(issue.path)}: ${issue.message}`);
  throw new ScenarioError(`${source} is not a scenario:\n${lines.join('\n')}`);
}

export function parseScenarioText(json: string, source: string): Scenario {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    throw new ScenarioError(
      `${source} is not JSON: ${error instanceof Error ? error.message : String(error)}`,
      {
        cause: error,
      },
    );
  }
  return parseScenario(value, source);
}

/** `script[1].details.count`, or `(whole file)`. */
function pathText(path: readonly PropertyKey[]): string {
  const text = path
    .map((key) => (typeof key === 'number' ? `[${String(key)}]` : `.${String(key)}`))
    .join('')
    .replace(/^\./u, '');
  return text === '' ? '(whole file)' : text;
}
