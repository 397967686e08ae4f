#!/usr/bin/env node
// Entry point of `latchkey`: connects the command line to this process and holds no logic.
import { spawnSync } from 'node:child_process';
import { homedir } from 'node:os';
import { EXIT_STATUS, type ExitStatus } from '../cli/terminal/exit-status.ts';
import { watchOutput } from '../cli/terminal/output-trouble.ts';
import { type Terminal, TypedLines } from '../cli/terminal/terminal.ts';
import { setEnvironmentLanguage } from '../installation/language.ts';
import { nodeFault } from '../installation/node-fault.ts';
import { systemClock } from '../support/clock.ts';
import { systemRandom } from '../support/random.ts';

const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => stopping.abort(new Error('Stopped')));
}
const hungUp = new Set<() => void>();
process.on('SIGHUP', () => {
  // The terminal was closed; without a terminal, a service manager or a script asks for something.
  if (process.stdin.isTTY || hungUp.size === 0) {
    stopping.abort(new Error('Stopped'));
  }
  for (const listener of hungUp) {
    listener();
  }
});
const { unwritable } = watchOutput(process.stdout, process.stderr, () =>
  stopping.abort(new Error('The output is closed')),
);

const terminal: Terminal = {
  print: (text) => process.stdout.write(text),
  printError: (text) => process.stderr.write(text),
  readLine: new TypedLines(process.stdin).next,
  showTyping: (isShown) => {
    if (process.stdin.isTTY) {
      spawnSync('stty', [isShown ? 'echo' : '-echo'], { stdio: ['inherit', 'ignore', 'ignore'] });
    }
  },
  isErrorTty: process.stderr.isTTY,
  stopped: stopping.signal,
  onHangUp: (listener) => hungUp.add(listener),
  unwritable,
  environment: process.env,
  home: homedir(),
  clock: systemClock,
  random: systemRandom,
};

async function run(): Promise<ExitStatus> {
  try {
    setEnvironmentLanguage(process.env);
    // Loaded here, so that an outdated Node gets a readable message.
    const { runCommandLine } = await import('../cli/command-line.ts');
    const { addCommands } = await import('./commands.ts');
    addCommands();
    return await runCommandLine(process.argv.slice(2), terminal);
  } catch (error) {
    const fault = nodeFault(process.version);
    if (fault === null) {
      throw error;
    }
    terminal.printError(`${fault}\n`);
    return EXIT_STATUS.misused;
  }
}

// Clock timers are unreferenced, and a command may wait for nothing else.
// oxlint-disable-next-line no-restricted-globals -- it measures no time: it is a reason to live
const alive = setInterval(() => {}, 60_000);
try {
  process.exitCode = await run();
} finally {
  clearInterval(alive);
}
