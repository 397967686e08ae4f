// `latchkey relay`: runs a relay, enrols homes at it, and asks and ends what an operator may in a cluster.
import { Command, InvalidArgumentError } from 'commander';
import type { ClusterView } from '../../../relay/src/look-at-cluster.ts';
import type { RelayConfig } from '../../../relay/src/relay-config.ts';
import { homeName } from '../../config/options/relay-enrolment.ts';
import { FinalError } from '../../support/errors.ts';
import { t } from '../../words/translate.ts';
import { type End, inWords, noLog } from '../account/account-command.ts';
import { EXIT_STATUS, type ExitStatus } from '../terminal/exit-status.ts';
import type { Output, Terminal } from '../terminal/terminal.ts';
import { lineLog } from './line-log.ts';

interface RelayFlags {
  readonly config: string;
  readonly broker?: string;
  readonly json?: boolean;
}

interface EnrolFlags extends RelayFlags {
  readonly home?: string;
  readonly generation: number;
  readonly shared?: boolean;
}

const CLIENT_IDS = {
  own: 'The broker gives the home the client id of its user: it cannot take the session of another.',
  none: 'A cluster has no client ids.',
  chosen:
    'The broker lets the home choose its client id, so that it could take the session of another home. In mosquitto.conf, put use_username_as_clientid below the listener.',
} as const;

const AFTERWORD = `
Takes the service's webhooks for homes that have no address, and hands them to an MQTT broker or a NATS cluster. It keeps no state, so any
number may run behind a load balancer. relay/README.md says how broker, relay and homes are set up.`;

const ENROL_AFTERWORD = `
Prints one line for the home's option webhooks.enrolment, and what the broker has to know. Nothing is stored here: the
line holds the home's secrets, so hand it over on a private way.`;

const CHECK_AFTERWORD = `
Reads the line of \`relay enrol\` from its input, and connects twice with the login in it, under two client ids. Do it when the
broker knows the home's user, and before the line is handed over: a home that is connected is cut off for a moment.`;

const CLUSTER_AFTERWORD = `
Once for each cluster. accounts.conf tells the nodes whom to believe; with keys.json the relays log in, and \`relay enrol\`
signs homes. Nodes are told nothing when a home is added. For each node that is named, nodes/HOST holds what belongs in its
/etc/nats: accounts.conf, and a certificate of this cluster's own authority, which openssl makes. Where the folder has a
cluster, only these are made, also for a node that has them: that is how a node is added, and a certificate renewed.`;

export function relayCommand(terminal: Terminal, end: End): Command {
  const relay = new Command('relay')
    .description(t('take webhooks for homes without an address'))
    .option('--config <file>', "the relay's configuration", DEFAULT_CONFIG)
    .option('--broker <address>', "in place of the file's, such as nats://a,b,c for a cluster")
    .addHelpText('after', AFTERWORD)
    .action(async (flags: RelayFlags) =>
      end(await inWords(terminal, {}, async () => run(terminal, flags), { untilStopped: true })),
    )
    .addCommand(enrolCommand(terminal, end))
    .addCommand(checkCommand(terminal, end))
    .addCommand(clusterCommand(terminal, end));
  for (const command of clusterCommands(terminal, end)) {
    relay.addCommand(command);
  }
  return relay;
}

function enrolCommand(terminal: Terminal, end: End): Command {
  return new Command('enrol')
    .description('print the enrolment of a home')
    .option('--config <file>', "the relay's configuration", DEFAULT_CONFIG)
    .option('--home <name>', 'name of the home at the broker; a random one if left out', parseHome)
    .option('--generation <number>', 'counts the enrolments of one home', parseGeneration, 1)
    .option('--shared', "for the relay's one webhook for all homes: the home gets no address of its own")
    .option('--json', 'print values for programs instead of lines for people')
    .addHelpText('after', ENROL_AFTERWORD)
    .action(async (_flags: EnrolFlags, command: Command) => {
      // The options of `relay` itself count, too.
      const flags = command.optsWithGlobals<EnrolFlags>();
      end(await inWords(terminal, flags, async (output) => enrol(output, flags)));
    });
}

function checkCommand(terminal: Terminal, end: End): Command {
  return new Command('check')
    .description('see whether a broker of MQTT keeps a new home from the sessions of others')
    .option('--json', 'print values for programs instead of lines for people')
    .addHelpText('after', CHECK_AFTERWORD)
    .action(async (_flags: RelayFlags, command: Command) => {
      const flags = command.optsWithGlobals<RelayFlags>();
      end(await inWords(terminal, flags, async (output) => check(terminal, output)));
    });
}

