// One WebSocket to a real program: each request has its answer, and everything else is news.
import { once } from 'node:events';
import { within } from '../harness/deadline.ts';

export type Message = Readonly<Record<string, unknown>>;

const ANSWERED_WITHIN_MS = 60_000;

/** The member by which a program ties an answer to its request. */
type IdName = 'id' | 'message_id';

export class Conversation {
  readonly #socket: WebSocket;
  readonly #idName: IdName;
  readonly #waiting = new Map<string, (answer: Message) => void>();
  readonly #news: (message: Message) => void;
  #lastId = 0;

  /** `news`: what comes unasked. */
  static async open(url: string, idName: IdName, news: (message: Message) => void): Promise<Conversation> {
    const socket = new WebSocket(url);
    const conversation = new Conversation(socket, idName, news);
    await once(socket, 'open');
    return conversation;
  }

  private constructor(socket: WebSocket, idName: IdName, news: (message: Message) => void) {
    this.#socket = socket;
    this.#idName = idName;
    this.#news = news;
    socket.addEventListener('message', ({ data }) => {
      this.#hear(JSON.parse(String(data)) as Message);
    });
  }

  /** Says something that has no answer of its own. */
  say(message: Message): void {
    this.#socket.send(JSON.stringify(message));
  }

  /** Resolves with the answer, a refusal too. */
  async ask(message: Message): Promise<Message> {
    this.#lastId += 1;
    const id = this.#idName === 'id' ? this.#lastId : String(this.#lastId);
    const { promise, resolve } = Promise.withResolvers<Message>();
    this.#waiting.set(String(id), resolve);
    this.say({ ...message, [this.#idName]: id });
    return within(promise, ANSWERED_WITHIN_MS, () => `No answer to ${JSON.stringify(message)}`);
  }

  close(): void {
    this.#socket.close();
  }

  #hear(message: Message): void {
    const id = String(message[this.#idName]);
    const answered = this.#waiting.get(id);
    // An event of Home Assistant bears the number of the request that subscribed to it.
    if (answered === undefined || message['type'] === 'event') {
      this.#news(message);
    } else {
      this.#waiting.delete(id);
      answered(message);
    }
  }
}
