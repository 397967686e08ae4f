// The Matter SDK's own controller, behind the server that Home Assistant uses: commissions a bridge, reads, writes, commands.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TestCert_PAA_NoVID_Cert } from '@matter/main/protocol';
import { z } from 'zod';
import { freePort } from '../harness/free-port.ts';
import type { MatterBridge } from '../harness/matter-home.ts';
import { Conversation, type Message } from './conversation.ts';
import { HOME_NETWORK } from './network-setup.ts';
import { Program } from './program.ts';
import { MATTER_SERVER, pythonOf } from './programs.ts';

const STARTED_WITHIN_MS = 60_000;

/** Numbers of clusters (Matter). */
export const DOOR_LOCK = 0x0101;
const BRIDGED_INFORMATION = 0x0039;

const node = z.object({ node_id: z.number(), attributes: z.record(z.string(), z.unknown()) });

const nodeEvent = z.object({
  endpoint_id: z.number(),
  cluster_id: z.number(),
  event_id: z.number(),
  event_number: z.number(),
  data: z.record(z.string(), z.unknown()).nullish(),
});
export type NodeEvent = z.output<typeof nodeEvent>;

export class MatterServer {
  /** Every event of the bridge, and every change of an attribute, in the order of their arrival. */
  readonly events: NodeEvent[] = [];
  readonly changes: { readonly path: string; readonly value: unknown }[] = [];
  /** Where Home Assistant finds it. */
  readonly url: string;
  readonly #program: Program;
  #conversation: Conversation | null = null;
  #nodeId = 0;

  static async start(folder: string): Promise<MatterServer> {
    const port = await freePort();
    const roots = join(folder, 'roots');
    mkdirSync(roots, { recursive: true });
    // matter.js is its own test manufacturer. Without the second file the server empties the folder.
    writeFileSync(join(roots, 'test.der'), new Uint8Array(TestCert_PAA_NoVID_Cert as Uint8Array));
    writeFileSync(join(roots, '.version'), '1');
    const options = {
      '--storage-path': folder,
      '--paa-root-cert-dir': roots,
      '--port': String(port),
      '--listen-address': '127.0.0.1',
      '--primary-interface': HOME_NETWORK,
    };
    const program = new Program(pythonOf(MATTER_SERVER), [
      '-m',
      'matter_server.server',
      ...Object.entries(options).flat(),
      '--disable-server-interactions',
    ]);
    const server = new MatterServer(program, `ws://127.0.0.1:${String(port)}/ws`);
    try {
      await program.line(/Matter Server successfully initialized/, STARTED_WITHIN_MS);
      await server.#converse();
    } catch (error) {
      await server.close();
      throw error;
    }
    return server;
  }

  private constructor(program: Program, url: string) {
    this.#program = program;
    this.url = url;
  }

  get log(): readonly string[] {
    return this.#program.lines;
  }

  /** Adds the bridge as an app does, found by its announcement; the number by which the server knows it. */
  async commission({ passcode }: MatterBridge): Promise<void> {
    this.#nodeId = node.parse(
      await this.#result('commission_on_network', { setup_pin_code: passcode }),
    ).node_id;
  }

  /** Every attribute of the bridge, read anew, by `endpoint/cluster/attribute`. */
  async readAll(): Promise<ReadonlyMap<string, unknown>> {
    return this.read('*/*/*');
  }

  async read(path: string): Promise<ReadonlyMap<string, unknown>> {
    const values = await this.#result('read_attribute', { node_id: this.#nodeId, attribute_path: path });
    return new Map(Object.entries(z.record(z.string(), z.unknown()).parse(values)));
  }

  /** The endpoint of the lock with that name. */
  async endpointOf(name: string): Promise<number> {
    const labels = await this.read(`*/${String(BRIDGED_INFORMATION)}/5`);
    const found = [...labels].find(([, label]) => label === name);
    if (found === undefined) {
      throw new Error(`Matter shows no ${name}: ${JSON.stringify([...labels.values()])}`);
    }
    return Number(found[0].split('/')[0]);
  }

  /** The server's answer to a write: the status of each attribute stands in it. */
  async write(path: string, value: unknown): Promise<Message> {
    return this.#ask('write_attribute', { node_id: this.#nodeId, attribute_path: path, value });
  }

  /** The answer to a command of the lock cluster; a refusal has `error_code` and `details`. */
  async command(endpoint: number, name: string, payload: Message = {}): Promise<Message> {
    return this.#ask('device_command', {
      node_id: this.#nodeId,
      endpoint_id: endpoint,
      cluster_id: DOOR_LOCK,
      command_name: name,
      payload,
      timed_request_timeout_ms: 5_000,
    });
  }

  async close(): Promise<void> {
    this.#conversation?.close();
    // The SDK hangs at its end.
    await this.#program.kill();
  }

  async #converse(): Promise<void> {
    this.#conversation = await Conversation.open(this.url, 'message_id', (news) => {
      this.#hear(news);
    });
    await this.#result('start_listening', {});
  }

  #hear({ event, data }: Message): void {
    if (event === 'node_event') {
      this.events.push(nodeEvent.parse(data));
    } else if (event === 'attribute_updated' && Array.isArray(data)) {
      const [, path, value] = data as [unknown, unknown, unknown];
      this.changes.push({ path: String(path), value });
    }
  }

  async #result(command: string, args: Message): Promise<unknown> {
    const answer = await this.#ask(command, args);
    if (answer['error_code'] !== undefined) {
      throw new Error(`${command}: ${JSON.stringify(answer)}\n${this.log.slice(-20).join('\n')}`);
    }
    return answer['result'];
  }

  async #ask(command: string, args: Message): Promise<Message> {
    if (this.#conversation === null) {
      throw new Error('The Matter server is not running');
    }
    return this.#conversation.ask({ command, args });
  }
}
