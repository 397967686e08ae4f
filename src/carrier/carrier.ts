// A message broker as the rest of the code sees it: publishing, receiving with acknowledgement, and the connection's state.
import type { Message } from '../domain/language/message.ts';

export interface OutgoingMessage {
  readonly topic: string;
  readonly payload: string | Uint8Array;
  /** The broker keeps the message and gives it to every later subscriber. Left out: no. */
  readonly retain?: boolean;
  /** The broker drops the message when it could not be delivered for that long, in seconds. Left out: never. */
  readonly expirySeconds?: number;
  /** Texts by name that travel beside the payload. */
  readonly properties?: Readonly<Record<string, string>>;
  /** Travels with it to everybody, as the correlation data of MQTT. Left out: none. */
  readonly mark?: string;
}

export interface PublishReceipt {
  /**
   * False: the broker says that no session subscribes to the topic, so the message is gone unless it is retained. True
   * proves nothing: brokers may leave this out.
   */
  readonly hasSubscriber: boolean;
}

export interface IncomingMessage {
  readonly topic: string;
  readonly payload: Uint8Array;
  /** Published with the retain flag, by this or an earlier connection: the message may be old. */
  readonly retained: boolean;
  readonly properties: Readonly<Record<string, string>>;
  readonly mark?: string;
}

export interface Subscription {
  /** Topic filter; `+` stands for one level, `#` for all that follow. */
  readonly filter: string;
  /** Whether messages that the broker has retained are delivered at every connection. */
  readonly wantsRetained: boolean;
  /** Whether this connection does not receive its own messages. Left out: it does. */
  readonly ignoresOwn?: boolean;
  /**
   * Called in order of arrival, without waiting for earlier calls. The message is acknowledged when the promise
   * resolves, and never otherwise: after a rejection the connection is renewed, and a session that persists delivers the
   * message again. So is a message whose handler was running when the connection ended: a handler may see it twice.
   */
  readonly handle: (message: IncomingMessage) => Promise<void>;
}

export type CarrierState =
  /** The state before the first connection, and while one is being opened. */
  | { readonly kind: 'connecting' }
  /** Every subscription is granted. `resumed`: the broker still had the session of the earlier connection. */
  | { readonly kind: 'connected'; readonly resumed: boolean }
  /** `reason` is a sentence for a person, with the next step where there is one; no secret. */
  | {
      readonly kind: 'waiting';
      readonly reason: Message;
      readonly retryInMs: number;
      /** Another client has taken this one's place at the broker. Left out: no. */
      readonly isTakenOver?: true;
    }
  | { readonly kind: 'closed' };

export interface Carrier {
  readonly state: CarrierState;

  /** Calls `listener` at every change of state, until the returned function is called. */
  subscribeState(listener: (state: CarrierState) => void): () => void;

  /**
   * Resolves when the broker has acknowledged the message. Nothing is kept for a later connection: without one, it
   * rejects at once. Messages on one topic arrive in the order of the calls.
   *
   * @throws RetryError when it was not sent: no connection, or too many messages waiting.
   * @throws UncertainError when it was sent and no acknowledgement came: connection lost, or too late.
   * @throws FinalError when the broker refuses it for good: not permitted, too large, a topic that is none.
   */
  publish(message: OutgoingMessage): Promise<PublishReceipt>;

  /**
   * Ends the connection properly, so that the broker does not publish the will; waits a second at most for
   * acknowledgements under way. Nothing is called or sent afterwards.
   */
  close(): Promise<void>;
}
