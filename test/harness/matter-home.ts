// A home as a Matter ecosystem sees it: a real controller with a fabric of its own, commissioned over loopback.
import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type ClientNode,
  ControllerBehavior,
  Crypto,
  type Endpoint,
  Environment,
  Logger,
  NetworkClient,
  ServerNode,
} from '@matter/main';
import { AdministratorCommissioningClient } from '@matter/main/behaviors/administrator-commissioning';
import { BridgedDeviceBasicInformationClient } from '@matter/main/behaviors/bridged-device-basic-information';
import { DoorLockClient } from '@matter/main/behaviors/door-lock';
import { PowerSourceClient } from '@matter/main/behaviors/power-source';
import { PaseClient } from '@matter/main/protocol';
import { StatusResponseError } from '@matter/main/types';
import { z } from 'zod';
import { within } from './deadline.ts';
import type { Installation } from './homebridge.ts';

/** Where a bridge can be commissioned, and with which passcode. */
export interface MatterBridge {
  readonly port: number;
  readonly passcode: number;
}

/** A report to a controller: an attribute's new value, or an event. */
export interface MatterReport {
  readonly lock: string;
  readonly name: string;
  readonly value: unknown;
  /** Milliseconds of `performance.now()`. */
  readonly at: number;
}

type UserCommand =
  | 'getUser'
  | 'setUser'
  | 'clearUser'
  | 'getCredentialStatus'
  | 'setCredential'
  | 'clearCredential';

const SUBSCRIBED_WITHIN_MS = 120_000;

const credentials = z.object({ passcode: z.number() });

/** How the bridge of an installation can be commissioned for the first time: Homebridge keeps its passcode in a file. */
export function matterBridgeOf({ storeFolder, bridge }: Installation): MatterBridge {
  const folder = join(storeFolder, 'matter');
  const [node] = readdirSync(folder);
  if (node === undefined || bridge.matter === undefined) {
    throw new Error('Matter is not on');
  }
  const text = readFileSync(join(folder, node, 'credentials.json'), 'utf8');
  return { port: bridge.matter.port, passcode: credentials.parse(JSON.parse(text)).passcode };
}

/** One lock, as a controller has it. */
export class MatterLock {
  readonly name: string;
  readonly #home: MatterHome;

  constructor(home: MatterHome, name: string) {
    this.#home = home;
    this.name = name;
  }

  /** Reads the state from the bridge: 1 locked, 2 unlocked, null unknown. */
  async read(): Promise<number | null | undefined> {
    const { lockState } = await this.#endpoint.getStateOf(DoorLockClient, ['lockState']);
    return lockState;
  }

  /** The reports of the subscription so far. */
  get state(): number | null {
    return this.#endpoint.stateOf(DoorLockClient).lockState;
  }

  /** Whether controllers are to send a PIN; undefined without the feature. */
  get requiresPin(): unknown {
    return this.#endpoint.maybeStateOf('doorLock')?.['requirePinForRemoteOperation'];
  }

