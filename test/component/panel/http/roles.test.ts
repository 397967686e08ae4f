// What each login may do, over HTTP: every operation with every role, the events, and what no role may ever do.
import { describe, expect, it } from 'vitest';
import { lockId } from '../../../../src/domain/locks/lock.ts';
import { effectOf, isPageOperation, operationNames } from '../../../../src/panel/operations/panel-api.ts';
import { mayCall, mayHear } from '../../../../src/panel/operations/role-table.ts';
import type { PanelEvent } from '../../../../src/panel/panel-event.ts';
import { ROLES, type Role } from '../../../../src/panel/sessions/role.ts';
import { cookieOf, csrfIn, listen, logIn, openPanel } from '../panel-visitor.ts';

const NAMES = operationNames();
const PAGES = NAMES.filter(isPageOperation);
/** Their answers hold digits, or say which digits are taken. */
const DIGITS = new Set([
  'codes.reveal',
  'codes.check',
  'codes.plan',
  'guests.reveal',
  'guests.message',
  'stays.reveal',
  'stays.message',
]);

async function visitAs(role: Role) {
  const performed: string[] = [];
  const note = (name: string) => async () => {
    performed.push(name);
    return null;
  };
  const panel = await openPanel({
    operations: Object.fromEntries(NAMES.map((name) => [name, note(name)])),
  });
  const login = await logIn(panel.server.port, panel.server.mintLogin(role).token);
  const headers = { cookie: cookieOf(login), 'latchkey-csrf': csrfIn(login.text) };
  const call = async (path: string): Promise<number> =>
    (await panel.asPage(`/api/${path}`, { headers, body: {} })).status;
  return { panel, performed, call, headers };
}

describe.each(ROLES)('a login with the role "%s"', (role) => {
  it('calls what its row allows, and nothing else is performed, for every operation that there is', async () => {
    const { performed, call } = await visitAs(role);
    const answers: Record<string, number> = {};
    for (const name of NAMES) {
      answers[name] = await call(`call/${name}`);
    }
    const allowed = PAGES.filter((name) => mayCall(role, name));
    expect(performed).toEqual(allowed);
    expect(answers).toEqual(
      Object.fromEntries(
        NAMES.map((name) => {
          const refusal = isPageOperation(name) ? 403 : 404;
          return [name, performed.includes(name) ? 200 : refusal];
        }),
      ),
    );
  });

  it('opens no door, and makes no login', async () => {
    const { performed, call } = await visitAs(role);
    expect(
      await Promise.all(['move', 'panel.login', 'step-back'].map(async (name) => call(`call/${name}`))),
    ).toEqual([404, 404, 404]);
    expect(performed).toEqual([]);
  });
});

describe('a login that is limited', () => {
  const limited = ROLES.filter((role) => role !== 'all');

  it('ends no other login, and logs itself out alone', async () => {
    for (const role of limited) {
      const { panel, call, performed, headers } = await visitAs(role);
      expect([await call('call/panel.logins'), await call('call/panel.end-login')]).toEqual([403, 403]);
      expect(performed).toEqual([]);
      expect((await panel.ask('/api/session')).status).toBe(200);
      const everywhere = await panel.asPage('/api/logout', { headers, body: { everywhere: true } });
      expect([everywhere.status, panel.server.logins().length]).toEqual([403, 2]);
      expect(await call('logout')).toBe(204);
      expect(panel.server.logins().map((one) => one.role)).toEqual(['all']);
    }
  });

  it('that may only look calls nothing that changes something, or that tells of digits', () => {
    const seen = PAGES.filter((name) => mayCall('look', name));
    expect(seen.length).toBeGreaterThan(10);
    expect(seen.filter((name) => effectOf(name) !== 'reads')).toEqual([]);
    expect(seen.filter((name) => DIGITS.has(name))).toEqual([]);
  });

  it('for codes changes guests and codes alone', () => {
    const changed = PAGES.filter((name) => mayCall('codes', name) && effectOf(name) !== 'reads');
    expect(changed.filter((name) => !/^(?:codes|guests)\./u.test(name))).toEqual([]);
    expect(
      PAGES.filter((name) => mayCall('codes', name) && /^(?:stays|history|locks\.|activity)/u.test(name)),
    ).toEqual([]);
  });

  it('hears the events of what it may see', async () => {
    const front = lockId('front');
    const events: readonly PanelEvent[] = [
      { type: 'webhooks' },
      { type: 'alert', id: front, alert: 'alarm' },
      { type: 'guests' },
    ];
    const { panel, headers } = await visitAs('codes');
    const { said } = await listen({ server: panel.server, cookie: headers.cookie });
    for (const event of events) {
      panel.server.publish(event);
    }
    await expect.poll(() => said.join('')).toBe('retry: 2000\n\ndata: {"type":"guests"}\n\n');
    expect(events.map(({ type }) => [mayHear('look', type), mayHear('all', type)])).toEqual([
      [false, true],
      [true, true],
      [true, true],
    ]);
  });
});

it('whoever may do all sees each login with its device and last use, and ends one with its streams', async () => {
  const panel = await openPanel();
  const phone = {
    'user-agent':
      'Mozilla/5.0 (iPhone; CPU iPhone OS 26_1 like Mac OS X) AppleWebKit/605.1.15 Version/26.1 Mobile/15E148 Safari/604.1',
  };
  const login = await logIn(panel.server.port, panel.server.mintLogin('look').token, phone);
  const headers = { cookie: cookieOf(login) };
  await panel.clock.advance(60_000);
  await panel.ask('/api/session');
  expect(panel.server.logins()).toMatchObject([
    { role: 'all', device: '' },
    { role: 'look', device: 'Safari, iPhone' },
  ]);
  const [own, other] = panel.server.logins();
  expect((own?.usedAt ?? 0) - (other?.usedAt ?? 0)).toBe(60_000);
  panel.server.endLogin(other?.id ?? '');
  expect((await panel.ask('/api/session', { headers })).status).toBe(401);
  expect((await panel.ask('/api/session')).status).toBe(200);
});
