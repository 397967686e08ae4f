// Detects Homebridge's insecure mode (-I), in which local programs may use the bridge without pairing (faults, row 77).
import { readFileSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import type { AccountBlock } from '../../config/account-blocks.ts';
import { message } from '../../domain/language/message.ts';
import type { Installation } from '../../installation/installation.ts';
import type { Clock } from '../../support/clock.ts';
import { isObject, memberOf } from '../../support/text/foreign-json.ts';
import { t } from '../../words/translate.ts';
import { CHECKS, type Finding, fine, note, warning } from './finding.ts';

/** HAP "connection authorization required": the answer to an unpaired client unless the bridge is insecure. */
const NOT_AUTHORIZED = 470;

/** A bridge on this machine answers within a few milliseconds, unless the machine is very busy (our choice). */
const ANSWER_WITHIN_MS = 3_000;

const ADVICE = message(
  'Any program on this machine that knows the pairing code may unlock. Set "{option}" for the locks, or switch insecure mode off (Homebridge UI, Startup Options).',
  { option: 'adminOnly' },
);

/** Asks the account's bridge as an unpaired client; without an answer, reads the startup options of the Homebridge UI. */
export async function bridgeFinding(
  installation: Installation,
  account: AccountBlock,
  clock: Clock,
): Promise<Finding> {
  const port = bridgePort(account.block['_bridge']) ?? bridgePort(installation.whole['bridge']);
  const status = port === null ? null : await knock(port, clock);
  if (status === NOT_AUTHORIZED) {
    return fine(CHECKS.insecure, t('The bridge answers paired devices only.'));
  }
  if (status !== null && status >= 200 && status < 300) {
    return warning(CHECKS.insecure, t('Homebridge runs in insecure mode.'), t(ADVICE));
  }
  return startsInsecure(installation.folder)
    ? warning(CHECKS.insecure, t('The Homebridge UI starts Homebridge in insecure mode.'), t(ADVICE))
    : note(
        CHECKS.insecure,
        t('No bridge answers, so this is unknown.'),
        t('Start Homebridge and ask again.'),
      );
}

export function bridgePort(bridge: unknown): number | null {
  const port = memberOf(bridge, 'port');
  return typeof port === 'number' ? port : null;
}

/** The status of an unpaired read of the bridge's own name; null without an answer. */
async function knock(port: number, clock: Clock): Promise<number | null> {
  const { promise, resolve } = Promise.withResolvers<number | null>();
  const request = get(
    { host: '127.0.0.1', port, path: '/characteristics?id=1.2', agent: false },
    (response) => {
      response.resume();
      resolve(response.statusCode ?? null);
    },
  );
  request.on('error', () => resolve(null));
  const cancel = clock.after(ANSWER_WITHIN_MS, () => request.destroy(new Error('No answer in time')));
  return promise.finally(cancel);
}

/** The Homebridge UI stores its startup options in this file, and starts with -I by default. */
function startsInsecure(folder: string): boolean {
  try {
    const text = readFileSync(join(folder, '.uix-hb-service-homebridge-startup.json'), 'utf8');
    const options: unknown = JSON.parse(text);
    return isObject(options) && options['insecureMode'] !== false;
  } catch {
    return false;
  }
}
