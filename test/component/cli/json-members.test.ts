// The golden file of the command line: what each command takes, its exit status, and every member of its `--json` with its
// kinds. Of what a program of version 1.0.0 read, nothing goes.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { buildProgram } from '../../../src/cli/command-line.ts';
import { systemClock } from '../../../src/support/clock.ts';
import { freePort } from '../../harness/free-port.ts';
import { TestCalendar } from '../../harness/test-calendar.ts';
import { openPushedHome, pushOptions } from '../../homes/pushed-home.ts';
import { platformBlock, type SimulatedHome } from '../../homes/simulated-home.ts';
import { begin, terminalIn, writeConfig } from './terminal.ts';

/** The kinds of each member, by its path; `[]` stands for the members of a list. */
type Members = Record<string, string>;

interface Answer {
  readonly status: number;
  readonly members: Members;
}

const OF_1_0_0 = join(import.meta.dirname, 'json-members-1.0.0.json');

/** That of today; `UPDATE_GOLDEN=1` writes it anew, and what changed is to be read then. */
const GOLDEN = join(import.meta.dirname, 'command-line.json');
const USER = '1b0f3c9e-7a44-4f0e-9d5e-2f6b8f0a9c11';
const OTHER = '2c1f3c9e-7a44-4f0e-9d5e-2f6b8f0a9c12';
const CARD = `--user ${USER} --mobile +15550100123 --format 26A --facility 12 --site 7`.split(' ');

/**
 * Each line is one command, and what is typed after a colon; `$id` is the first id of the latest answer that had one. Later
 * ones show what earlier ones made. `_` is a space within a name.
 */
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
  'codes confirm --yes',
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
  'stays list --all --reveal',
  'stays message Stay_15',
  'stays checkout Nobody',
  'stays checkout Stay_15',
  'stays answer Flat blocked',
  'stays feed Flat',
  'stays feed Flat --withdraw',
  'webhooks status',
  'webhooks status --address',
  'webhooks list',
  'webhooks remove $id',
  'webhooks register',
  'webhooks test',
  'panel',
  'panel --login --role look',
  'panel --logins',
  'panel --end-login 1',
  'credentials list',
  'credentials get $id',
  'credentials no-tour save $id --lock AB12=payload.txt',
  'credentials no-tour delete $id --lock AB12',
  'credentials plan cards.csv',
  'credentials import cards.csv --yes',
  'credentials export cards-kept.csv',
  'credentials create-raw --user someone --mobile +15550100124 --bits 26: abcdef',
  'credentials delete $id',
  'credentials get',
  'history erase Nobody --yes',
  'history erase Front --yes',
  'history --export kept.csv',
  'locks replace Old Front',
  'backup kept.backup: a long passphrase, a long passphrase',
  'doctor',
  'diagnostics',
  'locks --account nobody',
  'lock nothing',
  'codes list',
  'codes add Front Dana --when sometimes',
  'goodbye --dry-run',
  'goodbye: nobody',
  'unlink',
  'locks --quiet',
];

/** Takes no part above: it never ends, needs a cluster, prints no values, or is by hand on this machine. */
const WITHOUT_VALUES = /^(?:link|watch|restore|completion|serve|relay.*)$/u;

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
  writeFileSync(join(home.folder, 'payload.txt'), 'cGF5bG9hZA==');
  writeFileSync(
    join(home.folder, 'cards.csv'),
    `userId,mobileNumber,cardFormat,facilityCode,siteId\n${OTHER},+15550100125,26A,12,7\n`,
  );
  const locks = [home.idOf('Front door')];
  const address = TestCalendar.of(home.simulator).url;
  await home.app.operations['stays.add-calendar']({ name: 'Flat', address, locks });
  return home;
}

/** The first id in an answer. */
function idIn(value: unknown): string | undefined {
  const text = JSON.stringify(Array.isArray(value) ? value.at(0) : value) ?? '';
  return /"(?:credentialId|id)":"([^"]+)"/u.exec(text)?.[1];
}

/** Null when nothing is printed; one value a line is a list. */
function valueIn(text: string): unknown {
  const lines = text.split('\n').filter((line) => line !== '');
  const values = lines.map((line): unknown => JSON.parse(line));
  return values.length > 1 ? values : (values[0] ?? null);
}

/** Runs it while the home's time goes on, which stands still while a calendar is read. */
async function run(home: SimulatedHome, line: string, id = ''): Promise<Answer & { value: unknown }> {
  const [command = '', typed = ''] = line.split(': ');
  const lines = typed.split(', ');
  const words = command
    .replace('$id', id)
    .replaceAll(/[\w-]+\.(?:yml|backup|csv|txt)/gu, (file) => join(home.folder, file))
    .split(' ')
    .map((word) => word.replaceAll('_', ' '));
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
  const value = valueIn(out === '' ? err : out);
  return { status, members: membersOf(value), value };
}

