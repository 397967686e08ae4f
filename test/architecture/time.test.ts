// Holds all tolerances of time to one module: no other one decides which date is ahead, late or stale.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '..', '..');

/** Durations of another kind: how often something is done, how long it is waited for. Each is named here on purpose. */
const PACES: ReadonlySet<string> = new Set([
  'ABANDONED_AFTER_MS',
  'ABSENCE_BEFORE_REMOVAL_MS',
  'ABSENCE_BEFORE_WITHDRAWAL_MS',
  'AGAIN_MS',
  'CLOSE_WATCH_MS',
  'COMPARED_WITHIN_MS',
  'DAY_MS',
  'EMPTY_AGAIN_MS',
  'EVENT_VOUCHES_MS',
  'FIRST_LISTED_INSTEAD_MS',
  'FIRST_WITHIN_MS',
  'GIVES_UP_AFTER_MS',
  'GIVES_WAY_MS',
  'HALF_DAY_MS',
  'HEARD_AGAIN_AFTER_MS',
  'HORIZON_MS',
  'HOUR_MS',
  'KEPT_AFTER_MS',
  'LATE_LISTING_MS',
  'LEAVE_WITHIN_MS',
  'SERVES_FOR_MS',
  'LONGER_WINDOW_MS',
  'MAX_CLOCK_SKEW_MS',
  'MAX_IN_FLIGHT_MS',
  'MAX_WINDOW_MS',
  'NEAR_MS',
  'NOTED_AFTER_MS',
  'OVERDUE_AFTER_MS',
  'PACE_WINDOW_MS',
  'RATE_WINDOW_MS',
  'READ_BACK_MISSED_AFTER_MS',
  'REMEMBERED_MS',
  'SAME_WINDOW_MS',
  'SECOND_MS',
  'SETTLED_AFTER_MS',
  'SETTLES_IN_MS',
  'SETTLES_WITHIN_MS',
  'SHOWN_AFTER_MS',
  'SHOWN_MS',
  'SILENT_AFTER_MS',
  'TAKEN_UP_WITHIN_MS',
  'TEST_AFTER_SILENCE_MS',
  'TRUSTED_MS',
  'UNANSWERED_AFTER_MS',
  'UNREAD_AFTER_MS',
  'WARNED_BEFORE_MS',
  'WAVERS_FOR_MS',
  'WHOLE_AFTER_MS',
  'WINDOW_MARGIN_MS',
]);
/** A name that stands for a pace. */
const PACE = /_(EVERY|APART|PAUSE|READ|CALLS)_MS$/;

const DURATION = /^(?:export )?const ([A-Z_]+_(?:MS|SECONDS))\b/gm;
/** An instant compared by hand, and Node's own clocks. */
const BY_HAND = /[cC]lock\.now\(\) - (?!REPORTED)|Date\.now\(|performance\.now\(/g;

function found(folder: string, pattern: RegExp): readonly (readonly [path: string, match: string])[] {
  return readdirSync(join(root, 'src', folder), { recursive: true, encoding: 'utf8' })
    .filter(
      (path) => path.endsWith('.ts') && !(folder === 'domain' && /^time\/(time|estimate)\.ts$/.test(path)),
    )
    .flatMap((path) =>
      [...readFileSync(join(root, 'src', folder, path), 'utf8').matchAll(pattern)].map(
        (match) => [`${folder}/${path}`, match[1] ?? match[0]] as const,
      ),
    );
}

it.each(['domain', 'engine'])(
  'src/%s has no tolerance of its own: it stands in domain/time/time.ts (docs/develop/decisions/0012)',
  (folder) => {
    const tolerances = found(folder, DURATION).filter(([, name]) => !PACES.has(name) && !PACE.test(name));
    expect(tolerances).toEqual([]);
  },
);

it.each(['domain', 'engine'])('src/%s compares no instants with the clock by hand', (folder) => {
  expect(found(folder, BY_HAND)).toEqual([]);
});
