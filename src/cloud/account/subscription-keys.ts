// The partner's two subscription keys: either works, and the one that worked last is tried first.
import { type Message, message } from '../../domain/language/message.ts';
import { FinalError } from '../../support/errors.ts';
import { decodeError, isKeyRefusal } from '../../wire/error-codec.ts';
import { type HttpAnswer, jsonOf } from '../http/exchange.ts';

/** The gateway refuses a wrong key with the first, and one that is no longer valid perhaps with the second (RFC 9110, 15.5.4). */
const KEY_REFUSALS: ReadonlySet<number> = new Set([401, 403]);

export class SubscriptionKeys {
  readonly #keys: () => readonly string[];
  readonly #asked: Message;
  #preferred: string | null = null;

  /** `keys`: the current ones, read before each call. May throw an error for the caller. `asked`: the name of the called interface, for the message. */
  constructor(keys: () => readonly string[], asked: Message) {
    this.#keys = keys;
    this.#asked = asked;
  }

  /** Asks with one key after the other, until an answer does not refuse the key. Throws final when all are refused. */
  async ask(send: (key: string) => Promise<HttpAnswer>): Promise<HttpAnswer> {
    const keys = this.#keys();
    const preferred = Math.max(this.#preferred === null ? 0 : keys.indexOf(this.#preferred), 0);
    for (const key of [...keys.slice(preferred), ...keys.slice(0, preferred)]) {
      const answer = await send(key);
      if (!KEY_REFUSALS.has(answer.status) || !isKeyRefusal(decodeError(jsonOf(answer.text)))) {
        this.#preferred = key;
        return answer;
      }
    }
    throw new FinalError(
      'bad-configuration',
      message(
        "{asked} accepts none of the subscription keys; check them on the plugin's pages or in config.json.",
        { asked: this.#asked },
      ),
    );
  }
}
