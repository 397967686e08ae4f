// What is typed of a code, what is wrong with it, and saving it: in the forms of a guest and of one lock's code.
import { useLayoutEffect, useState } from 'preact/hooks';
import type { CodeDraft, CodeSchedule } from '../../../src/domain/codes/access-code.ts';
import type { CodeFault } from '../../../src/domain/codes/access-code-policy.ts';
import type { CodeChanges } from '../../../src/domain/codes/operation.ts';
import type { LockId } from '../../../src/domain/locks/lock.ts';
import { t } from '../../../src/words/translate.ts';
import { useAction, usePageContext } from '../state/page-context.ts';
import { scheduleOf, typedOf } from './schedule-fields.tsx';
import { NO_SCHEDULE, settledZone, type TypedWhen } from './zoned-schedule.tsx';

export interface TypedCode extends TypedWhen {
  readonly name: string;
  /** Empty: the digits stay. */
  readonly pin: string;
}

interface KnownCode {
  readonly name: string;
  readonly schedule: CodeSchedule;
  readonly revision: number;
}

/** Gets the code as a whole, the members that a person touched, and the version that the person saw. */
type Send = (draft: CodeDraft, changes: CodeChanges, revision: number) => Promise<void>;

export const NO_FAULTS: readonly CodeFault[] = [];

const ALWAYS = { kind: 'always' } as const;

/** `known`: the code that is changed; null: a new one. `more`: further fields of the form. */
export function useTypedCode<More extends object>(known: KnownCode | null, timeZone: string, more: More) {
  const { call, state } = usePageContext();
  const [opened] = useState<TypedCode & More>(() => ({
    name: known?.name ?? '',
    pin: '',
    schedule: typedOf(known?.schedule ?? ALWAYS, timeZone, state.status?.serviceNow ?? 0),
    zone: '',
    ...more,
  }));
  const [typed, setTyped] = useState(opened);
  const type = (changes: Partial<TypedCode & More>): void => setTyped({ ...typed, ...changes });
  const [faults, setFaults] = useState(NO_FAULTS);
  const faultOf = (field: CodeFault['field']): string | null => {
    const found = faults.find((fault) => fault.field === field);
    return found === undefined ? null : t(found.words);
  };
  const saving = useAction();
  const [revision, setRevision] = useState(known?.revision ?? 0);
  // A person who was shown another version, and saves again, means the new one: also at once.
  useLayoutEffect(() => {
    if (saving.failure?.code === 'changed-meanwhile') {
      setRevision(known?.revision ?? 0);
    }
  }, [saving.failure]);
  /** `lock`: whose zone may have been asked for. `zone`: of the typed dates. */
  const save = async (lock: LockId | undefined, zone: string, send: Send): Promise<void> => {
    const isTouched = known === null || typed.schedule !== opened.schedule;
    const isWrong = isTouched && scheduleOf(typed.schedule, zone) === null;
    setFaults(isWrong ? [NO_SCHEDULE] : NO_FAULTS);
    if (!isWrong) {
      await saving.run(async () => {
        const settled = lock === undefined ? zone : await settledZone(call, lock, zone, typed.zone);
        const schedule = scheduleOf(typed.schedule, settled);
        const draft = { name: typed.name.trim(), pin: typed.pin, schedule: schedule ?? ALWAYS };
        await send(draft, touched(opened, typed, schedule), revision);
      });
    }
  };
  return { opened, typed, type, setFaults, faultOf, saving, save };
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
