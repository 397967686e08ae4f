// Formats credentials, imports and waits for a terminal. Foreign text is made safe for one line.

import { columns } from '../../../cli/terminal/lock-lines.ts';
import { type Message, message } from '../../../domain/language/message.ts';
import { oneLine } from '../../../support/log.ts';
import { lengthWords } from '../../../words/times.ts';
import { locale, t } from '../../../words/translate.ts';
import type { CallWait } from '../client/credential-gateway.ts';
import type { LineRemark } from '../import/credential-columns.ts';
import type { FileReading } from '../import/credential-file.ts';
import type { ImportProgress, ImportResult } from '../import/import-progress.ts';
import { type Credential, userKey } from '../policy/credential.ts';
import { type ImportPlan, stepsToDo } from '../policy/import-plan-policy.ts';
import { importTime, lossOfAccess, phoneWords } from '../words.ts';

/** The number of remarks on a file that are printed; the rest is only counted. */
const MAX_REMARKS = 50;

const BAR_WIDTH = 24;

export function credentialLines(credentials: readonly Credential[]): readonly string[] {
  return safeColumns(
    credentials.map(({ id, userId, mobileNumber, attributes, ...card }) => [
      userId,
      mobileNumber,
      card.kind === 'raw'
        ? t('raw')
        : `${card.cardFormat ?? '?'} ${card.facilityCode ?? '?'}-${card.cardNumber ?? '?'}`,
      attributes['siteName'] ?? attributes['siteId'] ?? '',
      phoneWords(card),
      id,
    ]),
  );
}

/** Every field except the bits of a raw credential. */
export function credentialDetails(credential: Credential): readonly string[] {
  const { id, attributes, rawCredential, ...fields } = credential;
  const bits = rawCredential === null ? null : t('not shown');
  const shown = { credentialId: id, ...fields, rawCredential: bits, ...attributes };
  return safeColumns(
    Object.entries(shown).flatMap(([name, value]) => (value === null ? [] : [[name, String(value)]])),
  );
}

/** JSON form, without the bits of a raw credential, which only `export` writes. */
export function credentialValue({ id, rawCredential: _bits, ...rest }: Credential): object {
  return { credentialId: id, ...rest };
}

export function remarkLines(remarks: readonly LineRemark[]): readonly string[] {
  const lines = remarks
    .slice(0, MAX_REMARKS)
    .map((remark) => t('line {line}: {field} {problem}', { ...remark }));
  const more = remarks.length - lines.length;
  return more > 0 ? [...lines, t('... and {count} more', { count: more })] : lines;
}

function lineWords(line: number): string {
  return t('line {number}', { number: line });
}

export function fileSummary({ faults }: FileReading): string {
  return t(
    '{count, plural, one {One fault} other {# faults}} in the file. Nothing was sent. Correct the file, then try again.',
    { count: faults.length },
  );
}

export function resultLine({ line, userId, result, credentialId, cardNumber, reason }: ImportResult): string {
  const where = line === null ? t('not in the file') : lineWords(line);
  const card = cardNumber === null ? '' : t('card {number}', { number: cardNumber });
  return [where, t(RESULTS[result]), userId, card, credentialId ?? '', reason === null ? '' : t(reason)]
    .map(oneLine)
    .filter((part) => part !== '')
    .join('  ');
}

const RESULTS: Readonly<Record<ImportResult['result'], Message>> = {
  created: message('created'),
  changed: message('changed'),
  unchanged: message('unchanged'),
  different: message('different'),
  removed: message('removed'),
  failed: message('failed'),
};

export function summaryLine(results: ReadonlyMap<ImportResult['result'], number>): string {
  const parts = [...results].map(([result, count]) => `${count} ${t(RESULTS[result])}`);
  return parts.length === 0 ? t('Nothing to do.') : `${parts.join(', ')}.`;
}

export function planLines(plan: ImportPlan, expectedMs: number): readonly string[] {
  const { removals, changes, additions } = stepsToDo(plan);
  const differing = plan.rows.filter(({ kind }) => kind === 'change').length;
  const kept = plan.rows.filter(({ kind }) => kind === 'keep').length;
  const left = (done: number, all: number, option: string): string =>
    done === all ? '' : `  (${t('{count} with {option}', { count: all, option })})`;
  return [
    t('{count} to add', { count: additions.length }),
    t('{count} to change', { count: changes.length }) + left(changes.length, differing, '--replace'),
    t('{count} to remove', { count: removals.length }) +
      left(removals.length, plan.missing.length, '--remove-missing'),
    t('{count} unchanged', { count: kept }),
    importTime(expectedMs),
  ];
}

/** The number of people who lose their credential by a plan; null: none. */
export function lossLine(plan: ImportPlan): string | null {
  const { removals, changes } = stepsToDo(plan);
  const losing = new Set(removals.map(({ userId }) => userKey(userId))).size;
  return lossOfAccess(losing, changes.length);
}

/** Reason and end of a wait, in this machine's local time. */
export function waitLine({ until, why }: CallWait): string {
  return t(
    why === 'limit'
      ? 'The limit of this minute is used up; going on at {time}.'
      : 'The service asked for a pause; going on at {time}.',
    { time: timeWords(until) },
  );
}

function timeWords(at: number): string {
  return new Date(at).toLocaleTimeString(locale() ?? 'en-GB');
}

/** The bar is redrawn in place. */
export function progressLine({ done, total, remainingMs, wait }: ImportProgress): string {
  const cells = total === 0 ? BAR_WIDTH : Math.floor((done / total) * BAR_WIDTH);
  const bar = `[${'#'.repeat(cells)}${'.'.repeat(BAR_WIDTH - cells)}]`;
  const time = lengthWords(remainingMs) || t('a moment');
  const share =
    done === total
      ? t('{done} of {total}', { done, total })
      : t('{done} of {total}, about {time} left', { done, total, time });
  const pause = wait === null ? '' : `, ${t('waiting until {time}', { time: timeWords(wait.until) })}`;
  return `${bar} ${share}${pause}`;
}

function safeColumns(rows: readonly (readonly string[])[]): readonly string[] {
  return columns(rows.map((row) => row.map(oneLine)));
}
