// What an account hears from the broker: commands, the start of Home Assistant, and devices that were announced before.
import type { IncomingMessage, Subscription } from '../mqtt/carrier.ts';
import { type AccountTopics, BIRTH_TOPIC } from './topics.ts';

/** None of them waits for a lock: the broker is not kept waiting for its acknowledgement. */
export interface SubscriptionHandlers {
  readonly command: (message: IncomingMessage) => void;
  /** Home Assistant has started, and may have forgotten what was announced. */
  readonly started: () => void;
  /** A device that this or an earlier process announced, by its topic. */
  readonly announced: (topic: string) => void;
}

export function accountSubscriptions(
  topics: AccountTopics,
  homeAssistant: boolean,
  handlers: SubscriptionHandlers,
): readonly Subscription[] {
  const commands: Subscription = {
    filter: topics.commands,
    wantsRetained: false,
    handle: async (message) => {
      handlers.command(message);
    },
  };
  return homeAssistant ? [commands, ...ofHomeAssistant(topics, handlers)] : [commands];
}

function ofHomeAssistant(
  topics: AccountTopics,
  { started, announced }: SubscriptionHandlers,
): readonly Subscription[] {
  return [
    {
      filter: BIRTH_TOPIC,
      wantsRetained: false,
      handle: async ({ payload }) => {
        if (new TextDecoder().decode(payload) === 'online') {
          started();
        }
      },
    },
    {
      filter: topics.discoveries,
      wantsRetained: true,
      handle: async ({ topic, payload }) => {
        if (payload.length > 0) {
          announced(topic);
        }
      },
    },
  ];
}
