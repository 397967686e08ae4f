// Credentials from config.json and from the vault, put together.
import { describe, expect, it } from 'vitest';
import type { WrittenCredentials } from '../../../src/config/config.ts';
import {
  type ChangedCredentials,
  changedCredentials,
  completeCredentials,
  NO_CREDENTIALS,
  readKeptCredentials,
} from '../../../src/config/credentials.ts';
import { t } from '../../../src/words/translate.ts';

const VAULT: WrittenCredentials = {
  clientId: 'v-id',
  clientSecret: 'v-secret',
  subscriptionKeys: ['v-1', 'v-2'],
};

function linesOf(changed: ChangedCredentials): readonly string[] {
  return changed.ok ? [] : changed.problems.map((line) => t(line));
}

describe('credentials', () => {
  it('may stand in the vault alone, or in config.json alone', () => {
    expect(completeCredentials(NO_CREDENTIALS, VAULT)).toEqual({ ok: true, credentials: VAULT });
    expect(completeCredentials(VAULT, NO_CREDENTIALS)).toEqual({ ok: true, credentials: VAULT });
  });

  it('of config.json win, and keys of the two places are never mixed', () => {
    const written = { ...NO_CREDENTIALS, clientSecret: 'c-secret', subscriptionKeys: ['c-1'] };
    expect(completeCredentials(written, VAULT)).toEqual({
      ok: true,
      credentials: { clientId: 'v-id', clientSecret: 'c-secret', subscriptionKeys: ['c-1'] },
    });
  });
});

describe('a saved form of a page', () => {
  it('is trimmed, replaces the credentials that it names, and leaves the others', () => {
    expect(
      changedCredentials(NO_CREDENTIALS, VAULT, { clientId: ' new ', subscriptionKeys: [' k ', ''] }),
    ).toEqual({
      ok: true,
      credentials: { clientId: 'new', clientSecret: 'v-secret', subscriptionKeys: ['k'] },
    });
  });

  it('erases by null, and by nothing else', () => {
    const change = { clientId: null, clientSecret: undefined, subscriptionKeys: null, colour: undefined };
    expect(changedCredentials(NO_CREDENTIALS, VAULT, change)).toEqual({
      ok: true,
      credentials: { clientId: null, clientSecret: 'v-secret', subscriptionKeys: [] },
    });
    expect(changedCredentials(NO_CREDENTIALS, VAULT, { clientSecret: null })).toEqual({
      ok: true,
      credentials: { ...VAULT, clientSecret: null },
    });
  });

  it.each([
    [
      { clientSecret: ' ' },
      'partner.clientSecret: is empty; enter a value, or leave it out to keep the saved one',
    ],
    [
      { subscriptionKeys: ['', ' '] },
      'partner.subscriptionKeys: is empty; enter a value, or leave it out to keep the saved one',
    ],
    [{ clientId: 7 }, 'partner.clientId: must be a text in quotes; correct or remove it'],
    [
      { clientSecret: 'canary'.repeat(400) },
      'partner.clientSecret: must be at most 2048 characters long; shorten it',
    ],
    [{ authUrl: 'https://evil.example' }, 'partner.authUrl: can only be changed in config.json'],
    [{ __proto__x: 1 }, 'partner.__proto__x: can only be changed in config.json'],
  ])('is refused as a whole, in words that repeat no value: %j', (change, line) => {
    expect(linesOf(changedCredentials(NO_CREDENTIALS, VAULT, { clientId: 'new', ...change }))).toEqual([
      line,
    ]);
  });

  it('is refused for a credential that config.json sets', () => {
    const written = { ...NO_CREDENTIALS, subscriptionKeys: ['c-1'] };
    const changed = changedCredentials(written, VAULT, { subscriptionKeys: null, clientId: 'new' });
    expect(linesOf(changed)).toEqual(['partner.subscriptionKeys: is set in config.json; change it there']);
  });

  it('in another form counts as missing', () => {
    const kept = { clientId: 7, clientSecret: 'good', subscriptionKeys: { 0: 'k' } };
    expect(readKeptCredentials(kept)).toEqual({ ...NO_CREDENTIALS, clientSecret: 'good' });
  });
});

describe('incomplete credentials', () => {
  it.each([
    ['partner.clientId', { clientId: null }],
    ['partner.clientSecret', { clientSecret: null }],
    ['partner.subscriptionKeys', { subscriptionKeys: [] }],
  ])('lack %s, and nothing else', (path, change) => {
    expect(completeCredentials({ ...VAULT, ...change }, NO_CREDENTIALS)).toEqual({
      ok: false,
      missing: [path],
    });
  });

  it('lack all three where none was ever stored', () => {
    expect(completeCredentials(NO_CREDENTIALS, NO_CREDENTIALS)).toEqual({
      ok: false,
      missing: ['partner.clientId', 'partner.clientSecret', 'partner.subscriptionKeys'],
    });
  });
});
