// The switches of webhook delivery: variants of real services, and retry times for tests.
import { z } from 'zod';
import { HEADERS } from '../contract/names.ts';

/** How a body is signed (wire contract 10.7). */
export const SIGNATURE_SCHEMES = ['pss-sha256', 'pkcs1-sha256', 'jws-detached'] as const;
export type SignatureScheme = (typeof SIGNATURE_SCHEMES)[number];

/** Algorithms of the scheme `jws-detached`. */
export const JWS_ALGORITHMS = ['PS256', 'RS256'] as const;
export type JwsAlgorithm = (typeof JWS_ALGORITHMS)[number];

const durationMs = z.int().min(1);

/** Any of the switches, as the control API takes them. */
export const webhookSettingsSchema = z.strictObject({
  /** Envelope: `2.0`, `1.0`, or 1.0 with access-code events in the earlier form, alone or in an array of one. */
  form: z.enum(['2.0', '1.0', 'earlier', 'earlier-in-array']).exactOptional(),
  /** The members that version 1.0 leaves out or writes otherwise (wire contract 7 and 12). */
  v1Accessor: z.enum(['without-name', 'absent']).exactOptional(),
  v1LockState: z.enum(['present', 'absent']).exactOptional(),
  v1Connected: z.enum(['boolean', 'text']).exactOptional(),
  v1Code: z.enum(['number', 'text']).exactOptional(),
  /** Strict: the answer to the handshake must name the origin (wire contract 6). */
  handshake: z.enum(['lenient', 'strict']).exactOptional(),
  allowHttpToLoopback: z.boolean().exactOptional(),
  scheme: z.enum(SIGNATURE_SCHEMES).exactOptional(),
  jwsAlgorithm: z.enum(JWS_ALGORITHMS).exactOptional(),
  signatureHeader: z
    .string()
    .regex(/^[\w-]+$/)
    .exactOptional(),
  /** `previous`: after a rotation the old key goes on signing, as while a change spreads through a real service. */
  signWith: z.enum(['newest', 'previous']).exactOptional(),
  contentType: z.enum(['application/json; charset=utf-8', 'application/json']).exactOptional(),
  /** Time a receiver has to answer the handshake or a delivery. */
  timeoutMs: durationMs.exactOptional(),
  /** Waits before each retry, without jitter. */
  retryDelaysMs: z.array(durationMs).exactOptional(),
  /** No attempt is made later than this after the first. */
  giveUpAfterMs: durationMs.exactOptional(),
});

export type WebhookSettingsChange = z.infer<typeof webhookSettingsSchema>;
export type WebhookSettings = Required<WebhookSettingsChange>;

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** The contract's own choices (wire contract 6 and 7). */
export const DEFAULT_WEBHOOK_SETTINGS: WebhookSettings = {
  form: '2.0',
  v1Accessor: 'without-name',
  v1LockState: 'absent',
  v1Connected: 'boolean',
  v1Code: 'number',
  handshake: 'lenient',
  allowHttpToLoopback: false,
  scheme: 'pss-sha256',
  jwsAlgorithm: 'PS256',
  signatureHeader: HEADERS.webhookSignature,
  signWith: 'newest',
  contentType: 'application/json; charset=utf-8',
  timeoutMs: 30 * SECOND_MS,
  retryDelaysMs: [
    10 * SECOND_MS,
    30 * SECOND_MS,
    MINUTE_MS,
    5 * MINUTE_MS,
    10 * MINUTE_MS,
    30 * MINUTE_MS,
    HOUR_MS,
    3 * HOUR_MS,
    6 * HOUR_MS,
    12 * HOUR_MS,
  ],
  giveUpAfterMs: 24 * HOUR_MS,
};
