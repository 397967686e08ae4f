// Actions on the simulated service by name, from a script or a control call.
import { z } from 'zod';
import type { AuthorizationServer } from '../auth/authorization-server.ts';
import type { CalendarService } from '../calendars/calendar-service.ts';
import type { CredentialingService } from '../credentialing/credentialing-service.ts';
import type { Armory } from '../faults/armory.ts';
import type { FaultBoard } from '../faults/fault-board.ts';
import type { WebhookService } from '../webhooks/webhook-service.ts';
import type { World } from '../world/world-types.ts';

export interface ActionContext {
  readonly world: World;
  readonly auth: AuthorizationServer;
  readonly credentialing: CredentialingService;
  readonly webhooks: WebhookService;
  /** Faults of partner-facing calls. */
  readonly faults: FaultBoard;
  readonly calendars: CalendarService;
}

interface Described {
  readonly summary: string;
  readonly schema: z.ZodType;
}

/** Something done to one lock. `run` checks the details and throws a `ZodError`, or the world's own errors. */
export interface LockAction extends Described {
  readonly run: (context: ActionContext, deviceId: string, details: unknown) => unknown;
}

/** Something done to the service as a whole: to people, links and switches. */
export interface ServiceAction extends Described {
  readonly run: (context: ActionContext, details: unknown) => unknown;
}

export function serviceAction<Details>(
  summary: string,
  schema: z.ZodType<Details>,
  act: (context: ActionContext, details: Details) => unknown,
): ServiceAction {
  return { summary, schema, run: (context, details) => act(context, schema.parse(details)) };
}

/** Ends the fault that is named, or all of a kind. */
export function clearingAction(
  summary: string,
  armoryOf: (context: ActionContext) => Pick<Armory<never>, 'clear' | 'disarm'>,
): ServiceAction {
  return serviceAction(
    summary,
    z.strictObject({ id: z.string().min(1).exactOptional() }),
    (context, { id }) =>
      id === undefined ? armoryOf(context).clear() : { found: armoryOf(context).disarm(id) },
  );
}