function clusterCommand(terminal: Terminal, end: End): Command {
  return new Command('cluster')
    .description('make the accounts of a NATS cluster for relay and homes, and certificates of its nodes')
    .argument('[nodes...]', 'host names of nodes that get a certificate, such as a.example.net')
    .requiredOption('--folder <folder>', 'where they are written; without nodes it must hold none yet')
    .addHelpText('after', CLUSTER_AFTERWORD)
    .action(async (nodes: readonly string[], { folder }: { readonly folder: string }) => {
      end(await inWords(terminal, {}, async (output) => makeCluster(output, folder, nodes)));
    });
}

async function makeCluster(output: Output, folder: string, hosts: readonly string[]): Promise<ExitStatus> {
  const [{ hasCluster, writeCluster }, { writeNodes }] = await Promise.all([
    import('../../../relay/src/write-cluster.ts'),
    import('../../../relay/src/node-certificates.ts'),
  ]);
  if (hosts.length === 0 || !hasCluster(folder)) {
    const files = await writeCluster(folder);
    output.answer(files, [
      `For the configuration of each node, with include: ${files.accountsFile}`,
      `For broker.keysFile of the relays. Keep it as a password: ${files.keysFile}`,
      `For you alone, with the tool nats, apart from the others: ${files.streamLogin} and ${files.systemLogin}`,
    ]);
  }
  if (hosts.length > 0) {
    const nodes = await writeNodes(folder, hosts);
    output.answer(
      nodes,
      nodes.map(({ host, folder: place }) => `For /etc/nats of ${host}: ${place}`),
    );
  }
  return EXIT_STATUS.ok;
}

async function run(terminal: Terminal, { config: file, broker }: RelayFlags): Promise<ExitStatus> {
  const [{ readRelayConfig }, { runRelay }] = await Promise.all([
    import('../../../relay/src/relay-config.ts'),
    import('../../../relay/src/relay.ts'),
  ]);
  const { clock, random, stopped, onHangUp } = terminal;
  const read = (): RelayConfig => readRelayConfig(file, broker ?? null);
  const log = lineLog(terminal, { debug: false, format: 'text' });
  await runRelay({ config: read(), read, clock, log, random, stopped, onRereadable: onHangUp ?? (() => {}) });
  return EXIT_STATUS.ok;
}

async function check(terminal: Terminal, output: Output): Promise<ExitStatus> {
  const [{ checkClientIds }, { readEnrolment }] = await Promise.all([
    import('../../../relay/src/check-home.ts'),
    import('../../config/options/relay-enrolment.ts'),
  ]);
  const enrolment = readEnrolment((await terminal.readLine(terminal.stopped))?.trim() ?? '');
  if (enrolment === null) {
    throw new FinalError('bad-request', 'The input is no line of `latchkey relay enrol`.');
  }
  const { clock, random } = terminal;
  const parts = { clock, random, log: noLog() };
  const clientIds = await checkClientIds(enrolment, parts);
  output.answer({ clientIds }, [CLIENT_IDS[clientIds]]);
  return clientIds === 'chosen' ? EXIT_STATUS.failed : EXIT_STATUS.ok;
}

async function enrol(output: Output, flags: EnrolFlags): Promise<ExitStatus> {
  const [{ readRelayConfig }, { enrolAtBroker }] = await Promise.all([
    import('../../../relay/src/relay-config.ts'),
    import('../../../relay/src/enrol-home.ts'),
  ]);
  const { config: file, broker, home = null, generation, shared = false } = flags;
  const config = readRelayConfig(file, broker ?? null);
  const enrolled = await enrolAtBroker(config, { home, generation, withAddress: !shared });
  output.answer(enrolled, [enrolled.line]);
  const { isKnownToBroker } = enrolled;
  for (const line of [
    isKnownToBroker
      ? 'The broker needs to know nothing: the line itself says what the home may do.'
      : `For the broker: user ${enrolled.username}, password ${enrolled.password}, may read ${enrolled.topic}.`,
    `For shared.homes: "${enrolled.home}": ${enrolled.entry}`,
  ]) {
    output.progress(line);
  }
  return EXIT_STATUS.ok;
}

