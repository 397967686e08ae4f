// The subscriptions of an account at the broker: commands, its own tests, the start of Home Assistant, and another of its name.
import type { IncomingMessage, Subscription } from '../carrier/carrier.ts';
import type { AccountTopics } from './topics.ts';

/** None of them waits for a lock: the broker is not kept waiting for its acknowledgement. */
export interface SubscriptionHandlers {
  readonly command: (message: IncomingMessage) => void;
  /** On access codes or guests; null: they are not accepted. */
  readonly access: ((message: IncomingMessage) => void) | null;
  /** A test of the account's own has arrived. */
  readonly tested: (message: IncomingMessage) => void;
  /** Another process has published the account's status. */
  readonly otherStatus: (payload: string) => void;
  /** Home Assistant has started, and may have forgotten what was announced. */
  readonly started: () => void;
}

export function accountSubscriptions(
  topics: AccountTopics,
  homeAssistant: boolean,
  { command, access, tested, otherStatus, started }: SubscriptionHandlers,
): readonly Subscription[] {
  const heard = (filter: string, handle: (message: IncomingMessage) => void): Subscription => ({
    filter,
    wantsRetained: false,
    handle: async (message) => handle(message),
  });
  const status = heard(topics.status, ({ payload }) => otherStatus(new TextDecoder().decode(payload)));
  const birth = heard(topics.birth, ({ payload }) => {
    if (new TextDecoder().decode(payload) === 'online') {
      started();
    }
  });
  return [
    heard(topics.commands, (message) => (message.topic === topics.test ? tested : command)(message)),
    { ...status, ignoresOwn: true },
    ...(access === null ? [] : [heard(topics.codeCommands, access), heard(topics.guests.set, access)]),
    ...(homeAssistant ? [birth] : []),
  ];
}
