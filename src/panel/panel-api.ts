// What a page, the command line or the Homebridge UI may ask of the process that owns the account: one typed list.
import { z } from 'zod';
import type { HouseLink } from '../domain/account.ts';
import type { Bolt, Instant, Rest } from '../domain/bolt.ts';
import type { WishRefusal } from '../domain/intent-policy.ts';
import {
  type Battery,
  boltOf,
  type LastMove,
  type Lock,
  type LockDescription,
  type LockId,
  lockId,
  type Presence,
} from '../domain/lock.ts';
import type { LinkSession, LinkStart } from '../setup/link-session.ts';
import { FinalError } from '../support/errors.ts';
import type { House, WishAnswer } from '../sync/house.ts';

/** One lock as it is shown to people. Instants are on the service's clock. */
export interface LockView {
  readonly id: LockId;
  readonly description: LockDescription;
  readonly bolt: Bolt;
  /** The instant for which the position was last confirmed; null when it never was. */
  readonly confirmedAt: Instant | null;
  readonly wish: Rest | null;
  readonly presence: Presence;
  readonly battery: Battery;
  readonly lastMove: LastMove | null;
}

export interface StatusView {
  readonly link: HouseLink;
  /** How many locks the house knows. */
  readonly locks: number;
}

/** What became of a wish, in a form that crosses a socket. */
export type MoveView =
  | { readonly kind: Exclude<WishAnswer['kind'], 'refused' | 'failed'> }
  | { readonly kind: 'refused'; readonly reason: WishRefusal }
  | { readonly kind: 'failed'; readonly disposition: string; readonly message: string };

export interface PanelParts {
  readonly house: House;
  readonly linking: LinkSession;
  readonly unlink: () => void;
  /** Asks this process to hand the account over; false when it will not. */
  readonly stepBack: () => boolean;
}

const nothing = z.object({}).loose().optional();
const oneLock = z.object({ lock: z.string().min(1).transform(lockId) });
const move = oneLock.extend({ to: z.enum(['secured', 'unsecured']) });
const steppingBack = z.object({ steppedBack: z.boolean() });
const redirected = z.object({ redirectedUrl: z.string().min(1) });

/** Every operation by its name. Inputs are checked here; each throws a final `bad-request` for what it cannot take. */
export function panelApi(parts: PanelParts) {
  const { house } = parts;
  return {
    status: operation(
      nothing,
      async (): Promise<StatusView> => ({
        link: house.linkState(),
        locks: house.locks().length,
      }),
    ),
    locks: operation(nothing, async () => house.locks().map(viewOf)),
    move: operation(move, async ({ lock, to }) => moveView(await house.wish(lock, to))),
    refresh: operation(nothing, async () => {
      await house.refresh();
      return house.locks().map(viewOf);
    }),
    forget: operation(oneLock, async ({ lock }) => ({ forgotten: house.forget(lock) })),
    'link.start': operation(nothing, async (): Promise<LinkStart> => parts.linking.start()),
    'link.finish': operation(redirected, async ({ redirectedUrl }) => {
      await parts.linking.finish(redirectedUrl);
      return { link: house.linkState() };
    }),
    unlink: operation(nothing, async () => {
      parts.unlink();
      return { link: house.linkState() };
    }),
    'step-back': operation(nothing, async () => ({ steppedBack: parts.stepBack() })),
  };
}

/** The list itself, for whoever calls it by name. */
export type PanelApi = ReturnType<typeof panelApi>;

/** Whether the answer to `step-back` says that the other process hands the account over. */
export function steppedBack(answer: unknown): boolean {
  return steppingBack.safeParse(answer).data?.steppedBack === true;
}

export function viewOf(lock: Lock): LockView {
  return {
    id: lock.id,
    description: lock.description,
    bolt: boltOf(lock),
    confirmedAt: lock.belief.confirmedAt,
    wish: lock.wish,
    presence: lock.presence,
    battery: lock.battery,
    lastMove: lock.lastMove,
  };
}

function moveView(answer: WishAnswer): MoveView {
  return answer.kind === 'failed'
    ? { kind: 'failed', disposition: answer.error.disposition, message: answer.error.message }
    : answer;
}

/** Checks the input before anything else sees it; a refusal names the member, never its value. */
function operation<Input, Result>(
  schema: z.ZodType<Input>,
  run: (input: Input) => Promise<Result>,
): (input: unknown) => Promise<Result> {
  return async (input) => {
    const parsed = schema.safeParse(input);
    if (!parsed.success) {
      const members = parsed.error.issues.map((issue) => issue.path.join('.') || 'input');
      throw new FinalError('bad-request', `The request is not as it should be: ${members.join(', ')}.`);
    }
    return run(parsed.data);
  };
}
