// What an account hears from the broker: commands, its own tests, the start of Home Assistant, and another of its name.
import type { IncomingMessage, Subscription } from '../mqtt/carrier.ts';
import type { AccountTopics } from './topics.ts';

/** None of them waits for a lock: the broker is not kept waiting for its acknowledgement. */
export interface SubscriptionHandlers {
  readonly command: (message: IncomingMessage) => void;
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
  { command, tested, otherStatus, started }: SubscriptionHandlers,
): readonly Subscription[] {
  const ours: readonly Subscription[] = [
    {
      filter: topics.commands,
      wantsRetained: false,
      handle: async (message) => {
        (message.topic === topics.test ? tested : command)(message);
      },
    },
    {
      filter: topics.status,
      wantsRetained: false,
      ignoresOwn: true,
      handle: async ({ payload }) => {
        otherStatus(new TextDecoder().decode(payload));
      },
    },
  ];
  const birth: Subscription = {
    filter: topics.birth,
    wantsRetained: false,
    handle: async ({ payload }) => {
      if (new TextDecoder().decode(payload) === 'online') {
        started();
      }
    },
  };
  return homeAssistant ? [...ours, birth] : ours;
}