  get information(): Readonly<Record<string, unknown>> {
    return { ...this.#endpoint.stateOf(BridgedDeviceBasicInformationClient) };
  }

  /** The number of its endpoint, by which apps know it. */
  get number(): number {
    return this.#endpoint.number;
  }

  get battery(): Readonly<Record<string, unknown>> {
    return { ...this.#endpoint.stateOf(PowerSourceClient) };
  }

  /** The status of the answer: 0 when the command was taken. */
  async command(name: 'lockDoor' | 'unlockDoor', pin?: string): Promise<number> {
    const request = pin === undefined ? {} : { pinCode: new TextEncoder().encode(pin) };
    return statusOf(async () => this.#endpoint.commandsOf(DoorLockClient)[name](request));
  }

  /** Writes an attribute of the lock: 0 when it was taken, else the status. */
  async write(attribute: string, value: unknown): Promise<number> {
    return statusOf(async () => this.#endpoint.setStateOf('doorLock', { [attribute]: value }));
  }

  /** The answer to a command for the users of the lock, or the status of its refusal and that of the cluster. */
  async userCommand(name: UserCommand, request: object): Promise<unknown> {
    try {
      return await this.#endpoint.commandsOf('doorLock')[name]?.(request);
    } catch (error) {
      if (error instanceof StatusResponseError) {
        return { refused: error.code, cluster: error.clusterCode };
      }
      throw error;
    }
  }

  get features(): unknown {
    return this.#endpoint.maybeStateOf('doorLock')?.['featureMap'];
  }

  /** The names of the attributes that the lock has. */
  get attributes(): readonly string[] {
    return Object.keys(this.#endpoint.maybeStateOf('doorLock') ?? {});
  }

  /** Calls a command that the lock need not offer. */
  async unlockWithTimeout(): Promise<number> {
    return statusOf(async () => this.#endpoint.commandsOf(DoorLockClient).unlockWithTimeout({ timeout: 5 }));
  }

  /** The name that a person of this app gave the lock: written to it, and read from it. */
  async label(name: string): Promise<void> {
    await this.#endpoint.setStateOf(BridgedDeviceBasicInformationClient, { nodeLabel: name });
  }

  /** Resolves with the first report of that name, past or to come, that `isIt` accepts. */
  async reported(name: string, isIt: (value: unknown) => boolean, withinMs = 60_000): Promise<MatterReport> {
    return this.#home.received(
      (report) => report.lock === this.name && report.name === name && isIt(report.value),
      {
        withinMs,
        what: `${name} of ${this.name}`,
      },
    );
  }

  get #endpoint(): Endpoint {
    return this.#home.endpointOf(this.name);
  }
}

/** 0 when it was done, else the status of the refusal. */
async function statusOf(work: () => Promise<unknown>): Promise<number> {
  try {
    await work();
    return 0;
  } catch (error) {
    if (error instanceof StatusResponseError) {
      return error.code;
    }
    throw error;
  }
}

export class MatterHome {
  readonly reports: MatterReport[] = [];
  readonly #controller: ServerNode;
  readonly #peer: ClientNode;
  readonly #waiting = new Set<(report: MatterReport) => void>();
  readonly #followed = new Set<Endpoint>();

  /** Commissions the bridge into a new fabric. `folder`: for what the controller keeps. */
  static async join(bridge: MatterBridge, folder: string): Promise<MatterHome> {
    Logger.level = 'error';
    const id = `controller-${randomUUID().slice(0, 8)}`;
    // Nothing of a test is to be seen, or looked for, beyond this machine.
    Environment.default.vars.set('mdns.networkInterface', 'lo');
    const environment = new Environment(id, Environment.default);
    environment.vars.set('storage.path', join(folder, id));
    environment.vars.set('path.root', join(folder, id));
    const controller = await ServerNode.create(ServerNode.RootEndpoint.with(ControllerBehavior), {
      id,
      environment,
      controller: { adminFabricLabel: id.slice(0, 32) },
      network: { port: 0, listeningAddressIpv4: '127.0.0.1', listeningAddressIpv6: '::1' },
    });
    await controller.start();
    const address = { type: 'udp', ip: '::1', port: bridge.port } as const;
    const peer = await controller.peers.forDescriptor({ addresses: [address] });
    await peer.commission({ passcode: bridge.passcode });
    await subscribed(peer);
    return new MatterHome(controller, peer);
  }

  private constructor(controller: ServerNode, peer: ClientNode) {
    this.#controller = controller;
    this.#peer = peer;
    this.follow();
  }

  get locks(): string[] {
    return this.#locks().map(nameOf);
  }

  lock(name: string): MatterLock {
    return new MatterLock(this, name);
  }

  /** For a lock: everything else names it. */
  endpointOf(name: string): Endpoint {
    const found = this.#locks().find((endpoint) => nameOf(endpoint) === name);
    if (found === undefined) {
      throw new Error(`Matter shows no ${name}, only ${this.locks.join(', ')}`);
    }
    return found;
  }

  /** Listens to locks that have come since it was last called. */
  follow(): void {
    for (const endpoint of this.#locks().filter((candidate) => !this.#followed.has(candidate))) {
      this.#followed.add(endpoint);
      const lock = nameOf(endpoint);
      const hear =
        (name: string) =>
        (value: unknown): void => {
          this.#hear({ lock, name, value, at: performance.now() });
        };
      const door = endpoint.eventsOf(DoorLockClient);
      door.lockState$Changed.on(hear('lockState'));
      door.lockOperation.on(hear('lockOperation'));
      door.lockOperationError.on(hear('lockOperationError'));
      door.doorLockAlarm.on(hear('doorLockAlarm'));
      endpoint.eventsOf(BridgedDeviceBasicInformationClient).reachable$Changed.on(hear('reachable'));
    }
  }

  async received(
    isIt: (report: MatterReport) => boolean,
    { withinMs, what }: { readonly withinMs: number; readonly what: string },
  ): Promise<MatterReport> {
    const known = this.reports.find(isIt);
    if (known !== undefined) {
      return known;
    }
    const { promise, resolve } = Promise.withResolvers<MatterReport>();
    const look = (report: MatterReport): void => {
      if (isIt(report)) {
        resolve(report);
      }
    };
    this.#waiting.add(look);
    return within(
      promise,
      withinMs,
      () => `Matter did not tell ${what}: ${JSON.stringify(this.reports, plain)}`,
    ).finally(() => this.#waiting.delete(look));
  }

  /** Lets another ecosystem in, as the owner of a home does in an app. */
  async invite(bridge: MatterBridge): Promise<MatterBridge> {
    const passcode = 20_202_021;
    const pbkdf = { iterations: 1_000, salt: randomBytes(32) };
    const verifier: unknown = await PaseClient.generatePakePasscodeVerifier(
      this.#controller.env.get(Crypto),
      passcode,
      pbkdf,
    );
    if (!(verifier instanceof Uint8Array)) {
      throw new TypeError('matter.js made no verifier');
    }
    await this.#peer.commandsOf(AdministratorCommissioningClient).openCommissioningWindow({
      commissioningTimeout: 180,
      pakePasscodeVerifier: verifier,
      discriminator: randomInt(4_096),
      iterations: pbkdf.iterations,
      salt: pbkdf.salt,
    });
    return { ...bridge, passcode };
  }

  async close(): Promise<void> {
    await this.#controller.close();
  }

  #locks(): Endpoint[] {
    return [...this.#peer.endpoints].filter((endpoint) => endpoint.behaviors.has(DoorLockClient));
  }

  #hear(report: MatterReport): void {
    this.reports.push(report);
    for (const look of this.#waiting) {
      look(report);
    }
  }
}

/**
 * matter.js subscribes in the background once it has commissioned. The first report carries every attribute, and changes are
 * reported only after it: with 149 locks that takes seconds.
 */
async function subscribed(peer: ClientNode): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  peer.eventsOf(NetworkClient).subscriptionStatusChanged.on((isActive) => {
    if (isActive) {
      resolve(undefined);
    }
  });
  if (await peer.act((agent) => agent.get(NetworkClient).subscriptionActive === true)) {
    resolve(undefined);
  }
  await within(promise, SUBSCRIBED_WITHIN_MS, () => 'The controller could not subscribe');
}

function nameOf(endpoint: Endpoint): string {
  return endpoint.stateOf(BridgedDeviceBasicInformationClient).nodeLabel ?? '';
}

function plain(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value;
}
