// Credentials from config.json and from the vault, put together.
import { describe, expect, it } from 'vitest';
import type { WrittenCredentials } from '../../../src/config/config.ts';
import { completeCredentials } from '../../../src/config/credentials.ts';

const NONE: WrittenCredentials = { clientId: null, clientSecret: null, subscriptionKeys: [] };
const VAULT: WrittenCredentials = {
  clientId: 'v-id',
  clientSecret: 'v-secret',
  subscriptionKeys: ['v-1', 'v-2'],
};

describe('credentials', () => {
  it('may stand in the vault alone', () => {
    expect(completeCredentials(NONE, VAULT)).toEqual({ ok: true, credentials: VAULT });
  });

  it('may stand in config.json alone', () => {
    expect(completeCredentials(VAULT, NONE)).toEqual({ ok: true, credentials: VAULT });
  });

  it('of config.json win, and keys of the two are never mixed', () => {
    const written = { ...NONE, clientSecret: 'c-secret', subscriptionKeys: ['c-1'] };
    expect(completeCredentials(written, VAULT)).toEqual({
      ok: true,
      credentials: { clientId: 'v-id', clientSecret: 'c-secret', subscriptionKeys: ['c-1'] },
    });
  });

  it('that are missing are named', () => {
    expect(completeCredentials({ ...NONE, clientId: 'c-id' }, NONE)).toEqual({
      ok: false,
      missing: ['partner.clientSecret', 'partner.subscriptionKeys'],
    });
  });
});
