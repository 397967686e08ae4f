// What a person is told whose form was opened before somebody else saved: both versions, without digits.
import type { CodeSchedule } from './access-code.ts';
import type { CodeChanges } from './code-operation.ts';
import { scheduleWords } from './schedule-words.ts';

interface ShownVersion {
  readonly name: string;
  readonly schedule: CodeSchedule;
  /** In words; left out for the code of one lock. */
  readonly locks?: string;
}

/** `asked`: what the person wanted to change; nothing: the removal. `zone`: in which both schedules are shown. */
export function changedMeanwhile(
  now: ShownVersion,
  asked: CodeChanges & Pick<ShownVersion, 'locks'>,
  zone: string,
): string {
  const locks = (words: string | undefined): readonly string[] =>
    words === undefined ? [] : [`on ${words}`];
  const theirs = [`"${now.name}"`, scheduleWords(now.schedule, zone), ...locks(now.locks)];
  const yours = [
    ...(asked.name === undefined ? [] : [`"${asked.name}"`]),
    ...(asked.pin === undefined ? [] : ['other digits']),
    ...(asked.schedule === undefined ? [] : [scheduleWords(asked.schedule, zone)]),
    ...locks(asked.locks),
  ];
  const both = `Now: ${theirs.join(', ')}.${yours.length === 0 ? '' : ` Yours: ${yours.join(', ')}.`}`;
  return `Nothing was changed: somebody else changed this meanwhile. ${both} Try again to ${yours.length === 0 ? 'go on' : 'use yours'}.`;
}
