// The least that could take signed events in: a bare Fastify and one `crypto.verify`. A process of its own; its parent
// tells the path and the key, and gets the port.
import { constants, createPublicKey, verify } from 'node:crypto';
import Fastify from 'fastify';

export interface BareOptions {
  readonly path: string;
  readonly publicKeyPem: string;
}

async function listen({ path, publicKeyPem }: BareOptions): Promise<void> {
  const key = createPublicKey(publicKeyPem);
  const app = Fastify();
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => {
    done(null, body);
  });
  app.post<{ Body: Buffer }>(path, ({ body, headers }, reply) => {
    const tag = Buffer.from(String(headers['webhook-signature']), 'base64');
    const genuine = verify(
      'sha256',
      body,
      { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 },
      tag,
    );
    return reply.code(genuine ? 204 : 401).send();
  });
  const address = await app.listen({ host: '127.0.0.1', port: 0 });
  process.send?.(Number(new URL(address).port));
}

process.on('message', (options: BareOptions) => {
  void listen(options);
});
