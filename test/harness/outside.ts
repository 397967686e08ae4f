// A house behind a router: the service, broker and relay run in another network, which only the house can call.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, type NetConnectOpts, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';

/** A network with loopback alone: nothing leads from it to the network of the tests. */
const APART = ['--net', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh'] as const;

/** Whether the system allows a second network. */
export const hasNetworks = spawnSync('unshare', [...APART, 'true'], { stdio: 'ignore' }).status === 0;

const described = z.object({
  /** `partner` of the platform block. */
  partner: z.record(z.string(), z.unknown()),
  controlUrl: z.url(),
  broker: z.url(),
  enrolment: z.string(),
  ports: z.array(z.number()),
});
const knocked = z.object({ isOpen: z.boolean() });

export type OutsideFacts = z.output<typeof described>;

export class Outside {
  readonly facts: OutsideFacts;
  readonly #child: ChildProcess;
  readonly #lines: AsyncIterator<string, undefined>;
  readonly #gates: readonly Server[];

  /** Its addresses are those of this machine: each of its ports has a gate at the same port of the house. */
  static async open(folder: string, relayBroker: 'mosquitto' | 'cluster' = 'mosquitto'): Promise<Outside> {
    const program = join(import.meta.dirname, 'outside-process.ts');
    const node = [process.execPath, '--disable-warning=ExperimentalWarning', program, folder, relayBroker];
    const child = spawn('unshare', [...APART, ...node], { stdio: ['pipe', 'pipe', 'inherit'] });
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const facts = described.parse(await nextOf(lines));
    const gates: Server[] = [];
    for (const port of facts.ports) {
      gates.push(await openGate({ host: '127.0.0.1', port }, { path: join(folder, `${String(port)}.sock`) }));
    }
    return new Outside(child, lines, facts, gates);
  }

  private constructor(
    child: ChildProcess,
    lines: AsyncIterator<string, undefined>,
    facts: OutsideFacts,
    gates: readonly Server[],
  ) {
    this.#child = child;
    this.#lines = lines;
    this.facts = facts;
    this.#gates = gates;
  }

  /** Whether a program out there reaches this port of the house. */
  async reaches(port: number): Promise<boolean> {
    this.#child.stdin?.write(`${String(port)}\n`);
    return knocked.parse(await nextOf(this.#lines)).isOpen;
  }

  /** Kills a node of the cluster that does not lead the stream. */
  async killNode(): Promise<void> {
    this.#child.stdin?.write('kill\n');
    await nextOf(this.#lines);
  }

  async close(): Promise<void> {
    for (const gate of this.#gates) {
      gate.close();
    }
    const exited = once(this.#child, 'exit');
    this.#child.stdin?.end();
    await exited;
  }
}

/** Passes connections on, as a router does for those that begin inside. Between networks it takes a socket in a folder. */
export async function openGate(
  at: string | { host: string; port: number },
  to: NetConnectOpts,
): Promise<Server> {
  const gate = createServer((from) => {
    const onward = connect(to);
    passOn(from, onward);
    passOn(onward, from);
  });
  gate.listen(at);
  await once(gate, 'listening');
  return gate;
}

function passOn(from: Socket, onward: Socket): void {
  from.setNoDelay(true);
  from.pipe(onward);
  from.on('error', () => onward.destroy());
  from.on('close', () => onward.destroy());
}

async function nextOf(lines: AsyncIterator<string, undefined>): Promise<unknown> {
  const line = await lines.next();
  if (line.done === true) {
    throw new Error('The world outside has ended');
  }
  return JSON.parse(line.value);
}