/** `homes` has the first three alone. */
interface HomeFlags {
  readonly config: string;
  readonly broker?: string;
  readonly json?: boolean;
  readonly home: string;
  readonly generation: number;
  readonly since: Date;
}

const DAY_MS = 86_400_000;

function clusterCommands(terminal: Terminal, end: End): readonly Command[] {
  const command = (
    name: string,
    what: string,
    ask: (view: ClusterView, output: Output, flags: HomeFlags) => Promise<void>,
  ): Command =>
    new Command(name)
      .description(what)
      .option('--config <file>', "the relay's configuration", DEFAULT_CONFIG)
      .option('--json', 'print values for programs instead of lines for people')
      .action(async (_flags: HomeFlags, self: Command) => {
        const flags = self.optsWithGlobals<HomeFlags>();
        end(
          await inWords(terminal, flags, async (output) => {
            const [{ readRelayConfig }, { withCluster }] = await Promise.all([
              import('../../../relay/src/relay-config.ts'),
              import('../../../relay/src/look-at-cluster.ts'),
            ]);
            const config = readRelayConfig(flags.config, flags.broker ?? null);
            await withCluster(config, terminal.clock, async (view) => ask(view, output, flags));
            return EXIT_STATUS.ok;
          }),
        );
      });
  const ofHome = (made: Command): Command =>
    made
      .requiredOption('--home <name>', 'name of the home', parseHome)
      .option('--generation <number>', 'counts the enrolments of one home', parseGeneration, 1);
  return [
    command('homes', 'list the homes of a cluster, and what waits for each', homes),
    ofHome(command('missed', 'list the events that a home has not acknowledged', missed)),
    ofHome(command('send-again', 'give a home its events once more', sendAgain)).option(
      '--since <time>',
      'from then on, such as 2026-11-27T08:00Z; a day ago if left out',
      parseTime,
      new Date(terminal.clock.now() - DAY_MS),
    ),
    ofHome(command('revoke', 'end an enrolment of a home, and those before it, at every relay', revoke)),
  ];
}

async function homes(view: ClusterView, output: Output): Promise<void> {
  const all = await view.homes();
  output.answer(
    all,
    all.map(({ home, generation, waiting, oldest, lastSign, node, isAsking, isUnserved }) =>
      [
        `${home} ${String(generation)}:`,
        waiting === 0 ? 'nothing waits' : `${String(waiting)} since ${oldest ?? ''}`,
        isUnserved ? 'UNSERVED' : isAsking ? 'connected' : 'away',
        `last sign ${lastSign ?? 'never'}`,
        `on ${node ?? 'its node'}`,
      ]
        .join(', ')
        .replace(':,', ':'),
    ),
  );
}

async function missed(view: ClusterView, output: Output, seat: HomeFlags): Promise<void> {
  const events = await view.missed(seat);
  output.answer(
    events,
    events.map(({ position, at }) => `${at} (${String(position)})`),
  );
}

async function sendAgain(view: ClusterView, output: Output, { since, ...seat }: HomeFlags): Promise<void> {
  await view.sendAgain(seat, since);
  output.answer({ since: since.toISOString() }, [
    `The home gets its events since ${since.toISOString()} once more, and leaves those that it has.`,
  ]);
}

async function revoke(view: ClusterView, output: Output, { home, generation }: HomeFlags): Promise<void> {
  await view.revoke({ home, generation });
  output.answer({ home, generation }, [
    `Every relay refuses the home "${home}" up to generation ${String(generation)} from now on.`,
  ]);
}

function parseTime(text: string): Date {
  const at = new Date(text);
  if (Number.isNaN(at.getTime())) {
    throw new InvalidArgumentError('A time is written as 2026-11-27T08:00Z.');
  }
  return at;
}

const DEFAULT_CONFIG = '/etc/latchkey/relay.json';
const HIGHEST_GENERATION = 0xffff_ffff;

function parseHome(text: string): string {
  if (!homeName().safeParse(text).success) {
    throw new InvalidArgumentError('A home is named by up to 64 small letters, digits and -.');
  }
  return text;
}

function parseGeneration(text: string): number {
  const generation = Number(text);
  if (!/^[1-9]\d*$/u.test(text) || generation > HIGHEST_GENERATION) {
    throw new InvalidArgumentError('A generation is a whole number from 1 on.');
  }
  return generation;
}
