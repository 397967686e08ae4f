// Every answer of the listener by name: its status, and its advice for the log.
import { type Message, message } from '../domain/language/message.ts';

/** The outcome of a request. The name is also the body of a refusal, visible with curl. */
export const STATUSES = {
  /** The event is in the ledger, and was emitted to all listeners. */
  accepted: 204,
  /** The event was known already: nothing else happens. */
  repeated: 204,
  /** The service may send us its events. */
  consented: 204,
  /** Our own self-test has come back to us. */
  'self-tested': 204,
  /** The OAuth callback succeeded; the browser is redirected to a page that says so. */
  linked: 303,
  /** The page that shows how a linking ended. */
  'link-page': 200,

  'unknown-address': 404,
  'wrong-method': 405,
  'too-slow': 408,
  'too-large': 413,
  'wrong-type': 415,
  /** The request is no HTTP, or its headers are too large. */
  'not-http': 400,
  unsigned: 401,
  forged: 401,
  /** Newer keys, which might verify the event, cannot be fetched yet: the service tries again. */
  unverifiable: 503,
  /** The body is signed, but it is no JSON, too deep, or no event. */
  unreadable: 400,
  'too-old': 400,
  /** A message of a relay that is not encrypted for this home. */
  'not-decrypted': 400,
  /** The disk refused the event: the service tries again. */
  'not-kept': 503,
  /** A stranger asked for consent, or no registration runs. */
  'no-consent': 403,
  'not-linked': 400,
  /** Replaces another refusal after too many; also counted when a client is cut off that reads no answers. */
  limited: 429,
  failed: 500,
} as const satisfies Readonly<Record<string, number>>;

export type Answer = keyof typeof STATUSES;

/** How often each answer was given since the listener was opened. */
export type AnswerCounts = Readonly<Partial<Record<Answer, number>>>;

/** Advice for the person setting the listener up; a refusal without a line comes from strangers, or has a line elsewhere. */
export const ADVICE: Readonly<Partial<Record<Answer, Message>>> = {
  unsigned: message('it carried no signature; if the service signs in another header, set {option}', {
    option: 'webhooks.signatureHeader',
  }),
  forged: message('no known key made its signature; if it was genuine, check {signature} and {keys}', {
    signature: 'webhooks.signature',
    keys: 'webhooks.keys',
  }),
  unverifiable: message(
    'no known key made its signature, and newer ones cannot be had yet; the service sends it again',
  ),
  unreadable: message('it was signed, but is no event that can be understood'),
  'not-decrypted': message(
    'it came from the relay, but not for the key of this home; paste its newest {option}',
    {
      option: 'webhooks.enrolment',
    },
  ),
  'too-old': message('it is older than 25 hours; check the clock of this machine'),
  'wrong-type': message(
    'its content type is not exactly application/json, with or without charset=utf-8, or its body is compressed; a proxy may have changed it',
  ),
  'too-large': message('its body is larger than 64 kB'),
  'too-slow': message('it took longer than 10 seconds to arrive; a proxy or the connection may be slow'),
  failed: message('this plugin failed to take it; the service sends it again'),
  limited: message('its sender went on asking without reading the answers, and was cut off'),
};

/** Only the service can cause this answer, where events are signed. */
export function isGenuine(answer: Answer): boolean {
  return answer === 'accepted' || answer === 'repeated';
}

export function isRefusal(answer: Answer): boolean {
  return STATUSES[answer] >= 400;
}
