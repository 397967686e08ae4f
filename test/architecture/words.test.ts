// Holds the sentences for people to src/words: no second file of words, and no second table for a fact that several surfaces show.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SOURCE_FOLDERS } from './houses.ts';

const root = join(import.meta.dirname, '..', '..');

/** Files called words elsewhere, each with its reason. */
const WORDS_ELSEWHERE: Readonly<Record<string, string>> = {
  'src/support/text/unknown-words.ts':
    'names words of the service in the log; it makes no sentence about a lock',
};

/** Tables elsewhere, each with its reason. */
const TABLES_ELSEWHERE: Readonly<Record<string, string>> = {
  'src/domain/codes/failure.ts': 'what the rules of codes decide; the domain imports nothing',
  'src/domain/codes/guest.ts': 'rules of guests say their own sentences, as those of codes do',
  'src/domain/codes/guest-step.ts': 'why a step waits is part of its result; the domain imports nothing',
};

/** Facts that more than one surface shows. */
const SHARED_FACTS = [
  'AccessMethod',
  'AlertReport',
  'BoltPosition',
  'BoltState',
  'CodeFailureReason',
  'CodePhase',
  'CommandOutcome',
  'GuestStanding',
  'HealthReason',
  'HistoryWhat',
  'LinkOutcome',
  'LinkState',
  'Presence',
  'RefusalReason',
  'RegistrationState',
  'RequestRefusal',
  'RuntimeLinkState',
  'SelfTestFinding',
  'StayPhase',
  'WebhookHealth',
];

/** `Record<BoltState, string>`, `Partial<Record<Exclude<Presence, 'offline'>, Message>>`: a sentence for each member. */
const TABLE = new RegExp(
  String.raw`Record<[^=;{]*\b(?:${SHARED_FACTS.join('|')})\b[^=;{]*,\s*(?:string|Message)>`,
  'u',
);

function sourceFiles(): readonly string[] {
  return SOURCE_FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.tsx?$/u.test(path))
      .map((path) => join(folder, path))
      .filter((path) => !/^(?:src\/words\/|simulator\/|src\/features\/[^/]+\/words(?:\.ts$|\/))/u.test(path)),
  );
}

const text = (path: string): string => readFileSync(join(root, path), 'utf8');

describe('words for people', () => {
  it('stand in src/words, or beside the code of their feature: no other file is called so, but for those listed with a reason', () => {
    const found = sourceFiles().filter((path) => /words\.tsx?$/u.test(path));
    expect(found.toSorted()).toEqual(Object.keys(WORDS_ELSEWHERE).toSorted());
  });

  it('for a fact that several surfaces show are in one table, and not in a second one elsewhere', () => {
    const found = sourceFiles().filter((path) => TABLE.test(text(path)));
    expect(found.toSorted()).toEqual(Object.keys(TABLES_ELSEWHERE).toSorted());
  });

  it('know no clock and no chance: what is said follows from what is given', () => {
    const files = readdirSync(join(root, 'src/words')).map((name) => join('src/words', name));
    expect(files.length).toBeGreaterThan(10);
    expect(
      files.filter((path) => /Date\.now|new Date\(\)|Math\.random|performance\./u.test(text(path))),
    ).toEqual([]);
  });

  it.each([
    ['const A: Readonly<Record<BoltState, string>> = {', true],
    ["const A: Readonly<Partial<Record<Exclude<Presence, 'reachable'>, string>>> = {", true],
    ["const A: Readonly<Record<AlertReport['type'], string>> = {", true],
    ['const A: Readonly<Record<BoltState, Message>> = {', true],
    ['const A: Readonly<Record<AccessMethod, MoveMethod | null>> = {', false],
    ['const A: Readonly<Record<string, string>> = {', false],
  ])('are found by the gate where it is written %s: %s', (line, isTable) => {
    expect(TABLE.test(line)).toBe(isTable);
  });
});
