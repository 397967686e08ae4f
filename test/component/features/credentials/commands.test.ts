// `latchkey credentials` against the simulator: every operation of its rate-limit table, and files of credentials.
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { OPERATIONS } from '../../../../simulator/src/credentialing/operations.ts';
import { systemClock } from '../../../../src/support/clock.ts';
import { platformBlock, SimulatedHome } from '../../../homes/simulated-home.ts';
import { begin, containing, endedWith, latchkey, type Ran, writeConfig } from '../../cli/terminal.ts';

const USER = '1b0f3c9e-7a44-4f0e-9d5e-2f6b8f0a9c11';
const OTHER = '2b0f3c9e-7a44-4f0e-9d5e-2f6b8f0a9c12';
const CARD = `--user ${USER} --mobile +15550100123 --format 26A --facility 12 --site 7`.split(' ');
const HEAD = 'userId,mobileNumber,cardFormat,facilityCode,siteId';

let home: SimulatedHome;

beforeEach(async () => {
  home = await SimulatedHome.open();
  writeConfig(home, {
    partner: { ...platformBlock(home.simulator).partner, credentialsUrl: home.simulator.credentialsBaseUrl },
  });
});

async function credentials(...words: readonly string[]): Promise<Ran> {
  return latchkey(home, 'credentials', ...words);
}

/** The same with lines that are typed. */
async function typed(lines: readonly string[], ...words: readonly string[]): Promise<Ran> {
  return begin(home, ['credentials', ...words], systemClock, { typed: lines }).ended;
}

async function loggedIn(): Promise<void> {
  const [user] = home.simulator.credentialingUsers;
  expect(await typed([user?.username ?? '', user?.password ?? ''], 'login')).toMatchObject({ status: 0 });
}

function fileWith(name: string, content: string): string {
  const file = join(home.folder, name);
  writeFileSync(file, content);
  return file;
}

function rows(count: number): string {
  const lines = Array.from(
    { length: count },
    (_, index) =>
      `00000000-0000-4000-8000-${String(index).padStart(12, '0')},+1555010${String(index).padStart(4, '0')},26A,12,7`,
  );
  return [HEAD, ...lines].join('\n');
}

describe('latchkey credentials', () => {
  it('calls every operation of the rate-limit table', async () => {
    await loggedIn();
    const created = await credentials('create', ...CARD, '--json');
    const { credentialId } = z.object({ credentialId: z.string() }).parse(JSON.parse(created.out));
    const raw = ['create-raw', '--user', OTHER, '--mobile', '+15550100124', '--bits', '37'];
    expect((await typed(['1f00aa55c3'], ...raw)).status).toBe(0);
    const payload = fileWith('payload', 'AAEC\n');
    const commands = [
      ['list'],
      ['get', credentialId],
      ['get', '--user', OTHER],
      ['no-tour', 'save', credentialId, '--lock', `0000A1B2C3=${payload}`],
      ['no-tour', 'delete', credentialId, '--lock', '0000A1B2C3'],
      ['no-tour', 'save', credentialId, '--lock', `0000A1B2C3=${payload}`],
      ['no-tour', 'delete', credentialId],
      ['delete', credentialId],
      ['delete', '--user', OTHER],
    ];
    for (const words of commands) {
      expect([words, await credentials(...words)]).toMatchObject([words, { status: 0 }]);
    }
    for (const { method, path } of Object.values(OPERATIONS)) {
      const form = new RegExp(`/SMC${path.replaceAll(/:\w+/g, '[^/]+')}$`);
      const sent = (await home.requests(method, '/SMC/')).filter(({ url }) => form.test(url));
      expect([method, path, sent.length]).not.toEqual([method, path, 0]);
    }
  });

  it('asks for the login, keeps it for later commands, and shows it nowhere', async () => {
    const [user] = home.simulator.credentialingUsers;
    const refused = await typed([user?.username ?? '', 'a wrong password'], 'login');
    expect(refused).toMatchObject(endedWith(2, 'refused the user name or the password'));
    expect(await credentials('list')).toMatchObject(endedWith(2, 'latchkey credentials login'));
    await loggedIn();
    const list = await credentials('list', '--json');
    expect(list).toMatchObject({ status: 0, out: '[]\n' });
    expect(JSON.stringify([refused, list])).not.toContain('a wrong password');
    expect(await typed([], 'login')).toMatchObject(endedWith(1, 'was not answered'));
  });

  it('names the missing options where no interface is configured', async () => {
    writeConfig(home, {});
    expect(await credentials('list')).toMatchObject(endedWith(2, 'Missing: partner.credentialsUrl'));
  });

  it('issues nothing for a user who has another credential, and an equal one once, which is found by site and text', async () => {
    await loggedIn();
    expect((await credentials('create', ...CARD)).err).not.toContain('mobileNumber');
    expect(await credentials('create', ...CARD)).toMatchObject({ status: 0, out: containing('already') });
    const other = CARD.map((word) => (word === '12' ? '13' : word));
    expect(await credentials('create', ...other)).toMatchObject({
      status: 1,
      out: containing('Nothing was issued'),
    });
    expect((await home.requests('POST', '/credentials/mobile')).length).toBe(1);
    expect((await credentials('list', '--site', '7', '--search', '0123')).out).toContain(USER);
    expect((await credentials('list', '--site', '8')).out).toBe('');
    expect((await credentials('list', '--search', 'nobody')).out).toBe('');
  });

  it('warns of a mobile number that some services refuse, and issues the credential all the same', async () => {
    await loggedIn();
    const callMe = CARD.map((word) => (word.startsWith('+') ? 'call me' : word));
    expect(await credentials('create', ...callMe)).toMatchObject(
      endedWith(0, 'mobileNumber does not look like an international phone number'),
    );
  });
});

