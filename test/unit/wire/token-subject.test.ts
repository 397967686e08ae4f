// The owner of an access token: named by some tokens, proven by none.
import { describe, expect, it } from 'vitest';
import { decodeSubject } from '../../../src/wire/oauth-codec.ts';

function jwt(claims: unknown): string {
  const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'RS256' })}.${part(claims)}.c2lnbmF0dXJl`;
}

describe('the subject of an access token', () => {
  it('is read from a JWT, without a check of its signature', () => {
    expect(decodeSubject(jwt({ sub: 'user-1', exp: 1 }))).toBe('user-1');
    expect(decodeSubject(jwt({ sub: 'üser' }))).toBe('üser');
  });

  it.each([
    '',
    'a-opaque-token',
    'two.parts',
    'a.b.c',
    'a.b.c.d',
    '..',
    jwt({}),
    jwt({ sub: 7 }),
    jwt({ sub: '' }),
    jwt(['sub']),
    jwt(null),
    `${jwt({ sub: 'x' })}.more`,
    jwt({ sub: 'x' }).split('.').slice(0, 2).join('.'),
  ])('is unknown for anything else: %j', (token) => {
    expect(decodeSubject(token)).toBeNull();
  });
});
