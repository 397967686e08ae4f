// Looks for every secret of the account in everything that is written down: log, accessory cache, any other file.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { z } from 'zod';
import { type OpenedStage, openStage, untilShown } from './stage.ts';

const tokens = z.object({ access_token: z.string(), refresh_token: z.string() });

describe('secrets of an account that was linked, moved, restarted and in trouble', () => {
  let stage: OpenedStage;
  let secrets: ReadonlyMap<string, string>;

  beforeAll(async () => {
    stage = await openStage({
      pluginsFolder: inject('packed').pluginsFolder,
      options: { debug: true },
      start: { debug: true },
    });
    const lock = stage.lock('Front door');
    await lock.tap('unlocked');
    await untilShown(lock, 'unlocked');
    // A service that echoes what it was sent, in an error (faults#68).
    await stage.fault({
      kind: 'status',
      status: 500,
      often: { times: 2 },
      body: { errorCode: 1, Description: echoed() },
    });
    await lock.tap('locked');
    await stage.restartHomebridge('kill');
    await untilShown(stage.lock('Garage'), 'locked', 30_000);
    secrets = await collectSecrets();
  });

  afterAll(async () => {
    await stage.leave();
  });

  /** What an echoing server would send back. */
  function echoed(): string {
    const [client] = stage.simulator.clients;
    return `client_secret=${client?.clientSecret} key ${client?.subscriptionKeys[0]} PIN 2580 resident@home.example`;
  }

  async function collectSecrets(): Promise<ReadonlyMap<string, string>> {
    const [client] = stage.simulator.clients;
    const found = new Map([
      ['the client secret', client?.clientSecret ?? ''],
      ['the first subscription key', client?.subscriptionKeys[0] ?? ''],
      ['the second subscription key', client?.subscriptionKeys[1] ?? ''],
      ['an e-mail address', 'resident@home.example'],
      ['a PIN', 'PIN 2580'],
    ]);
    for (const { answer, body } of (await stage.requests()).filter(({ url }) => url.includes('/token'))) {
      const issued = tokens.parse(JSON.parse(answer ?? ''));
      found.set('an access token', issued.access_token).set('a refresh token', issued.refresh_token);
      found.set('an authorization code', new URLSearchParams(body ?? '').get('code') ?? '');
    }
    return found;
  }

  it('are known to this test, or it would see nothing', () => {
    expect([...secrets.keys()]).toEqual(
      expect.arrayContaining(['an access token', 'a refresh token', 'an authorization code']),
    );
    expect([...secrets.values()].every((secret) => secret.length >= 8)).toBe(true);
  });

  it('are in no line of the log, with everything logged (faults#66, faults#68)', () => {
    expect(stage.lines.length).toBeGreaterThan(20);
    const log = stage.lines.map(({ text }) => text).join('\n');
    expect([...secrets].filter(([, secret]) => log.includes(secret)).map(([name]) => name)).toEqual([]);
  });

  it('are in no file but config.json, where a person wrote them, and the database (faults#67)', () => {
    const { storeFolder } = stage.installation;
    const files = readdirSync(storeFolder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => !/^(config\.json|latchkey\.db.*)$/.test(basename(path)));
    expect(files.some((path) => basename(path).startsWith('cachedAccessories'))).toBe(true);
    const hits = files.flatMap((path) => {
      const text = readFileSync(path, 'latin1');
      return [...secrets].filter(([, secret]) => text.includes(secret)).map(([name]) => `${name} in ${path}`);
    });
    expect(hits).toEqual([]);
  });
});
