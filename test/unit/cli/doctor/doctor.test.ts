// The doctor's conclusions that no real process can be made to reach: Node versions, and findings of a check.
import { describe, expect, it } from 'vitest';
import { packageFacts } from '../../../../src/app/account/package-facts.ts';
import { configFindings } from '../../../../src/cli/doctor/configuration.ts';
import { lockFinding } from '../../../../src/cli/doctor/locks.ts';
import { isInRange, nodeFinding } from '../../../../src/cli/doctor/node-version.ts';
import { credentialFinding, linkFinding, serviceFindings } from '../../../../src/cli/doctor/service.ts';
import { webhookFinding } from '../../../../src/cli/doctor/webhooks.ts';
import type { ServiceCheck, Verdict } from '../../../../src/domain/account/service-check.ts';
import { message } from '../../../../src/domain/language/message.ts';
import type { StatusView } from '../../../../src/panel/operations/panel-api.ts';
import type { WebhooksView } from '../../../../src/panel/views/webhooks.ts';
import { lockView } from '../terminal/lock-view.ts';

const RANGE = '^22.19.0 || ^24.0.0 || ^26.0.0';
const OK: Verdict = { ok: true };
const KEY_REFUSED: Verdict = {
  ok: false,
  disposition: 'final',
  code: 'bad-configuration',
  message: message('No.'),
};
const UNREACHABLE: Verdict = {
  ok: false,
  disposition: 'retry',
  code: 'unreachable',
  message: message('Not reached.'),
};
const REVOKED: Verdict = { ok: false, disposition: 'relink', code: 'revoked', message: message('Revoked.') };

const WELL: ServiceCheck = {
  authorization: OK,
  token: OK,
  keys: [OK, OK],
  clock: { aheadMs: 200, uncertaintyMs: 500 },
  checkedAt: 0,
};

const PARTNER = {
  authUrl: 'https://auth.example',
  baseUrl: 'https://api.example',
  credentialsUrl: null,
  redirectUri: 'https://home.example/callback',
  simulated: false,
} as const;

const STATUS: StatusView = {
  form: 1,
  pid: 1,
  link: 'linked',
  locks: 1,
  failing: null,
  unansweredMs: null,
  serviceNow: 1,
  lastListedAgoMs: 1,
  accountName: 'Latchkey',
  host: 'homebridge',
  matter: 'off',
  demo: null,
  version: '1.0.0',
};

/** The findings that are not fine, as "grade check". */
function complaints(check: Partial<ServiceCheck>, linked = true): readonly string[] {
  return serviceFindings({ ...WELL, ...check }, linked)
    .filter(({ grade }) => grade !== 'ok')
    .map(({ check: name, grade }) => `${grade} ${name}`);
}

describe('the credentialing interface', () => {
  it('has no line where none is configured, and a line with the next step where it does not answer', () => {
    expect(complaints({})).not.toContain('warning credentialing');
    expect(complaints({ credentialing: { ok: true } })).not.toContain('warning credentialing');
    const failed = (disposition: 'retry' | 'final', code: string) =>
      complaints({ credentialing: { ok: false, disposition, code, message: message('It failed.') } });
    expect(failed('retry', 'unreachable')).toContain('warning credentialing');
    expect(failed('final', 'bad-configuration')).toContain('fault credentialing');
    expect(failed('final', 'not-permitted')).toContain('fault credentialing');
  });
});

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

describe('the credentials', () => {
  const COMPLETE = {
    clientId: { from: 'config', value: 'client-1' },
    clientSecret: { from: 'page' },
    subscriptionKeys: { from: 'config', count: 1 },
    missing: [],
  } as const;

  it('are fine wherever they are stored', () => {
    expect(credentialFinding({ ...PARTNER, ...COMPLETE })).toMatchObject({
      grade: 'ok',
      what: 'Complete; a page of the plugin keeps some of them.',
    });
  });

  it('that are missing are named', () => {
    const missing = ['partner.clientSecret'];
    expect(
      credentialFinding({ ...PARTNER, ...COMPLETE, clientSecret: { from: null }, missing }),
    ).toMatchObject({
      grade: 'fault',
      what: 'Missing: partner.clientSecret.',
    });
  });
});

describe('the link', () => {
  const EMPTY_SERVICE_STATE = {
    state: 'linked',
    waiting: null,
    ended: null,
    accountChange: null,
    setAside: false,
  } as const;

  it('to another account than before is a fault that says how to decide', () => {
    const accountChange = { missing: ['Front door'], added: [] };
    const finding = linkFinding({ ...STATUS, link: 'linked' }, { ...EMPTY_SERVICE_STATE, accountChange });
    expect(finding).toMatchObject({ grade: 'fault', what: expect.stringContaining('Front door') as string });
    expect(linkFinding({ ...STATUS, link: 'linked' }, EMPTY_SERVICE_STATE)).toMatchObject({ grade: 'ok' });
  });

  it('that is only set aside, since config.json names another service, causes no advice to link again at once', () => {
    const finding = linkFinding({ ...STATUS, link: 'unlinked' }, { ...EMPTY_SERVICE_STATE, setAside: true });
    expect(finding).toMatchObject({
      grade: 'fault',
      what: 'config.json names another lock service than the one that the account was connected with.',
      advice:
        'Compare partner.authUrl and partner.baseUrl with the agreement: with the former ones the connection is in use again. If they are right, run: npx homebridge-latchkey link',
    });
  });
});

describe('the service', () => {
  it('that works causes no complaint', () => {
    expect(complaints({})).toEqual([]);
  });

  it('that cannot be reached is one complaint, not one for each key', () => {
    expect(complaints({ keys: [UNREACHABLE, UNREACHABLE] })).toEqual(['fault device interface']);
  });

  it('that refuses both keys, or the first, is a fault', () => {
    expect(complaints({ keys: [KEY_REFUSED, KEY_REFUSED] })).toEqual([
      'fault subscription key 1',
      'fault subscription key 2',
    ]);
    expect(complaints({ keys: [KEY_REFUSED, OK] })).toEqual(['warning subscription key 1']);
  });

  it('without a link causes no complaint about the missing token', () => {
    expect(complaints({ token: REVOKED }, false)).toEqual([]);
    expect(complaints({ token: REVOKED })).toEqual(['fault access token']);
  });

  it('may have a clock that differs within the uncertainty, and by half a minute', () => {
    expect(complaints({ clock: { aheadMs: -30_400, uncertaintyMs: 500 } })).toEqual([]);
    expect(complaints({ clock: { aheadMs: -31_000, uncertaintyMs: 500 } })).toEqual(['warning clock']);
    expect(complaints({ clock: null })).toEqual(['warning clock']);
  });
});

describe('webhooks', () => {
  const PORT = 18_581;
  const ARRIVING: WebhooksView = {
    health: 'healthy',
    because: 'event',
    enabled: true,
    listener: `http://127.0.0.1:${PORT}`,
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
    ['that arrive are well', {}, 'ok', null],
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
    expect(webhookFinding({ ...ARRIVING, ...view }, PORT)).toMatchObject({ grade, advice });
  });
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
