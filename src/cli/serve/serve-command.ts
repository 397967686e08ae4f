// `latchkey serve`: runs one account without Homebridge, or the demo.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Command, Option } from 'commander';
import type { Config } from '../../config/config.ts';
import { problemSentences } from '../../config/options/problem-line.ts';
import { type ConfigReading, readConfig } from '../../config/read-config.ts';
import { message } from '../../domain/language/message.ts';
import type { Installation } from '../../installation/installation.ts';
import { assertOurs } from '../../installation/storage-inspection.ts';
import { FinalError, RetryError } from '../../support/errors.ts';
import type { Log } from '../../support/log.ts';
import { isObject, memberOf } from '../../support/text/foreign-json.ts';
import { sayForService } from '../../words/host.ts';
import { t } from '../../words/translate.ts';
import { type End, inWords, withWhereabouts } from '../account/account-command.ts';
import {
  chosenAccount,
  findInstallation,
  installationIn,
  type Whereabouts,
} from '../account/homebridge-config.ts';
import { EXIT_STATUS, type ExitStatus } from '../terminal/exit-status.ts';
import { parsePort } from '../terminal/port-argument.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { type Block, completed, featureServing } from './feature-serving.ts';
import { type LogFormat, lineLog } from './line-log.ts';

interface ServeFlags extends Whereabouts {
  readonly demo?: boolean;
  readonly logFormat: LogFormat;
  readonly statusHost: string;
  readonly statusPort: number;
  readonly printLogin?: boolean;
}

/** Beside those of webhooks (18581) and pages (18582). */
const DEFAULT_STATUS_PORT = 18_584;

function afterword(): string {
  const words = t(
    "Keeps the account, its pages and webhooks running until Ctrl-C or SIGTERM. The configuration is in the storage\nfolder: config.json, Homebridge's own or the account's block alone, or the same as latchkey.yaml. GET {health},\n{readiness} and {metrics} say how it is.",
    { health: '/healthz', readiness: '/readyz', metrics: '/metrics' },
  );
  const waits = t(
    'While a Homebridge or another "{command}" owns the account, it waits for it and says so.',
    {
      command: 'serve',
    },
  );
  return `\n${words}\n\n${waits}`;
}

export function serveCommand(terminal: Terminal, end: End): Command {
  const storage = t('folder in which the account is kept; found by itself in the usual places');
  const command = withWhereabouts(new Command('serve'), storage)
    .description(t('run the account as a service, without Homebridge'))
    .option('--demo', t('three simulated locks with pages and webhooks; no account is needed'));
  for (const option of featureServing.all.flatMap(({ options }) => options())) {
    command.addOption(option);
  }
  return command
    .addOption(
      new Option('--log-format <format>', t('how lines of the log are written'))
        .choices(['text', 'json'])
        .default('text'),
    )
    .option('--status-host <host>', t('address for health, readiness and figures'), '127.0.0.1')
    .option('--status-port <number>', t('its port; 0 takes a free one'), parsePort, DEFAULT_STATUS_PORT)
    .option(
      '--print-login',
      t('print a login to the dashboard at the start; it works once and for five minutes'),
    )
    .addHelpText('after', afterword())
    .action(async (flags: ServeFlags) => {
      const work = async (): Promise<ExitStatus> => {
        const serving = flags.demo === true ? serveDemo(terminal, flags) : serveAccount(terminal, flags);
        return serving.catch((error: unknown) => {
          throw sayForService(error);
        });
      };
      end(await inWords(terminal, {}, work, { untilStopped: true }));
    });
}

async function serveAccount(terminal: Terminal, flags: ServeFlags): Promise<ExitStatus> {
  for (const { check } of featureServing.all) {
    check({ ...flags });
  }
  const installation = await configuredInstallation(flags, terminal);
  const { block } = chosenAccount(installation, flags.account);
  const whole = await wholeBlock(block, terminal, flags);
  const { config, log } = configured(terminal, flags, readConfig(whole));
  const { folder } = installation;
  assertOurs({ folder, config });
  const login = loginCommand(folder, flags.config);
  return run(terminal, flags, { config, folder, configFile: installation.configFile, log, login });
}

