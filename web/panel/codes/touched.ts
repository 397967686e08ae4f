// The members of a form that a person changed. Others are not sent, so that an old form does not undo another person's changes.
import { useEffect } from 'preact/hooks';
import type { CodeDraft } from '../../../src/domain/codes/access-code.ts';
import type { CodeChanges } from '../../../src/domain/codes/operation.ts';
import type { CallError } from '../state/transport.ts';
import type { TypedWhen } from './zoned-schedule.tsx';

export interface TypedCode extends TypedWhen {
  readonly name: string;
  /** Empty: the digits stay. */
  readonly pin: string;
}

/** `draft`: the typed members, as they would be sent; `schedule` null: it cannot be read. */
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

/** A person who was shown another version, and saves again, means the new one. */
export function useToldVersion(failure: CallError | null, take: () => void): void {
  useEffect(() => {
    if (failure?.code === 'changed-meanwhile') {
      take();
    }
  }, [failure]);
}
