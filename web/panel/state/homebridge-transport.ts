// The line inside the Homebridge UI: operations as requests to the plugin's own server process, events as it pushes them.
import type { IHomebridgePluginUi } from '@homebridge/plugin-ui-utils/ui.interface';
import { HEARTBEAT_EVENT } from '../../../src/panel/heartbeat.ts';
import type { PageOperation } from '../../../src/panel/operations/panel-api.ts';
import { memberOf } from '../../../src/support/text/foreign-json.ts';
import type { WindowEvent } from '../../../src/ui-server/account-service.ts';
import { t } from '../../../src/words/translate.ts';
import { after } from '../../shared/browser-clock.ts';
import { type After, HeartbeatWatch } from './heartbeat-watch.ts';
import { type CallError, callErrorOf, type PageResults, type Transport, unreachable } from './transport.ts';

/** Pushed by the server process for as long as it lives. */
const HEARTBEAT = `latchkey-${HEARTBEAT_EVENT}`;

/** Asks the server process; rejects with a `CallError`. */
export async function ask(homebridge: IHomebridgePluginUi, path: string, body?: unknown): Promise<unknown> {
  try {
    const answer: unknown = await homebridge.request(path, body);
    return answer;
  } catch (thrown) {
    throw errorOf(thrown);
  }
}

/** `wait`: calls back after this many milliseconds. */
export function homebridgeTransport(
  homebridge: IHomebridgePluginUi,
  account: string,
  wait: After = after,
): Transport {
  return {
    place: 'homebridge-ui',
    logout: null,
    may: () => true,
    login: () => null,
    call: async <Name extends PageOperation>(operation: Name, input?: unknown) => {
      const result = await ask(homebridge, '/call', { account, operation, input });
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the page and its server are built together
      return result as PageResults[Name];
    },
    listen: (onEvent, onConnected) => {
      let isReached = true;
      let isSilent = false;
      const watch = new HeartbeatWatch(wait, () => {
        isSilent = true;
        onConnected(false);
      });
      const beat = (): void => {
        watch.beat();
        if (isSilent) {
          isSilent = false;
          onConnected(isReached);
        }
      };
      const hear = (message: Event): void => {
        const data = memberOf(message, 'data');
        if (isRecent(data) && data.account === account) {
          if ('event' in data) {
            onEvent(data.event);
          } else {
            isReached = data.connected;
            onConnected(isReached && !isSilent);
          }
        }
      };
      homebridge.addEventListener('latchkey', hear);
      homebridge.addEventListener(HEARTBEAT, beat);
      watch.beat();
      onConnected(true);
      return () => {
        watch.stop();
        homebridge.removeEventListener('latchkey', hear);
        homebridge.removeEventListener(HEARTBEAT, beat);
      };
    },
  };
}

/** The page and its server are built together: what names an account is an event. */
function isRecent(data: unknown): data is WindowEvent {
  return typeof memberOf(data, 'account') === 'string';
}

/** A `RequestError` carries our error; one of the Homebridge UI itself has only a message. */
function errorOf(thrown: unknown): CallError {
  const error = memberOf(thrown, 'error');
  if (typeof memberOf(error, 'code') === 'string') {
    return callErrorOf(error);
  }
  const message = memberOf(thrown, 'message');
  return unreachable(
    typeof message === 'string' && message !== ''
      ? message
      : t('The Homebridge UI does not answer. Close this window and open it again.'),
  );
}
