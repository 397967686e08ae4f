// Signatures that programs of others made, against our listener: every genuine one is taken, and no forged one.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { writtenKeys } from '../../src/cloud/signing-keys.ts';
import { openListener, post, SIGNATURE_METHODS } from '../component/webhook/fixture.ts';

const methodSchema = z.enum(['pss-sha256', 'pkcs1-sha256', 'jws-detached PS256', 'jws-detached RS256']);
const signatureSchema = z.object({ method: methodSchema, body: z.number(), signature: z.string() });

/** How the signatures were made stands in the file. */
const VECTORS = z
  .object({
    bodies: z.array(z.string()),
    keys: z.object({ pem: z.string(), jwks: z.string() }),
    genuine: z.array(signatureSchema.extend({ signer: z.string() })),
    forged: z.array(signatureSchema.extend({ what: z.string(), key: z.string().optional() })),
  })
  .parse(JSON.parse(readFileSync(new URL('foreign-signers.json', import.meta.url), 'utf8')));

type Vector = z.infer<typeof signatureSchema>;

/** The status of a delivery to a new listener that knows only this key. */
async function statusOf({ method, body, signature }: Vector, key: string): Promise<number> {
  const { url } = await openListener({ method: SIGNATURE_METHODS[method], keys: writtenKeys([key]) });
  const bytes = Buffer.from(VECTORS.bodies[body] ?? '');
  return (await post(url, bytes, { 'webhook-signature': signature })).status;
}

describe.each(methodSchema.options)('by %s', (method) => {
  it('every delivery that was signed by a program of others is taken, under each form of the key (faults#181)', async () => {
    const vectors = VECTORS.genuine.filter((each) => each.method === method);
    expect(vectors.length).toBeGreaterThanOrEqual(8);
    for (const each of vectors) {
      for (const key of [VECTORS.keys.pem, VECTORS.keys.jwks]) {
        expect([each.signer, each.body, await statusOf(each, key)]).toEqual([each.signer, each.body, 204]);
      }
    }
  });

  it('no forgery is taken (faults#42, faults#181)', async () => {
    const vectors = VECTORS.forged.filter((each) => each.method === method);
    expect(vectors.length).toBeGreaterThanOrEqual(17);
    for (const each of vectors) {
      expect([each.what, await statusOf(each, each.key ?? VECTORS.keys.jwks)]).toEqual([each.what, 401]);
    }
  });
});
