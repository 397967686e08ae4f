// The process that the Homebridge UI starts for one open window of the settings, and ends with it. Launch only, no logic.
import { HomebridgePluginUiServer } from '@homebridge/plugin-ui-utils';
import { HEARTBEAT_EVENT } from '../panel/heartbeat.ts';
import { systemClock } from '../support/clock.ts';
import type { Log } from '../support/log.ts';
import { systemRandom } from '../support/random.ts';
import { AccountService } from './account-service.ts';
import { startHeartbeat } from './heartbeat.ts';
import { answerRequests } from './window-requests.ts';

// When the window closes, the base class sends this process a SIGTERM.
const server = new HomebridgePluginUiServer();

const api = new AccountService({
  folder: server.homebridgeStoragePath ?? '',
  configFile: server.homebridgeConfigPath ?? '',
  clock: systemClock,
  logOf: (account) => windowLog(`[${account}] `),
  random: systemRandom,
  emit: (news) => {
    server.pushEvent('latchkey', news);
  },
});

answerRequests(server, api, windowLog(''));

// The base class logs a line for every request, which would fill Homebridge's log.
// oxlint-disable-next-line no-console -- it is silenced, not used
console.log = () => {};

let closing = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    if (!closing) {
      closing = true;
      void api.close().finally(() => process.exit());
    }
  });
}

// The Homebridge UI may end first: what can no longer be sent or logged must not end this process before the accounts
// are given back.
for (const stream of [process, process.stdout, process.stderr]) {
  stream.on('error', () => {});
}

startHeartbeat(systemClock, () => {
  server.pushEvent(`latchkey-${HEARTBEAT_EVENT}`, {});
});
server.ready();

/** Homebridge's log takes what is written here: the first stream as information, the second as errors. */
function windowLog(prefix: string): Log {
  const say = (line: string): void => {
    process.stdout.write(`${prefix}${line}\n`);
  };
  const sayError = (line: string): void => {
    process.stderr.write(`${prefix}${line}\n`);
  };
  return { debug: () => {}, info: say, warn: sayError, error: sayError };
}
