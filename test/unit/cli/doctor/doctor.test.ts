// The doctor's conclusions that no real process can be made to reach: Node versions, and findings of a check.
import { describe, expect, it } from 'vitest';
import { configFindings } from '../../../../src/cli/doctor/configuration.ts';
import { lockFinding } from '../../../../src/cli/doctor/locks.ts';
import { nodeFinding } from '../../../../src/cli/doctor/node-version.ts';
import { credentialFinding, linkFinding, serviceFindings } from '../../../../src/cli/doctor/service.ts';
import { webhookFinding } from '../../../../src/cli/doctor/webhooks.ts';
import type { ServiceCheck, Verdict } from '../../../../src/domain/account/service-check.ts';
import { message } from '../../../../src/domain/language/message.ts';
import { packageFacts } from '../../../../src/installation/package-facts.ts';
import type { PartnerView } from '../../../../src/panel/views/partner.ts';
import type { WebhooksView } from '../../../../src/panel/views/webhooks.ts';
import { isInRange } from '../../../../src/support/versions.ts';
import { lockView } from '../terminal/lock-view.ts';

const RANGE = '^22.19.0 || ^24.0.0 || ^26.0.0';
const OK: Verdict = { ok: true };

function refused(disposition: 'final' | 'retry' | 'relink', code: string): Verdict {
  return { ok: false, disposition, code, message: message('It failed.') };
}

const KEY_REFUSED = refused('final', 'bad-configuration');
const REVOKED = refused('relink', 'revoked');

const WELL: ServiceCheck = {
  authorization: OK,
  token: OK,
  keys: [OK, OK],
  clock: { aheadMs: 200, uncertaintyMs: 500 },
  checkedAt: 0,
};

/** The findings that are not fine, as "grade check". */
function complaints(check: Partial<ServiceCheck>, linked: boolean): readonly string[] {
  return serviceFindings({ ...WELL, ...check }, linked)
    .filter(({ grade }) => grade !== 'ok')
    .map(({ check: name, grade }) => `${grade} ${name}`);
}

describe('the configuration', () => {
  it('of a demo is complete, and does not count as an account', () => {
    const { findings } = configFindings({ id: '#1', name: 'Latchkey', block: { demo: true } });
    expect(findings.map(({ grade, what }) => [grade, what])).toEqual([
      ['ok', '"Latchkey" is a demo: its locks are simulated.'],
    ]);
  });
});

describe('the version of Node', () => {
  it.each([
    ['v24.21.0', true],
    ['v22.19.0', true],
    ['v22.18.9', false],
    ['v22.9.0', false],
    ['v20.19.0', false],
    ['v23.9.0', false],
    ['v26.0.1', true],
    ['v28.0.0', false],
  ])('%s is supported: %s', (version, supported) => {
    expect(isInRange(version, RANGE)).toBe(supported);
    expect(nodeFinding(version, RANGE).grade).toBe(supported ? 'ok' : 'fault');
  });

  it('is read from a range of this form in the package', () => {
    expect(packageFacts().nodeRange).toMatch(/^\^[\d.]+( \|\| \^[\d.]+)*$/u);
  });
});

it('credentials are fine wherever they are stored', () => {
  const partner: PartnerView = {
    authUrl: 'https://auth.example',
    baseUrl: 'https://api.example',
    redirectUri: 'https://home.example/callback',
    simulated: false,
    clientId: { from: 'config', value: 'client-1' },
    clientSecret: { from: 'page' },
    subscriptionKeys: { from: 'config', count: 1 },
    missing: [],
  };
  expect(credentialFinding(partner)).toMatchObject({
    grade: 'ok',
    what: 'Complete; a page of the plugin keeps some of them.',
  });
});

it('a link to another account than before is a fault that says how to decide', () => {
  const accountChange = { missing: ['Front door'], added: [] };
  const link = {
    state: 'linked',
    waiting: null,
    ended: null,
    accountChange,
    setAside: false,
    isRevivable: false,
  } as const;
  const finding = linkFinding({ link: 'linked' }, link);
  expect(finding).toMatchObject({ grade: 'fault', what: expect.stringContaining('Front door') as string });
  expect(linkFinding({ link: 'linked' }, { ...link, accountChange: null })).toMatchObject({ grade: 'ok' });
});

