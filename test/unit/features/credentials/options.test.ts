// The options of the credentialing interface, in a configuration and in the lines that they cause.
import { describe, expect, it } from 'vitest';
import { interfaceIn } from '../../../../src/features/credentials/account/options.ts';
import type { PartnerView } from '../../../../src/panel/views/partner.ts';
import { assertSameService } from '../../../../src/tools/same-service.ts';
import { ADDRESSES, configOf, problemsOf } from '../../../support/checked-config.ts';

const URL = { credentialsUrl: 'https://credentials.partner.example' };
const LOGIN = { credentialsUsername: 'site', credentialsPassword: 'hush' };

function written(partner: object) {
  return interfaceIn(configOf({ partner: { ...ADDRESSES, ...partner } }).partner?.features ?? {});
}

describe('the options of the credentialing interface', () => {
  it.each([
    [{}, null],
    [{ credentialsUrl: '  ' }, null],
    [LOGIN, null],
    [URL, { url: 'https://credentials.partner.example', login: null }],
    [
      { credentialsUrl: 'https://other.partner.example/', ...LOGIN },
      { url: 'https://other.partner.example', login: { username: 'site', password: 'hush' } },
    ],
  ])('%o reach the configuration', (partner, expected) => {
    expect(written(partner)).toEqual(expected);
  });

  it.each([
    [
      'partner.credentialsPassword: is missing; set both user name and password, or neither',
      { credentialsUsername: 'u' },
    ],
    [
      'partner.credentialsUsername: is missing; set both user name and password, or neither',
      { credentialsPassword: 'hush' },
    ],
    ['partner.credentialsUrl: must start with https://', { credentialsUrl: 'http://a.example' }],
  ])('are refused: %s', (line, partner) => {
    expect(problemsOf({ partner: { ...ADDRESSES, ...partner } })).toEqual([line]);
  });

  it('cannot stand beside the demo', () => {
    const block = { demo: true, partner: { ...URL, subscriptionKeys: ['hush'] } };
    expect(problemsOf(block)).toEqual([
      'demo: cannot be used beside partner.subscriptionKeys, partner.credentialsUrl; set it to false, or give the demo a block on a child bridge of its own',
    ]);
  });

  it('name another service when the address changes: a secret of one must not go to another', () => {
    const partnerOf = (credentialsUrl: string) =>
      configOf({ partner: { ...ADDRESSES, credentialsUrl } }).partner;
    const owner = { ...ADDRESSES, ...URL, clientId: { from: null, value: null } } as unknown as PartnerView;
    expect(() => assertSameService(owner, partnerOf('https://people.partner.example'))).toThrow(
      'addresses of the service',
    );
    expect(() => assertSameService(owner, partnerOf(URL.credentialsUrl))).not.toThrow();
  });
});
