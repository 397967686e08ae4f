// The credentialing client against the simulator: every operation, its login, and the waits it is asked for.
import { describe, expect, it } from 'vitest';
import { credentialId } from '../../../src/domain/credential.ts';
import { cardOf, userOf } from '../../support/credentialing-stand.ts';
import { openStand } from './open-stand.ts';

describe('the credentialing client', () => {
  it('calls each of the eleven operations', async () => {
    const stand = await openStand();
    const { client } = stand.process().credentialing;
    const issued = await client.create(cardOf(1));
    const raw = await client.create({
      kind: 'raw',
      userId: userOf(2),
      mobileNumber: '+15550100123',
      rawCredential: '1f00aa55c3',
      bitLength: 37,
    });
    expect(issued.cardNumber).toBe(1);
    const payload = { deviceSerialNumber: '0000A1B2C3', payload: 'AAEC' };
    expect(await client.saveNoTour(issued.id, [payload])).toEqual([payload]);
    await client.deleteNoTourOfLock(issued.id, '0000A1B2C3');
    await client.saveNoTour(issued.id, [payload]);
    await client.deleteNoTour(issued.id);
    expect(await client.get(issued.id)).toMatchObject({ id: issued.id, kind: 'card', cardNumber: 1 });
    expect(await client.getByUser(userOf(2))).toMatchObject({ id: raw.id, kind: 'raw', rawCredential: null });
    expect((await client.list()).credentials.map(({ id }) => id)).toEqual([issued.id, raw.id]);
    await client.delete(issued.id);
    await client.deleteByUser(userOf(2));
    expect(await client.list()).toEqual({ credentials: [], unreadable: 0 });
    const kinds = new Set((await stand.calls()).map(({ method, url }) => `${method} ${url}`));
    expect(kinds.size).toBe(11);
    await expect(client.get(credentialId('gone'))).rejects.toMatchObject({ code: 'not-found' });
  });
});
