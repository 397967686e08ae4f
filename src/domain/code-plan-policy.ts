// The changes that bring a lock's codes to those of a file: by name, in place where a code exists.
import { type AccessCode, type CodeDraft, sameSchedule } from './access-code.ts';
import type { CodeChanges } from './code-operation.ts';

export type PlannedCode =
  | { readonly kind: 'add'; readonly draft: CodeDraft }
  | { readonly kind: 'change'; readonly code: AccessCode; readonly changes: CodeChanges }
  | { readonly kind: 'remove'; readonly code: AccessCode }
  | { readonly kind: 'unchanged'; readonly code: AccessCode }
  /** Read-only codes stay as they are, whatever the file says. */
  | { readonly kind: 'read-only'; readonly code: AccessCode };

/** In the order in which they can be carried out: a removal first, since it frees a name or a PIN. */
const ORDER: readonly PlannedCode['kind'][] = ['read-only', 'unchanged', 'remove', 'change', 'add'];

/** `keepOthers`: codes that the file does not name stay. */
export function planCodes(
  wanted: readonly CodeDraft[],
  have: readonly AccessCode[],
  keepOthers: boolean,
): readonly PlannedCode[] {
  const named = have.map((code): PlannedCode | null => {
    const draft = wanted.find(({ name }) => isSameName(name, code.name));
    if (code.readOnly) {
      return { kind: 'read-only', code };
    }
    if (draft === undefined) {
      return keepOthers ? null : { kind: 'remove', code };
    }
    const changes = differences(code, draft);
    return Object.keys(changes).length === 0
      ? { kind: 'unchanged', code }
      : { kind: 'change', code, changes };
  });
  const added = wanted
    .filter(({ name }) => !have.some((code) => isSameName(name, code.name)))
    .map((draft): PlannedCode => ({ kind: 'add', draft }));
  return [...named, ...added]
    .filter((planned) => planned !== null)
    .toSorted((one, other) => ORDER.indexOf(one.kind) - ORDER.indexOf(other.kind));
}

/** Whether a step changes something at the lock. */
export function isChange({ kind }: PlannedCode): boolean {
  return kind === 'add' || kind === 'change' || kind === 'remove';
}

function isSameName(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

function differences(code: AccessCode, { name, pin, schedule }: CodeDraft): CodeChanges {
  return {
    ...(name === code.name ? {} : { name }),
    ...(pin === code.pin ? {} : { pin }),
    ...(sameSchedule(schedule, code.schedule) ? {} : { schedule }),
  };
}
