// What a program of version 1.0.0 read from `--json` is still there: every member with its kinds, and every exit status.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { systemClock } from '../../../src/support/clock.ts';
import { freePort } from '../../harness/free-port.ts';
import { TestCalendar } from '../../harness/test-calendar.ts';
import { openPushedHome, pushOptions } from '../../homes/pushed-home.ts';
import { platformBlock, type SimulatedHome } from '../../homes/simulated-home.ts';
import { begin, writeConfig } from './terminal.ts';

/** The kinds of each member, by its path; `[]` stands for the members of a list. */
type Members = Record<string, string>;

interface Answer {
  readonly status: number;
  readonly members: Members;
}

const GOLDEN = join(import.meta.dirname, 'json-members-1.0.0.json');
const USER = '1b0f3c9e-7a44-4f0e-9d5e-2f6b8f0a9c11';
const CARD = `--user ${USER} --mobile +15550100123 --format 26A --facility 12 --site 7`.split(' ');

/** Each line is one command, and what is typed after a colon; later ones show what earlier ones made. */
const COMMANDS = [
  `credentials create ${CARD.join(' ')}`,
  'locks',
  'lock Front',
  'unlock Front Back',
  'history Front',
  'history',
  'codes list Front',
  'codes list Front --reveal',
  'codes add Front Dana: 4711',
  'codes update Front Dana --rename Dan',
  'codes remove Front Dan',
  'codes clear Garage --yes',
  'codes sync codes.yml --dry-run',
  'codes sync codes.yml --yes',
  'guests add Gil --on Front: 5829',
  'guests list',
  'guests show Gil',
  'guests show Gil --reveal',
  'guests update Gil --rename Gill',
  'guests settle Gill Front retry',
  'guests remove Gill',
  'stays list',
  'stays check',
  'stays sync',
  'webhooks status',
  'webhooks list',
  'webhooks register',
  'webhooks test',
  'panel',
  'credentials list',
  'backup kept.backup: a long passphrase, a long passphrase',
  'doctor',
  'locks --account nobody',
  'lock nothing',
  'codes list',
  'codes add Front Dana --when sometimes',
  'unlink',
  'locks',
];

function kindOf(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value;
}

/** Adds the kinds of this value and of all within it. */
function gather(value: unknown, path: string, found: Map<string, Set<string>>): void {
  found.set(path, (found.get(path) ?? new Set()).add(kindOf(value)));
  if (Array.isArray(value)) {
    for (const member of value) {
      gather(member, `${path}[]`, found);
    }
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, member] of Object.entries(value)) {
      gather(member, `${path}.${name}`, found);
    }
  }
}

function membersOf(value: unknown): Members {
  const found = new Map<string, Set<string>>();
  gather(value, '', found);
  return Object.fromEntries(
    [...found].map(([path, kinds]): [string, string] => [path, [...kinds].join('|')]),
  );
}

/** A linked home with a code, a calendar, webhooks and credentials, so that no list is empty. */
async function furnished(): Promise<SimulatedHome> {
  const port = await freePort();
  const home = await openPushedHome({ port, webhooks: {} });
  const { partner } = platformBlock(home.simulator);
  writeConfig(home, {
    ...pushOptions(port, {}),
    partner: { ...partner, credentialsUrl: home.simulator.credentialsBaseUrl },
  });
  writeFileSync(
    join(home.folder, 'codes.yml'),
    '- { lock: Front door, name: Cleaner, code: "0417", schedule: "Mon,Wed 08:00-11:00" }\n',
  );
  const locks = [home.idOf('Front door')];
  const address = TestCalendar.of(home.simulator).url;
  await home.app.operations['stays.add-calendar']({ name: 'Flat', address, locks });
  return home;
}

/** Runs it while the home's time goes on, which stands still while a calendar is read. */
async function run(home: SimulatedHome, line: string): Promise<Answer> {
  const [command = '', typed = ''] = line.split(': ');
  const lines = typed.split(', ');
  const words = command
    .split(' ')
    .map((word) => (/\.(?:yml|backup)$/u.test(word) ? join(home.folder, word) : word));
  const clock = { ...systemClock, now: () => home.clock.now() };
  const readLine = async (): Promise<string | null> => Promise.resolve(lines.shift() ?? null);
  const { ended, said } = begin(home, [...words, '--json'], clock, { readLine });
  const state = { isOver: false };
  void ended.finally(() => {
    state.isOver = true;
  });
  while (!state.isOver) {
    const isReading = words[0] === 'stays' && !said.err.includes('The locks are working');
    await home.clock.advance(isReading ? 0 : 250);
  }
  const { status, out, err } = await ended;
  return { status, members: membersOf(JSON.parse(out === '' ? err : out)) };
}

async function answers(): Promise<Record<string, Answer>> {
  const home = await furnished();
  const [user] = home.simulator.credentialingUsers;
  await run(home, `credentials login: ${user?.username}, ${user?.password}`);
  const found: Record<string, Answer> = {};
  for (const [index, line] of COMMANDS.entries()) {
    found[`${index} ${line}`] = await run(home, line);
  }
  return found;
}

/** The members of 1.0.0 that are gone or have kinds that they had not, and a status that differs. */
function differences(then: Answer, now: Answer | undefined): readonly string[] {
  const gone = Object.entries(then.members).flatMap(([path, kinds]) => {
    const found = now?.members[path]?.split('|') ?? ['nothing'];
    const others = found.filter((kind) => !kinds.split('|').includes(kind));
    return others.map((kind) => `${path}: ${kind} instead of ${kinds}`);
  });
  return now?.status === then.status ? gone : [`status ${now?.status} instead of ${then.status}`, ...gone];
}

it('keeps every member, its kinds and the exit status that a program of 1.0.0 relies on', async () => {
  const now = await answers();
  const then = JSON.parse(readFileSync(GOLDEN, 'utf8')) as Record<string, Answer>;
  expect(Object.keys(then)).toEqual(Object.keys(now));
  const found = Object.entries(then).map(([line, answer]) => [line, differences(answer, now[line])]);
  expect(found.filter(([, differing]) => differing?.length !== 0)).toEqual([]);
});