describe('latchkey credentials import', () => {
  beforeEach(loggedIn);

  it('gives each row its result, and changes nothing when it is run again', async () => {
    const file = fileWith('rows.csv', rows(5));
    const results = join(home.folder, 'results.csv');
    writeFileSync(results, 'former', { mode: 0o644 });
    const first = await credentials('import', file, '--json', '--results', results);
    expect(first.status).toBe(0);
    const lines = first.out.trim().split('\n');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject(
      Array.from({ length: 5 }, () => ({ result: 'created', reason: null })),
    );
    expect(readFileSync(results, 'utf8').split('\n')[1]).toMatch(
      /^2,00000000-0000-4000-8000-000000000000,created,\S+,1,$/u,
    );
    expect(statSync(results).mode & 0o777).toBe(0o600);
    expect(await credentials('import', file)).toMatchObject(endedWith(0, '5 unchanged.'));
  });

  it('checks the whole file before anything is sent', async () => {
    const file = fileWith('rows.csv', `${rows(3)}\nx,,99,a,7\n`);
    const before = (await home.requests('GET', '/SMC/')).length;
    expect(await credentials('import', file)).toMatchObject(
      endedWith(2, /^(?:line 5: (?:userId|mobileNumber|cardFormat|facilityCode) .*\n){4}/u),
    );
    expect((await home.requests('GET', '/SMC/')).length).toBe(before);
  });

  it('plans without changing anything', async () => {
    const file = fileWith('rows.csv', rows(150));
    await credentials('create', ...CARD);
    const plan = await credentials('plan', file);
    expect(plan).toMatchObject({ status: 0 });
    expect(plan.out).toContain('150 to add');
    expect(plan.out).toContain('0 to remove  (1 with --remove-missing)');
    expect(plan.out).toMatch(/It takes (1 min|\d+ s)/u);
    const { missing, calls } = z
      .object({ missing: z.array(z.unknown()), calls: z.unknown() })
      .parse(JSON.parse((await credentials('plan', file, '--json', '--remove-missing')).out));
    expect([missing.length, calls]).toEqual([1, { create: 150, delete: 1 }]);
    expect((await home.requests('POST', '/credentials/mobile')).length).toBe(1);
  });

  it('asks before people lose access, says how many, and sends nothing without a yes', async () => {
    await credentials('import', fileWith('before.csv', rows(4)));
    const after = rows(3).replace('+15550100000,26A,12', '+15550100000,26A,13').split('\n').slice(0, -1);
    const file = fileWith('after.csv', after.join('\n'));
    const words = ['import', file, '--replace', '--remove-missing'];
    const question =
      '2 people would lose access. 1 person would have none until the new credential is on the phone. Carry it out? Type yes:';
    for (const lines of [['no'], []]) {
      expect(await typed(lines, ...words)).toMatchObject(endedWith(1, question));
    }
    expect(await home.requests('DELETE', '/SMC/')).toEqual([]);
    expect((await typed(['yes'], ...words)).status).toBe(0);
    expect(await home.requests('DELETE', '/SMC/')).toHaveLength(3);
  });

  it('does not ask with --yes, nor where no person loses access', async () => {
    await credentials('import', fileWith('before.csv', rows(3)));
    const file = fileWith('after.csv', rows(2));
    const more = fileWith('more.csv', rows(4));
    expect(await credentials('import', more, '--replace', '--remove-missing')).toMatchObject(
      endedWith(0, '1 created'),
    );
    const removed = await credentials('import', file, '--remove-missing', '--yes');
    expect(removed).toMatchObject(endedWith(0, '2 people would lose access.'));
    expect(removed.err).not.toContain('Type yes');
  });

  it('waits out an outage at its first call as well (faults#115)', async () => {
    const fault = { kind: 'status', status: 503, path: '**/SMC/credentials/mobile', method: 'GET' };
    await home.control('house/inject-fault', { ...fault, often: 'once' });
    expect(await credentials('import', fileWith('rows.csv', rows(2)))).toMatchObject(
      endedWith(0, '2 created'),
    );
  });

  it('ends with 130 when it is stopped, and says how to go on', async () => {
    const file = fileWith('rows.csv', rows(150));
    const stop = new AbortController();
    const running = begin(home, ['credentials', 'import', file], systemClock, { stopped: stop.signal });
    await vi.waitUntil(() => running.said.err.includes('waiting until'), 30_000);
    stop.abort();
    expect(await running.ended).toMatchObject(endedWith(130, 'it goes on where it stopped'));
  });

  it('reads the file that the export writes', async () => {
    await credentials('create', ...CARD);
    const file = join(home.folder, 'out.csv');
    // faults#121: private whatever was there before, and nothing in it is run by a spreadsheet.
    writeFileSync(file, 'former', { mode: 0o644 });
    expect(await credentials('export', file)).toMatchObject({ status: 0 });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8')).toMatch(/,'\+\d+,/u);
    expect((await credentials('plan', file)).out).toContain('1 unchanged');
    const lines = await credentials('export', '--format', 'jsonl', '--site', '7');
    expect(JSON.parse(lines.out)).toMatchObject({ userId: USER, attributes: { siteId: '7' } });
  });
});
