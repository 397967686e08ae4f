// The secret addresses of feeds over a real socket: the right one answers, a withdrawn or wrong one does not, and guessing is limited.
import { describe, expect, it } from 'vitest';
import { KeptFeeds } from '../../../../../src/features/stays/account/kept-feeds.ts';
import { FinalError } from '../../../../../src/support/errors.ts';
import { MemoryValues } from '../../../../stand-ins/database/values.ts';
import { ManualClock } from '../../../../support/manual-clock.ts';
import { openPanel } from '../../../panel/panel-visitor.ts';

const FLATS = [{ id: 'page:1' }, { id: 'page:2' }];

async function aFeed() {
  const values = new MemoryValues();
  const clock = new ManualClock();
  const feeds = new KeptFeeds(values, clock);
  const panel = await openPanel({
    loggedIn: false,
    operations: {
      'stays.read-feed': async (input) => {
        const { secret } = input as { readonly secret: string };
        return { text: feeds.of(secret, FLATS) === undefined ? null : 'BEGIN:VCALENDAR' };
      },
    },
  });
  const at = async (secret: string, ask: Parameters<typeof panel.ask>[1] = {}) =>
    panel.ask(`/stays/${secret}.ics`, ask);
  return { values, feeds, panel, clock, at };
}

describe('the address of a feed', () => {
  it('answers without a login until it is withdrawn or another one is made', async () => {
    const { values, feeds, at } = await aFeed();
    const first = feeds.make('page:1');
    expect(first).toMatch(/^[\w-]{43}$/u);
    expect(JSON.stringify([...values.all()])).not.toContain(first);
    const read = await at(first);
    expect([read.status, read.text, read.headers['content-type']]).toEqual([
      200,
      'BEGIN:VCALENDAR',
      'text/calendar; charset=utf-8',
    ]);
    expect([read.headers['cache-control'], read.headers['referrer-policy']]).toEqual([
      'no-store',
      'no-referrer',
    ]);
    expect([read.headers['etag'], read.headers['set-cookie']]).toEqual([undefined, undefined]);
    const second = feeds.make('page:1');
    expect([(await at(first)).status, (await at(second)).status]).toEqual([404, 200]);
    feeds.make('page:2');
    expect((await at(second)).status).toBe(200);
    feeds.withdraw('page:1');
    expect([feeds.has('page:1'), (await at(second)).status]).toEqual([false, 404]);
  });

  it('answers HEAD without the text, and a question for what is newer with the whole text', async () => {
    const { feeds, at } = await aFeed();
    const secret = feeds.make('page:1');
    const head = await at(secret, { method: 'HEAD' });
    expect([head.status, head.text, head.headers['content-length']]).toEqual([200, '', '15']);
    const headers = { 'if-none-match': '"a"', 'if-modified-since': new Date(0).toUTCString() };
    const again = await at(secret, { headers });
    expect([again.status, again.text]).toEqual([200, 'BEGIN:VCALENDAR']);
    feeds.withdraw('page:1');
    expect((await at(secret, { headers })).status).toBe(404);
    expect((await at(secret, { method: 'HEAD' })).status).toBe(404);
    for (const method of ['POST', 'PUT', 'PROPFIND', 'OPTIONS']) {
      expect((await at(secret, { method })).status).toBeGreaterThanOrEqual(400);
    }
  });

  it('is taken whole alone, and by no other page', async () => {
    const { feeds, panel, at } = await aFeed();
    const secret = feeds.make('page:1');
    const statuses = [];
    for (const path of [
      secret.slice(1),
      `${secret}a`,
      secret.toLowerCase() === secret ? secret.toUpperCase() : secret.toLowerCase(),
      '',
      '%00',
      `..%2f${secret}`,
    ]) {
      statuses.push((await at(path)).status);
    }
    expect(new Set(statuses)).toEqual(new Set([404]));
    expect((await panel.ask(`/stays/${secret}.ics?v=2`)).status).toBe(200);
    expect((await at(secret, { headers: { origin: 'https://evil.example' } })).status).toBe(403);
    expect((await at(secret, { headers: { 'sec-fetch-site': 'cross-site' } })).status).toBe(403);
    expect((await at(secret, { headers: { host: 'evil.example' } })).status).toBe(421);
  });

  it('limits guesses and readings, and guesses hold up no reading', async () => {
    const { feeds, panel, at, clock } = await aFeed();
    const secret = feeds.make('page:1');
    const guesses = [];
    for (let guess = 0; guess < 25; guess += 1) {
      guesses.push(await at('a'.repeat(43)));
    }
    expect(guesses.at(0)?.status).toBe(404);
    expect([guesses.at(-1)?.status, guesses.at(-1)?.headers['retry-after']]).toEqual([429, '3']);
    expect((await at(secret)).status).toBe(200);
    for (let reading = 0; reading < 400; reading += 1) {
      try {
        feeds.of(secret, FLATS);
      } catch {
        break;
      }
    }
    expect([(await at(secret)).status, feeds.of('b'.repeat(43), FLATS)]).toEqual([429, undefined]);
    await clock.advance(1_000);
    expect((await at(secret)).status).toBe(200);
    expect(panel.lines).toEqual([]);
  });

  it('passes on nothing of what fails', async () => {
    const panel = await openPanel({
      loggedIn: false,
      operations: {
        'stays.read-feed': async (input) => {
          throw new FinalError('not-owner', JSON.stringify(input));
        },
      },
    });
    const secret = 'c'.repeat(43);
    const failed = await panel.ask(`/stays/${secret}.ics`);
    expect([failed.status, failed.text]).toEqual([503, 'The stays cannot be read now.\n']);
    expect(panel.lines).toEqual([]);
  });
});
