// Events of bolts as the service would send them: in its words, with times of their own, and signed.
import { constants, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

/** One turn of a bolt. */
export interface Turn {
  /** Of the event: what has the same id is the same event. */
  readonly id: string;
  readonly lockId: string;
  readonly state: 'Locked' | 'Unlocked';
  /** When it happened, in milliseconds since 1970. */
  readonly at: number;
}

/** The key with which the service signs; its public half is known to ours. */
export interface ServiceKey {
  readonly privateKey: KeyObject;
  readonly publicKeyPem: string;
}

export function newServiceKey(): ServiceKey {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  return { privateKey, publicKeyPem: publicKey.export({ type: 'spki', format: 'pem' }).toString() };
}

/** A delivery, ready to be sent. */
export interface Delivery {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** How the service signs unless it was agreed otherwise (wire contract 7): RSA-PSS with SHA-256 and a salt of 32 bytes. */
const PSS = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 } as const;

/** Signs in the thread pool, so that many can be prepared at a time. */
export async function signed(turn: Turn, key: KeyObject): Promise<Delivery> {
  const body = bodyOf(turn);
  const tag = await new Promise<Buffer>((resolve, reject) => {
    sign('sha256', body, { key, ...PSS }, (error, signature) => {
      if (error === null) {
        resolve(signature);
      } else {
        reject(error);
      }
    });
  });
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'webhook-signature': tag.toString('base64'),
  };
  return { headers, body };
}

/** The same as the bytes of an HTTP request. */
export function requestBytes(path: string, { headers, body }: Delivery): Buffer {
  const all = { host: 'bench', ...headers, 'content-length': String(body.length) };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([Buffer.from(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n`), body]);
}

function bodyOf({ id, lockId, state, at }: Turn): Buffer {
  return Buffer.from(
    JSON.stringify({
      eventId: id,
      eventType: 'DeviceUpdate',
      trigger: 'DeviceLockStateChanged',
      time: new Date(at).toISOString(),
      deviceId: lockId,
      data: {
        lockState: state,
        accessor: { id: 'accessor-1', friendlyName: 'Dog walker', accessType: 'AccessCode' },
      },
      version: '2.0',
    }),
  );
}
