// Formats credentials, imports and waits for a terminal. Foreign text is made safe for one line.
import type { LineRemark } from '../../credentialing/credential-columns.ts';
import type { FileReading } from '../../credentialing/credential-file.ts';
import type { CallWait } from '../../credentialing/credential-gateway.ts';
import type { ImportProgress, ImportResult } from '../../credentialing/import-progress.ts';
import { type Credential, userKey } from '../../domain/credentials/credential.ts';
import { type ImportPlan, stepsToDo } from '../../domain/credentials/import-plan-policy.ts';
import { oneLine } from '../../support/log.ts';
import { importTime, lossOfAccess, phoneWords, timeLeft } from '../../words/credentials.ts';
import { columns } from '../terminal/lock-lines.ts';

/** The number of remarks on a file that are printed; the rest is only counted. */
const MAX_REMARKS = 50;

/** Cells of the progress bar. */
const BAR_WIDTH = 24;

export function credentialLines(credentials: readonly Credential[]): readonly string[] {
  return safeColumns(
    credentials.map(({ id, userId, mobileNumber, attributes, ...card }) => [
      userId,
      mobileNumber,
      card.kind === 'raw'
        ? 'raw'
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
  const bits = rawCredential === null ? null : 'not shown';
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
    .map(({ line, field, problem }) => `line ${line}: ${field} ${problem}`);
  const more = remarks.length - lines.length;
  return more > 0 ? [...lines, `... and ${more} more`] : lines;
}

export function fileSummary({ faults }: FileReading): string {
  const count = faults.length === 1 ? 'One fault' : `${faults.length} faults`;
  return `${count} in the file. Nothing was sent. Correct the file, then try again.`;
}

export function resultLine({ line, userId, result, credentialId, cardNumber, reason }: ImportResult): string {
  const where = line === null ? 'not in the file' : `line ${line}`;
  const card = cardNumber === null ? '' : `card ${cardNumber}`;
  return [where, result, userId, card, credentialId ?? '', reason ?? '']
    .map(oneLine)
    .filter((part) => part !== '')
    .join('  ');
}

/** Counts by result, as a sentence. */
export function summaryLine(results: ReadonlyMap<ImportResult['result'], number>): string {
  const parts = [...results].map(([result, count]) => `${count} ${result}`);
  return parts.length === 0 ? 'Nothing to do.' : `${parts.join(', ')}.`;
}

export function planLines(plan: ImportPlan, expectedMs: number): readonly string[] {
  const { removals, changes, additions } = stepsToDo(plan);
  const differing = plan.rows.filter(({ kind }) => kind === 'change').length;
  const kept = plan.rows.filter(({ kind }) => kind === 'keep').length;
  const left = (done: number, all: number, option: string): string =>
    done === all ? '' : `  (${all} with ${option})`;
  return [
    `${additions.length} to add`,
    `${changes.length} to change${left(changes.length, differing, '--replace')}`,
    `${removals.length} to remove${left(removals.length, plan.missing.length, '--remove-missing')}`,
    `${kept} unchanged`,
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
  const time = new Date(until).toLocaleTimeString('en-GB');
  return why === 'limit'
    ? `The limit of this minute is used up; going on at ${time}.`
    : `The service asked for a pause; going on at ${time}.`;
}

/** The bar is redrawn in place. */
export function progressLine({ done, total, remainingMs, wait }: ImportProgress): string {
  const cells = total === 0 ? BAR_WIDTH : Math.floor((done / total) * BAR_WIDTH);
  const bar = `[${'#'.repeat(cells)}${'.'.repeat(BAR_WIDTH - cells)}]`;
  const left = done === total ? '' : `, ${timeLeft(remainingMs).toLowerCase()}`;
  const pause = wait === null ? '' : `, waiting until ${new Date(wait.until).toLocaleTimeString('en-GB')}`;
  return `${bar} ${done} of ${total}${left}${pause}`;
}

function safeColumns(rows: readonly (readonly string[])[]): readonly string[] {
  return columns(rows.map((row) => row.map(oneLine)));
}
