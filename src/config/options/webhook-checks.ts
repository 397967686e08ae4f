// Checks of the options of webhooks that depend on each other.
import { type Message, message } from '../../domain/language/message.ts';
import { readClusterAddress } from '../../support/server/cluster-address.ts';
import { isLoopbackHost } from '../../support/server/loopback.ts';
import type { Options } from './option-table.ts';
import { faultOfHalf, problem } from './problem-line.ts';
import { readEnrolment } from './relay-enrolment.ts';

/** Shorter paths count as guessable, in characters: 16 of base64url are 96 bits (our choice). */
const UNGUESSABLE_LENGTH = 16;

export function webhookProblems({ webhooks, partner }: Options): readonly Message[] {
  const { tls, via, enrolment } = webhooks;
  return [
    ...problem('webhooks.tls', faultOfHalf(tls.certFile, tls.keyFile)),
    ...problem(
      'webhooks.enrolment',
      via === 'relay' ? faultOfEnrolment(enrolment, partner.allowInsecureLoopback) : null,
    ),
  ];
}

/** Never repeats the line, which holds secrets. */
function faultOfEnrolment(line: string | undefined, insecureLoopback: boolean): Message | null {
  if (line === undefined) {
    return message('is missing; paste the line that the operator of the relay gave you');
  }
  const enrolment = readEnrolment(line);
  if (enrolment === null) {
    return message('is not an enrolment line; paste it whole, from "{beginning}" on', {
      beginning: 'latchkey-relay',
    });
  }
  const isSafe = (address: string): boolean => {
    const cluster = readClusterAddress(address);
    if (cluster !== null) {
      return cluster.isEncrypted || (insecureLoopback && cluster.hosts.every(isLoopbackHost));
    }
    const { protocol, hostname } = new URL(address);
    return /^(?:https|mqtts|wss):$/u.test(protocol) || (insecureLoopback && isLoopbackHost(hostname));
  };
  const addresses = [enrolment.broker, ...(enrolment.url === null ? [] : [enrolment.url])];
  return addresses.every(isSafe)
    ? null
    : message('names an address without encryption; ask for one with {https} and {schemes} or {last}', {
        https: 'https:',
        schemes: 'mqtts:, wss:',
        last: 'tls:',
      });
}

const UNPUBLISHED = message(
  'is missing, so webhooks are not registered automatically; enter the public address',
);

/** A proxy that passes on the path as it comes would lead every event past the listener. */
function warningOfAddress(publicUrl: string | undefined): Message | null {
  if (publicUrl === undefined) {
    return UNPUBLISHED;
  }
  const path = URL.parse(publicUrl)?.pathname ?? '/';
  return path === '/'
    ? null
    : message(
        'has a path: your proxy must remove "{path}" from each request; without such a rule, end it at the host',
        {
          path,
        },
      );
}

export function webhookWarnings({ webhooks }: Options): readonly Message[] {
  if (!webhooks.enabled) {
    return [];
  }
  const { publicUrl, path, tls, signature, keys, via, enrolment } = webhooks;
  const isDirect = via === 'direct';
  const unused = (option: string, isWritten: boolean): readonly Message[] =>
    problem(
      `webhooks.${option}`,
      isWritten
        ? message('is not used with {option} "{value}"; remove it', { option: 'webhooks.via', value: via })
        : null,
    );
  const guessable = isDirect && path !== undefined && path.length <= UNGUESSABLE_LENGTH;
  const idleKeys = signature === 'none' && keys.length > 0;
  return [
    ...problem('webhooks.publicUrl', isDirect ? warningOfAddress(publicUrl) : null),
    ...unused('publicUrl', !isDirect && publicUrl !== undefined),
    ...unused('path', !isDirect && path !== undefined),
    ...unused('tls', !isDirect && tls.certFile !== undefined),
    ...unused('enrolment', isDirect && enrolment !== undefined),
    ...problem(
      'webhooks.path',
      guessable ? message('is easy to guess; leave it empty to generate one') : null,
    ),
    ...problem(
      'webhooks.keys',
      idleKeys
        ? message('are not used with {option} "{value}"; choose how the service signs webhooks', {
            option: 'signature',
            value: 'none',
          })
        : null,
    ),
  ];
}