async function answersOfToday(): Promise<Record<string, Answer>> {
  const home = await furnished();
  const [user] = home.simulator.credentialingUsers;
  await run(home, `credentials login: ${user?.username}, ${user?.password}`);
  const found: Record<string, Answer> = {};
  let id: string | undefined;
  for (const line of COMMANDS) {
    const { value, ...answer } = await run(home, line, id);
    found[line] = answer;
    id = idIn(value) ?? id;
  }
  return found;
}

/** Arguments and options of every command. */
function helpOfToday(): Record<string, string> {
  const { terminal } = terminalIn('/', systemClock);
  const program = buildProgram(terminal, { writeErr() {} }, () => {});
  const helpOf = (command: Command, name: string): [string, string][] => {
    const words = command.registeredArguments.map((each) =>
      each.required ? `<${each.name()}>` : `[${each.name()}]`,
    );
    const options = command.options
      .filter(({ flags }) => !/^--(?:storage|config|account|json|quiet) ?/u.test(flags))
      .map(({ flags }) => flags);
    const within = command.commands.flatMap((each) => helpOf(each, `${name} ${each.name()}`.trim()));
    return [[name, [...words, ...options].join(' ')], ...within];
  };
  return Object.fromEntries(helpOf(program, ''));
}

/** The members of the golden file that are gone or have other kinds, and a status that differs. */
function differences(then: Answer, now: Answer | undefined): readonly string[] {
  const gone = Object.entries(then.members).flatMap(([path, kinds]) => {
    const found = now?.members[path]?.split('|') ?? ['nothing'];
    const others = found.filter((kind) => !kinds.split('|').includes(kind));
    return others.map((kind) => `${path}: ${kind} instead of ${kinds}`);
  });
  return now?.status === then.status ? gone : [`status ${now?.status} instead of ${then.status}`, ...gone];
}

/** Members that are new, too; but a value may be missing in one run: null, or in a list without members. */
function allDifferences(then: Answer, now: Answer | undefined): readonly string[] {
  const found = now?.members ?? {};
  const isEmpty = (path: string): boolean => {
    const above = path.replace(/(?:\.[^.[]+|\[\])$/u, '');
    const kinds = found[above];
    return kinds === undefined ? above !== path && isEmpty(above) : /null|list/u.test(kinds);
  };
  const inRun = Object.entries(then.members).flatMap(([path, kinds]): [string, string][] =>
    found[path] === undefined && isEmpty(path) ? [] : [[path, `${kinds}|null`]],
  );
  const added = Object.keys(found).filter((path) => then.members[path] === undefined);
  return [
    ...differences({ ...then, members: Object.fromEntries(inRun) }, now),
    ...added.map((path) => `${path}: new`),
  ];
}

interface Golden {
  readonly help: Readonly<Record<string, string>>;
  readonly answers: Readonly<Record<string, Answer>>;
}

function golden(): Golden {
  return JSON.parse(readFileSync(GOLDEN, 'utf8')) as Golden;
}

/** Each line that differs, with what differs. */
function differing(
  then: Readonly<Record<string, Answer>>,
  now: Readonly<Record<string, Answer>>,
  compare: (then: Answer, now: Answer | undefined) => readonly string[],
): readonly unknown[] {
  return Object.entries(then)
    .map(([line, answer]) => [line, compare(answer, now[line])])
    .filter(([, found]) => found?.length !== 0);
}

describe('the command line', () => {
  it('answers as the golden file says, with every member that a program of 1.0.0 relies on', async () => {
    const now = await answersOfToday();
    if (process.env['UPDATE_GOLDEN'] === '1') {
      writeFileSync(GOLDEN, `${JSON.stringify({ help: helpOfToday(), answers: now }, null, 2)}\n`);
    }
    const { answers } = golden();
    expect(Object.keys(answers)).toEqual(COMMANDS);
    expect(differing(answers, now, allDifferences)).toEqual([]);
    const then = JSON.parse(readFileSync(OF_1_0_0, 'utf8')) as Golden['answers'];
    expect(differing(then, now, differences)).toEqual([]);
  });

  it('takes the arguments and options that the golden file says', () => {
    expect(helpOfToday()).toEqual(golden().help);
  });

  it('has every command that gives values in the golden file', () => {
    const isLeaf = (name: string): boolean => !names.some((other) => other.startsWith(`${name} `));
    const names = Object.keys(helpOfToday());
    const missing = names.filter(
      (name) =>
        name !== '' &&
        isLeaf(name) &&
        !WITHOUT_VALUES.test(name) &&
        !COMMANDS.some((line) => line === name || line.startsWith(`${name} `) || line.startsWith(`${name}:`)),
    );
    expect(missing).toEqual(['credentials login', 'simulate'].filter((name) => names.includes(name)));
  });
});
