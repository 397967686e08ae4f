// What brings the codes of a lock to those of a file, planned where the codes are known: digits of listed codes stay there.
import type { AccessCode, AccessCodeId, CodeDraft } from '../../domain/codes/access-code.ts';
import { codeOn, type Guest } from '../../domain/codes/guest.ts';
import type { CodeChanges } from '../../domain/codes/operation.ts';
import type { PlannedCode } from '../../domain/codes/plan-order.ts';
import { type PlanFacts, planCodes, type WantedCode } from '../../domain/codes/plan-policy.ts';
import type { Message } from '../../domain/language/message.ts';
import type { LockId } from '../../domain/locks/lock.ts';

/** A code as the plan saw it: a change names that revision. */
export interface SeenCode extends Pick<AccessCode, 'id' | 'name'> {
  readonly revision: number;
}

export type SeenChange =
  | { readonly kind: 'add'; readonly draft: CodeDraft }
  | {
      readonly kind: 'change';
      readonly code: SeenCode;
      readonly changes: CodeChanges;
      readonly isAside?: true;
    }
  | { readonly kind: 'remove'; readonly code: SeenCode };

export type PlannedStep =
  | SeenChange
  | { readonly kind: 'unchanged' | 'read-only' | 'guest'; readonly code: SeenCode };

export interface PlanChoices {
  /** Codes that the file does not name stay. */
  readonly keepOthers: boolean;
  /** The codes of guests are changed as all others. */
  readonly includeGuests: boolean;
}

/** With `faults`, nothing of the file may be sent: sentences that name the place, and never digits. */
export interface LockPlan {
  readonly steps: readonly PlannedStep[];
  readonly faults: readonly Message[];
}

export function planOn(
  lockId: LockId,
  wanted: readonly WantedCode[],
  {
    guests,
    choices: { keepOthers, includeGuests },
    revisionOf,
    ...facts
  }: Omit<PlanFacts, 'guests' | 'keepOthers'> & {
    readonly guests: readonly Guest[];
    readonly choices: PlanChoices;
    readonly revisionOf: (id: AccessCodeId) => number;
  },
): LockPlan {
  const owned = guests.flatMap((guest) => {
    const id = codeOn(guest, lockId)?.codeId ?? null;
    return id === null ? [] : [[id, guest.draft.name] as const];
  });
  const plan = planCodes(wanted, { ...facts, keepOthers, guests: new Map(includeGuests ? [] : owned) });
  const seen = (step: PlannedCode): PlannedStep => {
    if (step.kind === 'add') {
      return step;
    }
    const { id, name } = step.code;
    return { ...step, code: { id, name, revision: revisionOf(id) } };
  };
  return plan.ok ? { steps: plan.steps.map(seen), faults: [] } : { steps: [], faults: plan.faults };
}
