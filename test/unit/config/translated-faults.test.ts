// The faults of options are read in the language of whoever reads them, whenever they were found.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { translatedSentences } from '../../../scripts/translations.ts';
import { changedCredentials, NO_CREDENTIALS } from '../../../src/config/credentials.ts';
import { changedLockSettings } from '../../../src/config/kept-lock-settings.ts';
import { problemSentences } from '../../../src/config/options/problem-line.ts';
import { readConfig } from '../../../src/config/read-config.ts';
import type { Message } from '../../../src/domain/language/message.ts';
import { readCalendar } from '../../../src/features/stays/account/written-calendars.ts';
import { ENGLISH, setLanguage, t } from '../../../src/words/translate.ts';
import { FAULTY_BLOCKS } from '../../support/wrong-blocks.ts';
import { pseudo } from '../languages/pseudo-language.ts';

const file = join(import.meta.dirname, '..', '..', '..', 'languages', 'de.json');
const messages = JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<string, string>>;

/** A language that has every sentence, also those that are not translated yet. */
const whole = Object.fromEntries([...translatedSentences('.')].map((text) => [text, pseudo(text)]));

afterEach(() => setLanguage(ENGLISH));

function problemsOf(reading: { readonly ok: boolean; readonly problems?: readonly Message[] }) {
  return reading.problems ?? [];
}

/** Every fault of `config.json`, found before a language was chosen. */
const found: readonly Message[] = FAULTY_BLOCKS.flatMap(({ block }) => {
  const reading = readConfig(block);
  return reading.ok ? reading.warnings : reading.problems;
});
const english = new Set(found.map((line) => t(line)));

it('every fault of config.json that was found in English is read in another language', () => {
  setLanguage({ code: 'de', locale: 'de', messages: whole });
  const still = found.map((line) => t(line)).filter((line) => english.has(line));
  expect(found.length).toBeGreaterThan(100);
  expect(still).toEqual([]);
});

it.each<[string, readonly Message[], string]>([
  [
    'a setting of a lock',
    problemsOf(
      changedLockSettings({ config: { locks: new Map() }, lockId: 'a', kept: {}, change: { timeZone: 'x' } }),
    ),
    'timeZone: ist keine IANA-Zeitzone',
  ],
  [
    'a credential',
    problemsOf(changedCredentials(NO_CREDENTIALS, NO_CREDENTIALS, { clientId: '' })),
    'partner.clientId: ist leer',
  ],
])('a fault of %s that a page sent is read in German', (_, problems, german) => {
  setLanguage({ code: 'de', locale: 'de', messages });
  expect(t(problemSentences(problems))).toContain(german);
});

it('every fault of a calendar that a page sent is read in another language', () => {
  const written = { name: 'x'.repeat(50), address: 'no address', locks: [], checkIn: 'soon', code: '{no}' };
  const readings = [written, { name: 'House', address: 'no address', locks: [] }].map((values) =>
    readCalendar(values, { insecureLoopback: false, privateHosts: false }),
  );
  const faults = readings.flatMap((reading) => (reading.ok ? [] : reading.faults.map(([, fault]) => fault)));
  const before = new Set(faults.map((fault) => t(fault)));
  setLanguage({ code: 'de', locale: 'de', messages: whole });
  expect(faults).toHaveLength(5);
  expect(faults.map((fault) => t(fault)).filter((line) => before.has(line))).toEqual([]);
});