/** A file that is not there yet may come: a service manager tries again, unlike with one that cannot work. */
async function configuredInstallation(flags: ServeFlags, terminal: Terminal): Promise<Installation> {
  try {
    return await findInstallation(flags, terminal);
  } catch (error) {
    const cause: unknown = error instanceof Error ? error.cause : undefined;
    if (memberOf(cause, 'code') === 'ENOENT') {
      throw new RetryError(
        'unreachable',
        message('{file} is not there yet. Write it, then start the service again.', {
          file: String(memberOf(cause, 'path')),
        }),
      );
    }
    throw error;
  }
}

/** The command as a person types it. */
function loginCommand(folder: string, configFile?: string): string {
  const where = configFile === undefined ? '' : ` --config ${shellWord(resolve(configFile))}`;
  return `npx homebridge-latchkey panel --login --storage ${shellWord(folder)}${where}`;
}

/** A path as one word of a shell. */
function shellWord(path: string): string {
  return /^[\w@%+=:,./-]+$/u.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}

/** The folder of the demo is removed with it. */
async function serveDemo(terminal: Terminal, flags: ServeFlags): Promise<ExitStatus> {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-demo-'));
  try {
    const block = await wholeBlock(await demoBlock(flags), terminal, flags);
    const { config, log } = configured(terminal, flags, readConfig(block));
    // The other commands find the demo by it.
    const account = JSON.stringify({ name: config.name, demo: true });
    writeFileSync(join(folder, 'config.json'), account, { mode: 0o600 });
    const login = loginCommand(folder);
    return await run(terminal, flags, { config: withWebhooks(config, block), folder, log, login });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A configuration file may choose the ports of pages and webhooks, and a broker with its login. */
async function demoBlock({ config }: ServeFlags): Promise<Block> {
  const written = config === undefined ? {} : (await installationIn('', config)).whole;
  return { name: 'Latchkey demo', panel: { enabled: true }, ...written, demo: true };
}

/** With what features know of its surroundings. */
async function wholeBlock(block: Block, terminal: Terminal, flags: ServeFlags): Promise<Block> {
  const log = lineLog(terminal, { debug: false, format: flags.logFormat });
  const { environment } = terminal;
  return completed(block, { flags: { ...flags }, isDemo: flags.demo === true, environment, log });
}

/** In Homebridge a demo has none: its simulated service may call a listener on this machine alone. */
function withWebhooks(config: Config, written: Readonly<Record<string, unknown>>): Config {
  const block = { ...written, demo: false, partner: { allowInsecureLoopback: true } };
  const webhooks = { ...membersOf(written['webhooks']), enabled: true };
  const first = readConfig({ ...block, webhooks });
  const port = first.ok ? first.config.webhooks?.port : undefined;
  const publicUrl = `http://127.0.0.1:${String(port)}`;
  const reading = readConfig({ ...block, webhooks: { ...webhooks, publicUrl } });
  return reading.ok ? { ...config, webhooks: reading.config.webhooks } : config;
}

function membersOf(value: unknown): object {
  return isObject(value) ? value : {};
}

/** Logs the warnings. Throws a final error (`bad-configuration`) with one sentence for each fault. */
function configured(
  terminal: Terminal,
  { logFormat: format }: ServeFlags,
  reading: ConfigReading,
): { readonly config: Config; readonly log: Log } {
  if (!reading.ok) {
    throw new FinalError(
      'bad-configuration',
      message('Not started. Fix these options, then start again. {faults}', {
        faults: problemSentences(reading.problems),
      }),
    );
  }
  const log = lineLog(terminal, { debug: reading.config.debug, format });
  for (const warning of reading.warnings) {
    log.warn(t(warning));
  }
  return { config: reading.config, log };
}

async function run(
  { clock, random, stopped, onHangUp, print }: Terminal,
  { statusHost: host, statusPort: port, printLogin = false }: ServeFlags,
  account: {
    readonly config: Config;
    readonly folder: string;
    readonly configFile?: string;
    readonly log: Log;
    readonly login: string;
  },
): Promise<ExitStatus> {
  onHangUp?.(() =>
    account.log.info(t('SIGHUP changes nothing. To read the configuration again, restart the service.')),
  );
  // Loaded on demand, so that other commands start quickly.
  const { serve } = await import('../../serve/serve.ts');
  const onLogin = (url: string): void => print(`${t('Log in to the dashboard: {url}', { url })}\n`);
  await serve({
    ...account,
    statusAt: { host, port },
    ...(printLogin ? { onLogin } : {}),
    clock,
    random,
    stopped,
  });
  return EXIT_STATUS.ok;
}
