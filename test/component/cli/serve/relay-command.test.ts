// `latchkey relay enrol`: prints a line for the home, and the login for the broker.
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readToken } from '../../../../relay/src/home-token.ts';
import { readEnrolment } from '../../../../src/config/options/relay-enrolment.ts';
import { hasOpenssl } from '../../../harness/openssl.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { begin, endedWith, type Ran } from '../terminal.ts';

const SECRET = 'the secret of all relays behind one balancer';

async function enrol(...words: readonly string[]) {
  return enrolAt({ url: 'mqtt://10.0.0.2' }, words);
}

async function enrolAt(broker: Readonly<Record<string, string>>, words: readonly string[]) {
  const file = join(temporaryFolder(), 'relay.json');
  const config = {
    publicUrl: 'https://relay.example',
    secrets: [SECRET],
    broker,
    homeBrokerUrl: 'mqtts://broker.example',
  };
  writeFileSync(file, JSON.stringify(config));
  return say('enrol', '--config', file, ...words);
}

async function say(...words: readonly string[]): Promise<Ran> {
  return begin({ folder: '/nowhere' }, ['relay', ...words], new ManualClock()).ended;
}

describe('latchkey relay enrol', () => {
  it('prints one line for the home, and for the broker its user and topic', async () => {
    const { status, out, err } = await enrol('--home', 'blue', '--generation', '2');
    expect(status).toBe(0);
    const line = readEnrolment(out.trim());
    expect(line).toMatchObject({ home: 'blue', username: 'blue', broker: 'mqtts://broker.example' });
    const token = line?.url?.split('/').at(-1) ?? '';
    expect(readToken('blue', token, [SECRET])).toEqual({
      home: 'blue',
      generation: 2,
      publicKey: line?.key.x,
    });
    expect(err).toContain(
      `user blue, password ${String(line?.password)}, may read latchkey/homes/blue/events.`,
    );
  });

  it('makes up a name for a home, and never the same one twice', async () => {
    const [one, two] = [await enrol('--json'), await enrol('--json')];
    const homes = [one, two].map(({ out }) => readEnrolment((JSON.parse(out) as { line: string }).line));
    expect(homes[0]?.home).toMatch(/^[0-9a-f]{24}$/u);
    expect(homes[0]?.home).not.toBe(homes[1]?.home);
    expect(homes[0]?.key).not.toEqual(homes[1]?.key);
  });

  it('prints no address where one webhook serves all homes', async () => {
    expect(readEnrolment((await enrol('--shared')).out.trim())?.url).toBeNull();
  });

  it.each([
    ['--home', 'Blue House'],
    ['--generation', '0'],
  ])('refuses %s %s', async (...words) => {
    expect((await enrol(...words)).status).toBe(2);
  });
});

describe('latchkey relay cluster', () => {
  it('makes accounts and keys once, for one person to read, and enrols homes without a call to a node', async () => {
    const folder = join(temporaryFolder(), 'keys');
    expect(await say('cluster', '--folder', folder)).toMatchObject({ status: 0, err: '' });
    const keysFile = join(folder, 'keys.json');
    expect(statSync(keysFile).mode & 0o777).toBe(0o600);
    const before = readFileSync(keysFile, 'utf8');
    expect(await say('cluster', '--folder', folder)).toMatchObject(endedWith(1, 'it is there already'));
    expect(readFileSync(keysFile, 'utf8')).toBe(before);

    const url = 'tls://a.example,b.example:4223';
    const words = ['--broker', url, '--home', 'blue', '--generation', '2'];
    const { status, out, err } = await enrolAt({ url: 'mqtt://10.0.0.2', keysFile }, words);
    expect(status).toBe(0);
    expect(readEnrolment(out.trim())).toMatchObject({
      home: 'blue',
      username: expect.stringMatching(/^blue_2_[0-9a-f]{32}$/u) as unknown,
      topic: 'homes.blue_2.events',
      jwt: expect.stringMatching(/^eyJ/u) as unknown,
    });
    expect(err).toContain('The broker needs to know nothing');
  });

  it.skipIf(!hasOpenssl)(
    'makes certificates for the nodes that are named, also later, and makes no second cluster for them',
    async () => {
      const folder = join(temporaryFolder(), 'cluster');
      const [a, d] = ['a.example.net', 'd.example.net'];
      const made = await say('cluster', '--folder', folder, a);
      expect(made).toMatchObject({ status: 0, err: '' });
      expect(made.out).toContain(`For /etc/nats of ${a}: ${join(folder, 'nodes', a)}`);
      const keys = readFileSync(join(folder, 'keys.json'), 'utf8');
      expect(await say('cluster', '--folder', folder, d)).toMatchObject({ status: 0, err: '' });
      expect(readFileSync(join(folder, 'keys.json'), 'utf8')).toBe(keys);
      for (const host of [a, d]) {
        const files = readdirSync(join(folder, 'nodes', host));
        expect(files.toSorted()).toEqual(['accounts.conf', 'ca.pem', 'node.key', 'node.pem']);
      }
      expect(await say('cluster', '--folder', folder, 'Blue House')).toMatchObject(
        endedWith(1, 'is no host name'),
      );
    },
  );

  it('says which file is missing when a home is enrolled without it', async () => {
    expect(await enrolAt({ url: 'nats://a.example' }, [])).toEqual({
      out: '',
      ...endedWith(2, 'broker.keysFile is missing; name the keys.json'),
    });
  });
});
