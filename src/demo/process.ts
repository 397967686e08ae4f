// Runs the simulated service of the demo as a process of its own, which ends when this one does, however that ends.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { message } from '../domain/language/message.ts';
import { RetryError } from '../support/errors.ts';
import { packageRoot } from '../support/files/package-root.ts';
import { askSimulator } from './ask-simulator.ts';

/** A running service, or one that starts. */
export interface DemoProcess {
  /** The line that describes the service; null when it ended before it ran. */
  readonly introduction: Promise<string | null>;
  readonly ended: Promise<void>;
  end(): void;
}

/** The system calls that the demo needs. */
export interface DemoSystem {
  /** `port`: 0 takes a free one. */
  start(port: number): DemoProcess;
  /** Opens the consent page, which consents by itself. Resolves with the address that a browser would be sent to. */
  consent(authorizeUrl: string): Promise<string>;
}

export const demoSystem: DemoSystem = { start: startProcess, consent: followConsent };

function startProcess(port: number): DemoProcess {
  const isSource = import.meta.filename.endsWith('.ts');
  const program = join(
    packageRoot(),
    ...(isSource ? ['src', 'start', 'cli.ts'] : ['dist', 'cli', 'main.js']),
  );
  const options = ['--scenario', 'demo', '--port', String(port), '--until-input-ends'];
  const child = spawn(process.execPath, [program, 'simulate', ...options], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  // Writing to a process that has ended fails; `ended` reports that.
  child.stdin.on('error', () => {});
  const introduction = Promise.withResolvers<string | null>();
  const ended = Promise.withResolvers<void>();
  createInterface({ input: child.stdout }).once('line', introduction.resolve);
  // A process that could not be started has no `close`.
  for (const end of ['close', 'error'] as const) {
    child.once(end, () => {
      introduction.resolve(null);
      ended.resolve();
    });
  }
  return {
    introduction: introduction.promise,
    ended: ended.promise,
    end: () => {
      child.stdin.end();
      child.kill('SIGTERM');
    },
  };
}

async function followConsent(authorizeUrl: string): Promise<string> {
  const { location } = (await askSimulator(authorizeUrl)).headers;
  if (location === undefined) {
    throw new RetryError('unreachable', message('The simulated service did not give its consent.'));
  }
  return location;
}
