// The process that the Homebridge UI starts for one open window of the settings.
import { HomebridgePluginUiServer } from '@homebridge/plugin-ui-utils';
import { addFeatures } from '../features/index.ts';
import { setHomebridgeLanguage } from '../installation/language.ts';
import { HEARTBEAT_EVENT, HEARTBEAT_MS } from '../panel/heartbeat.ts';
import { systemClock } from '../support/clock.ts';
import type { Log } from '../support/log.ts';
import { systemRandom } from '../support/random.ts';
import { AccountService } from './account-service.ts';
import { answerRequests } from './window-requests.ts';

addFeatures();

// When the window closes, the base class sends this process a SIGTERM.
const server = new HomebridgePluginUiServer();
setHomebridgeLanguage(server.homebridgeConfigPath ?? '', process.env);

const api = new AccountService({
  folder: server.homebridgeStoragePath ?? '',
  configFile: server.homebridgeConfigPath ?? '',
  clock: systemClock,
  logOf: (account) => windowLog(`[${account}] `),
  random: systemRandom,
  emit: (event) => server.pushEvent('latchkey', event),
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

// The Homebridge UI may end first: a failed write must not end this process before the accounts are closed.
for (const stream of [process, process.stdout, process.stderr]) {
  stream.on('error', () => {});
}

/** A killed process cannot report its end: the window hears for as long as this one lives. */
function beat(): void {
  systemClock.after(HEARTBEAT_MS, () => {
    server.pushEvent(`latchkey-${HEARTBEAT_EVENT}`, {});
    beat();
  });
}

beat();
server.ready();

/** Homebridge logs this process's output: stdout as information, stderr as errors. */
function windowLog(prefix: string): Log {
  const say = (line: string): void => {
    process.stdout.write(`${prefix}${line}\n`);
  };
  const sayError = (line: string): void => {
    process.stderr.write(`${prefix}${line}\n`);
  };
  return { debug: () => {}, info: say, warn: sayError, error: sayError };
}