describe('the service', () => {
  const ahead = (aheadMs: number) => ({ clock: { aheadMs, uncertaintyMs: 500 } });

  it.each<[string, Partial<ServiceCheck>, readonly string[]]>([
    [
      'that refuses both keys is a fault',
      { keys: [KEY_REFUSED, KEY_REFUSED] },
      ['fault subscription key 1', 'fault subscription key 2'],
    ],
    ['that refuses one key is a warning', { keys: [KEY_REFUSED, OK] }, ['warning subscription key 1']],
    ['that does not take the token of a link is a fault', { token: REVOKED }, ['fault access token']],
    ['may have a clock that differs within the uncertainty and by half a minute', ahead(-30_400), []],
    ['whose clock differs more is worth a warning', ahead(-31_000), ['warning clock']],
    ['that sends no time is worth a warning', { clock: null }, ['warning clock']],
  ])('%s', (_, check, expected) => {
    expect(complaints(check, true)).toEqual(expected);
  });

  it('without a link causes no complaint about the missing token', () => {
    expect(complaints({ token: REVOKED }, false)).toEqual([]);
  });
});

describe('webhooks', () => {
  const DIRECT = { port: 18_581, relay: null };
  const ARRIVING: WebhooksView = {
    health: 'healthy',
    because: 'event',
    enabled: true,
    listener: `http://127.0.0.1:${DIRECT.port}`,
    publicUrl: 'https://home.example',
    address: null,
    registration: 'standing',
    trouble: null,
    lastEventAgoMs: 1,
    answers: {},
    ignored: { foreign: 0, unrecognised: 0 },
    lastSelfTest: null,
  };

  it.each<readonly [string, Partial<WebhooksView>, string, string | null]>([
    [
      'that a tool owns the account beside are not received, which is no fault',
      { health: 'absent', because: 'not-open', listener: null },
      'note',
      'Start Homebridge.',
    ],
    [
      'whose last test got lost are advised by where it did',
      {
        health: 'degraded',
        because: 'silent',
        lastSelfTest: { finding: 'name-unknown', status: null, tookMs: 3, at: 0 },
      },
      'warning',
      'Check its spelling and your DNS entry.',
    ],
    [
      'that missed a change wait for the next event',
      { health: 'degraded', because: 'missed-change' },
      'warning',
      'The next event ends that: turn a key, then ask again.',
    ],
  ])('%s', (_, view, grade, advice) => {
    expect(webhookFinding({ ...ARRIVING, ...view }, DIRECT)).toMatchObject({ grade, advice });
  });

  it.each(['mqtts://broker.example:8883', 'tls://a.example:4222,b.example:4222'])(
    'that come from the broker %s of a relay are fine, until another is configured',
    (broker) => {
      const view = { ...ARRIVING, listener: broker };
      expect(webhookFinding(view, { ...DIRECT, relay: { broker } }).grade).toBe('ok');
      const restart = { grade: 'warning', advice: 'Restart Homebridge.' };
      expect(webhookFinding(view, { ...DIRECT, relay: { broker: 'mqtts://other.example' } })).toMatchObject(
        restart,
      );
      expect(webhookFinding(view, DIRECT)).toMatchObject(restart);
      expect(webhookFinding(ARRIVING, { ...DIRECT, relay: { broker } })).toMatchObject(restart);
    },
  );
});

describe('the locks', () => {
  it('that cannot be reached are named', () => {
    expect(lockFinding([lockView('Front door'), lockView('Garage', { presence: 'offline' })])).toMatchObject({
      grade: 'warning',
      what: '2 known; not reachable: Garage.',
    });
    expect(lockFinding([]).grade).toBe('warning');
    expect(lockFinding([lockView('Front door')]).grade).toBe('ok');
  });
});
