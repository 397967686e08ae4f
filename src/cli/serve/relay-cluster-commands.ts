// `latchkey relay homes`, `missed`, `send-again` and `revoke`: what an operator asks of a cluster.
import { Command, InvalidArgumentError } from 'commander';
import type { ClusterView } from '../../../relay/src/look-at-cluster.ts';
import { type End, inWords } from '../account/account-command.ts';
import { EXIT_STATUS } from '../terminal/exit-status.ts';
import type { Output, Terminal } from '../terminal/terminal.ts';
import { DEFAULT_CONFIG, parseGeneration, parseHome } from './relay-options.ts';

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

export function clusterCommands(terminal: Terminal, end: End): readonly Command[] {
  const command = (
    name: string,
    what: string,
    look: (view: ClusterView, output: Output, flags: HomeFlags) => Promise<void>,
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
            await withCluster(config, terminal.clock, async (view) => look(view, output, flags));
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
