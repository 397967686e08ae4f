// What is typed of a code, what is wrong with it, and saving it: in the forms of a guest and of one lock's code.
import { useLayoutEffect, useState } from 'preact/hooks';
import type { CodeDraft, CodeSchedule } from '../../../src/domain/codes/access-code.ts';
import type { CodeFault } from '../../../src/domain/codes/access-code-policy.ts';
import type { CodeChanges } from '../../../src/domain/codes/operation.ts';
import type { LockId } from '../../../src/domain/locks/lock.ts';
import { useEditForm } from '../parts/edit-form.tsx';
import { usePageContext } from '../state/page-context.ts';
import { NO_SCHEDULE, scheduleOf, settledZone, type TypedWhen, typedOf } from './schedule-fields.tsx';

interface TypedCode extends TypedWhen {
  readonly name: string;
  /** Empty: the digits stay. */
  readonly pin: string;
}

interface KnownCode {
  readonly name: string;
  readonly schedule: CodeSchedule;
  readonly revision: number;
}

const ALWAYS = { kind: 'always' } as const;

/** `known`: the code that is changed; null: a new one. `more`: further fields of the form. */
export function useTypedCode<More extends object>(known: KnownCode | null, timeZone: string, more: More) {
  const { call, state } = usePageContext();
  const form = useEditForm<TypedCode & More, CodeFault>(() => ({
    name: known?.name ?? '',
    pin: '',
    schedule: typedOf(known?.schedule ?? ALWAYS, timeZone, state.status?.serviceNow ?? 0),
    zone: '',
    ...more,
  }));
  const { opened, typed, saving } = form;
  const [revision, setRevision] = useState(known?.revision ?? 0);
  // A person who was shown another version, and saves again, means the new one: also at once.
  useLayoutEffect(() => {
    if (saving.failure?.code === 'changed-meanwhile') {
      setRevision(known?.revision ?? 0);
    }
  }, [saving.failure]);
  /**
   * `lock`: whose zone may have been asked for. `timeZone`: of the typed dates. `ask` gets the code as a whole, the members that
   * a person touched, and the version that the person saw.
   */
  const save = async <Answer extends { readonly kind: string; readonly faults?: readonly CodeFault[] }>(
    at: { readonly lock: LockId | undefined; readonly timeZone: string },
    ask: (draft: CodeDraft, changes: CodeChanges, revision: number) => Promise<Answer>,
    after: () => Promise<unknown>,
  ): Promise<Answer | null> => {
    const isTouched = known === null || typed.schedule !== opened.schedule;
    if (isTouched && scheduleOf(typed.schedule, at.timeZone) === null) {
      form.setFaults([NO_SCHEDULE]);
      return null;
    }
    return form.submit(async () => {
      const zone =
        at.lock === undefined ? at.timeZone : await settledZone(call, at.lock, at.timeZone, typed.zone);
      const schedule = scheduleOf(typed.schedule, zone);
      const draft = { name: typed.name.trim(), pin: typed.pin, schedule: schedule ?? ALWAYS };
      return ask(draft, touched(opened, typed, schedule), revision);
    }, after);
  };
  return { ...form, save };
}

/** Other members are not sent, so that an old form does not undo another person's changes. `schedule` null: it cannot be read. */
function touched(opened: TypedCode, typed: TypedCode, schedule: CodeSchedule | null): CodeChanges {
  const isSameTime = typed.schedule === opened.schedule && typed.zone === opened.zone;
  return {
    ...(typed.name === opened.name ? {} : { name: typed.name.trim() }),
    ...(typed.pin === '' ? {} : { pin: typed.pin }),
    ...(isSameTime || schedule === null ? {} : { schedule }),
  };
}
