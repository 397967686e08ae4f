// The steps of a plan that brings a lock's codes to those of a file.
import type { AccessCode, CodeDraft } from './access-code.ts';
import { type CodeChanges, changesTo } from './operation.ts';

export type PlannedChange =
  | { readonly kind: 'add'; readonly draft: CodeDraft }
  | {
      readonly kind: 'change';
      readonly code: AccessCode;
      readonly changes: CodeChanges;
      /** The code gets other digits for a moment, because two codes swap theirs; a later step ends it. */
      readonly isAside?: true;
    }
  | { readonly kind: 'remove'; readonly code: AccessCode };

export type PlannedCode =
  | PlannedChange
  /** Codes that stay as they are: as the file says, or because it does not decide about them. */
  | { readonly kind: 'unchanged' | 'read-only' | 'guest'; readonly code: AccessCode };

/** Whether a step changes something at the lock. */
export function isChange(step: PlannedCode): step is PlannedChange {
  return step.kind === 'add' || step.kind === 'change' || step.kind === 'remove';
}

export function changeTo(code: AccessCode, draft: CodeDraft) {
  return { kind: 'change' as const, code, changes: changesTo(code, draft) };
}

export function isSameName(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
