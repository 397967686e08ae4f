// The question of the service whether it may send events, over real HTTP: consent while a registration runs, and not else.
import { describe, expect, it } from 'vitest';
import { openListener } from './fixture.ts';

describe('consent', () => {
  const ask = async (url: string, origin: string): Promise<Response> =>
    fetch(url, {
      method: 'OPTIONS',
      headers: { 'webhook-request-origin': origin, 'webhook-request-rate': '90' },
    });

  it('is given to one origin while a registration runs, and to no other or at another time (faults#55)', async () => {
    const { url, listener } = await openListener();
    expect(await ask(url, 'events.example')).toMatchObject({ status: 403 });
    const end = listener.expectRegistration();
    const consent = await ask(url, 'Events.Example');
    expect(consent.status).toBe(204);
    expect(Object.fromEntries(consent.headers)).toMatchObject({
      allow: 'POST, OPTIONS',
      'webhook-allowed-origin': 'Events.Example',
      'webhook-allowed-rate': '90',
    });
    for (const origin of [
      'evil.example',
      'events.example.evil.example',
      '*',
      '',
      'events.example, evil.example',
    ]) {
      const refused = await ask(url, origin);
      expect([origin, refused.status, refused.headers.get('webhook-allowed-origin')]).toEqual([
        origin,
        403,
        null,
      ]);
    }
    end();
    expect(await ask(url, 'events.example')).toMatchObject({ status: 403 });
  });

  it('ends by itself after a minute', async () => {
    const { url, listener, clock } = await openListener();
    listener.expectRegistration();
    await clock.advance(59_999);
    expect(await ask(url, 'events.example')).toMatchObject({ status: 204 });
    await clock.advance(1);
    expect(await ask(url, 'events.example')).toMatchObject({ status: 403 });
  });

  it('is given to the first origin that asks, and to no second one', async () => {
    const { url, listener } = await openListener();
    listener.expectRegistration();
    expect(await ask(url, 'no host name')).toMatchObject({ status: 403 });
    expect(await ask(url, 'events.example')).toMatchObject({ status: 204 });
    expect(await ask(url, 'evil.example')).toMatchObject({ status: 403 });
    // One that names no rate is told ours.
    const headers = { 'webhook-request-origin': 'events.example' };
    const again = await fetch(url, { method: 'OPTIONS', headers });
    expect([again.status, again.headers.get('webhook-allowed-rate')]).toEqual([204, '120']);
  });
});
