// Starts and kills a panel in a process of its own, always at the same port.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from '../harness/free-port.ts';

export class KillablePanel {
  readonly port: number;
  /** The address of the running process: opens it logged in. */
  loginUrl = '';
  #child: ChildProcess | null = null;

  private constructor(port: number) {
    this.port = port;
  }

  static async start(): Promise<KillablePanel> {
    const panel = new KillablePanel(await freePort());
    await panel.restart();
    return panel;
  }

  async restart(): Promise<void> {
    await this.kill();
    const program = join(import.meta.dirname, 'panel-process.ts');
    const child = spawn(process.execPath, [program, String(this.port)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#child = child;
    const token = await new Promise<string>((resolve) => {
      createInterface(child.stdout).once('line', resolve);
    });
    this.loginUrl = `http://127.0.0.1:${String(this.port)}/#login=${token}`;
  }

  /** `SIGSTOP` makes it stand still with its connections open; `SIGCONT` lets it go on. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    this.#child?.kill(signal);
  }

  /** Ends the process without a close, as a crash does. Resolves when it is gone. */
  async kill(): Promise<void> {
    const child = this.#child;
    this.#child = null;
    if (child !== null) {
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    }
  }
}
