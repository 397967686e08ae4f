// The broker of a Home Assistant app, with its login, as the Supervisor hands it out.
import { get, type IncomingMessage } from 'node:http';
import type { Block } from '../../../cli/serve/feature-serving.ts';
import { messageOf } from '../../../support/errors.ts';
import type { Log } from '../../../support/log.ts';
import { isObject, memberOf } from '../../../support/text/foreign-json.ts';
import { t } from '../../../words/translate.ts';

/** Documented as `/services/mqtt` (developers.home-assistant.io, Supervisor endpoints). */
const ADDRESS = 'http://supervisor/services/mqtt';
const ANSWERS_WITHIN_MS = 10_000;
const LONGEST_ANSWER = 65_536;

/**
 * The block with the Supervisor's broker, where it wants Home Assistant and names no broker of its own. Never rejects:
 * without it everything but MQTT goes on.
 */
export async function withSupervisorBroker(
  block: Block,
  environment: Readonly<Record<string, string | undefined>>,
  log: Pick<Log, 'info' | 'warn'>,
  address = ADDRESS,
): Promise<Block> {
  const token = environment['SUPERVISOR_TOKEN'];
  const mqtt = isObject(block['mqtt']) ? block['mqtt'] : {};
  if (token === undefined || mqtt['homeAssistant'] !== true || mqtt['url'] !== undefined) {
    return block;
  }
  try {
    const broker = brokerIn(memberOf(await askSupervisor(token, address), 'data'));
    if (broker === null) {
      log.warn(t('The Supervisor knows no broker. Install the Mosquitto app, then start this one again.'));
      return block;
    }
    log.info(t('The broker and its login come from the Supervisor.'));
    return { ...block, mqtt: { ...mqtt, ...broker } };
  } catch (error) {
    log.warn(t('The Supervisor did not name a broker, so MQTT is off: {why}', { why: messageOf(error) }));
    return block;
  }
}

function brokerIn(data: unknown): Block | null {
  const [host, port, username, password] = ['host', 'port', 'username', 'password'].map((name) =>
    memberOf(data, name),
  );
  if (typeof host !== 'string' || typeof port !== 'number') {
    return null;
  }
  const url = `${memberOf(data, 'ssl') === true ? 'mqtts' : 'mqtt'}://${host}:${String(port)}`;
  return typeof username === 'string' && username !== '' ? { url, username, password } : { url };
}

async function askSupervisor(token: string, address: string): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const headers = { authorization: `Bearer ${token}` };
  get(address, { headers, signal: AbortSignal.timeout(ANSWERS_WITHIN_MS) }, resolve).on('error', reject);
  let text = '';
  for await (const part of (await promise).setEncoding('utf8')) {
    text += String(part);
    if (text.length > LONGEST_ANSWER) {
      throw new Error('its answer is too long');
    }
  }
  return JSON.parse(text);
}
