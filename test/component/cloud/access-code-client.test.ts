// The gateway of access codes against a service that answers with a part of its list.
import { expect, it } from 'vitest';
import { accessCodeClient } from '../../../src/cloud/access-code-client.ts';
import { lockId } from '../../../src/domain/locks/lock.ts';
import { startLoopbackService } from '../../stand-ins/service/loopback.ts';
import { deviceInterfaceAt } from '../../support/service-clients.ts';
import { failureOf } from './failure-of.ts';

const CODE = { accessCodeId: 'a71e', name: 'Dog walker', code: '0417', scheduleType: 'Always' };

it.each([
  ['a link to the next page', 200, { link: '</accesscodes?page=2>; rel="next"' }],
  ['a part of the content', 206, { 'content-range': 'items 0-0/2' }],
])(
  'a list of codes with %s is none: a code of another page opens the door, too',
  async (_, status, headers) => {
    const service = await startLoopbackService((__, response) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(JSON.stringify({ accessCodes: [CODE] }));
    });
    const client = accessCodeClient(deviceInterfaceAt(`${service.url}/api`), {
      productSegment: 'locks',
      commandStyle: 'commands',
    });
    expect(await failureOf(client.codes(lockId('door'), 'UTC'))).toMatchObject({ code: 'wire-mismatch' });
  },
);
