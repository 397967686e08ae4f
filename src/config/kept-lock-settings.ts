// Checks the settings that a page stores for one lock; those set in config.json are refused.
import { type Message, message } from '../domain/language/message.ts';
import type { LockSettings } from '../domain/locks/settings.ts';
import { atFirstUse } from '../support/first-use.ts';
import { oneLine } from '../support/log.ts';
import type { Config } from './config.ts';
import { type LockRow, lockRow, lockSettings } from './options/option-table.ts';
import { describeIssue, problem } from './options/problem-line.ts';

/** Each problem has the form "option: fault; remedy" and never repeats a value. */
export type LockSettingsReading =
  | { readonly ok: true; readonly settings: LockSettings }
  | { readonly ok: false; readonly problems: readonly Message[] };

export interface LockSettingsRequest {
  readonly config: Pick<Config, 'locks'>;
  readonly lockId: string;
  readonly kept: LockSettings;
  /** Values by option. Null or an empty text removes the setting; omitted options stay. */
  readonly change: Readonly<Record<string, unknown>>;
}

/** Unknown names are reported separately. */
const knownOptions = atFirstUse(() => lockSettings().strip());

/** A lock in the place of another has those of features as well, which no page changes. */
const keptOptions = atFirstUse(() => lockRow().omit({ id: true }).strip());

export function changedLockSettings({
  config,
  lockId,
  kept,
  change,
}: LockSettingsRequest): LockSettingsReading {
  const written = config.locks.get(lockId) ?? {};
  const requested = Object.entries(change).filter(([, value]) => value !== undefined);
  const values = Object.fromEntries(requested.filter(([, value]) => !isBlank(value)));
  const parsed = knownOptions().safeParse(values);
  const problems = [
    ...requested.flatMap(([name]) => faultOfName(name, written)),
    ...(parsed.success ? [] : parsed.error.issues.map(describeIssue)),
  ];
  if (!parsed.success || problems.length > 0) {
    return { ok: false, problems };
  }
  const untouched = Object.entries(kept).filter(([name]) => !requested.some(([changed]) => changed === name));
  return { ok: true, settings: { ...Object.fromEntries(untouched), ...parsed.data } };
}

/** Reads stored settings one by one, so that a malformed one does not cancel the prohibitions of the others. */
export function readKeptLockSettings(value: unknown): LockRow {
  const entries: readonly [string, unknown][] =
    typeof value === 'object' && value !== null ? Object.entries(value) : [];
  const readable = entries.flatMap(([name, kept]) => {
    const { data } = keptOptions().safeParse({ [name]: kept });
    return data === undefined ? [] : Object.entries(data);
  });
  return keptOptions().parse(Object.fromEntries(readable));
}

function faultOfName(name: string, written: LockSettings): readonly Message[] {
  if (!Object.hasOwn(knownOptions().shape, name)) {
    return problem(oneLine(name), message('is not an option of a lock; remove it'));
  }
  return problem(
    name,
    Reflect.get(written, name) === undefined
      ? null
      : message('is set in config.json ({option}); change it there', { option: `locks[].${name}` }),
  );
}

/** A form sends an empty text for an empty field. */
function isBlank(value: unknown): boolean {
  return value === null || (typeof value === 'string' && value.trim() === '');
}
