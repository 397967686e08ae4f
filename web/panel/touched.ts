// What a person changed in a form: the rest is not sent, so that a form that was opened before somebody else saved undoes nothing.
import { useEffect } from 'preact/hooks';
import type { CodeDraft } from '../../src/domain/access-code.ts';
import type { CodeChanges } from '../../src/domain/code-operation.ts';
import type { CallError } from './transport.ts';
import type { TypedWhen } from './zoned-schedule.tsx';

export interface TypedCode extends TypedWhen {
  readonly name: string;
  /** Empty: the digits stay. */
  readonly pin: string;
}

/** `draft`: what is typed, as it would be sent; `schedule` null: it cannot be read. */
export function touchedCode(
  opened: TypedCode,
  typed: TypedCode,
  { name, pin, schedule }: Omit<CodeDraft, 'schedule'> & { readonly schedule: CodeDraft['schedule'] | null },
): CodeChanges {
  const isSameTime = typed.schedule === opened.schedule && typed.zone === opened.zone;
  return {
    ...(typed.name === opened.name ? {} : { name }),
    ...(pin === '' ? {} : { pin }),
    ...(isSameTime || schedule === null ? {} : { schedule }),
  };
}

/** Whoever was told of another version, and saves again, means that one. */
export function useToldVersion(failure: CallError | null, take: () => void): void {
  useEffect(() => {
    if (failure?.code === 'changed-meanwhile') {
      take();
    }
  }, [failure]);
}
