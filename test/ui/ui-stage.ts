// Everything that a person and a browser find before them: a simulator, a fresh Homebridge with its UI, and the plugin installed.

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Page } from 'playwright-core';
import { z } from 'zod';
import type { PartnerClient } from '../../simulator/src/auth/partner-client.ts';
import { type Simulator, startSimulator } from '../../simulator/src/partner-server.ts';
import type { Scenario } from '../../simulator/src/scenario/scenario.ts';
import { CHROMIUM } from '../browser/chromium.ts';
import { Visitor } from '../browser/visitor.ts';
import { freePort } from '../harness/free-port.ts';
import { control, partnerOptions } from '../stand-ins/service/simulated.ts';
import { HomebridgeUi, obstacle } from './homebridge-ui.ts';
import type { SettingsWindow } from './settings-window.ts';

const tokens = z.object({ access_token: z.string(), refresh_token: z.string() });
const sent = z.array(
  z.object({ url: z.string(), body: z.string().nullable(), answer: z.string().nullable() }),
);

/** Why nothing can be tried here, or null. */
export const WHY_NOT: string | null =
  CHROMIUM === undefined
    ? 'there is no Chromium: install one, or name its program in the environment variable CHROMIUM'
    : obstacle();

export interface UiStageOptions {
  /** The folder of the unpacked tarball. */
  readonly plugin: string;
  readonly simulatorPort?: number;
  readonly scenario?: Scenario;
  /** What is set in the Homebridge UI. */
  readonly language?: string;
  /** Somebody has written the partner into config.json with a dashboard, and the service asks nobody before it links. */
  readonly isConfigured?: boolean;
}

/** The person of the simulator's default house who owns all three locks. */
const RESIDENT = 'resident';

export class UiStage {
  readonly ui: HomebridgeUi;
  readonly simulator: Simulator;
  readonly visitor: Visitor;
  readonly #folder: string;

  static async open(options: UiStageOptions): Promise<UiStage> {
    const { plugin, simulatorPort = 0, scenario, language, isConfigured = false } = options;
    const folder = mkdtempSync(join(tmpdir(), 'latchkey-ui-'));
    const simulator = await startSimulator({
      port: simulatorPort,
      ...(scenario === undefined ? {} : { scenario }),
      ...(isConfigured ? { authorization: { autoApproveUserId: RESIDENT } } : {}),
    });
    const panel = { enabled: true, host: '127.0.0.1', port: await freePort() };
    const written = { platform: 'Latchkey', name: 'Latchkey', partner: partnerOptions(simulator), panel };
    const blocks = isConfigured ? [written] : [];
    const ui = await HomebridgeUi.install(folder, plugin, language, blocks);
    const runtime = new UiStage(folder, ui, simulator, await Visitor.arrive());
    try {
      await ui.start();
      return runtime;
    } catch (error) {
      await runtime.close();
      throw error;
    }
  }

  private constructor(folder: string, ui: HomebridgeUi, simulator: Simulator, visitor: Visitor) {
    this.#folder = folder;
    this.ui = ui;
    this.simulator = simulator;
    this.visitor = visitor;
  }

  /** The partner's client, whose secrets a person types. */
  get client(): PartnerClient {
    const [client] = this.simulator.clients;
    if (client === undefined) {
      throw new Error('The simulator has no client');
    }
    return client;
  }

  async typeCredentials(window: SettingsWindow): Promise<void> {
    const { clientId, clientSecret, subscriptionKeys } = this.client;
    await window.fill('Client ID', clientId);
    await window.fill('Client secret', clientSecret);
    await window.fill('Subscription key', subscriptionKeys[0] ?? '');
    await window.fill('Second subscription key (optional)', subscriptionKeys[1] ?? '');
  }

  /** One call of the simulator's control API. */
  async happens(path: string, details: Readonly<Record<string, unknown>> = {}): Promise<void> {
    await control(this.simulator.controlUrl, path, details);
  }

  /** The secrets that may stand in the database alone, by their names. */
  async secrets(): Promise<ReadonlyMap<string, string>> {
    const { clientSecret, subscriptionKeys } = this.client;
    const found = new Map([
      ['the client secret', clientSecret],
      ['the first subscription key', subscriptionKeys[0] ?? ''],
      ['the second subscription key', subscriptionKeys[1] ?? ''],
      ['an e-mail address', 'resident@home.example'],
    ]);
    const answer = await fetch(`${this.simulator.controlUrl}/requests`);
    for (const { url, body, answer: issued } of sent.parse(await answer.json())) {
      const pair = url.includes('/token') ? tokens.safeParse(JSON.parse(issued ?? 'null')) : undefined;
      if (pair?.success === true) {
        found.set('an access token', pair.data.access_token).set('a refresh token', pair.data.refresh_token);
        found.set('an authorization code', new URLSearchParams(body ?? '').get('code') ?? '');
      }
    }
    return found;
  }

  /** Where a secret was found beside the database: in files of Homebridge, in its log, or in what pages held. */
  async leaks(window: SettingsWindow): Promise<readonly string[]> {
    const secrets = [...(await this.secrets())].filter(([, secret]) => secret !== '');
    const hitsIn = (text: string, where: string): readonly string[] =>
      secrets.filter(([, secret]) => text.includes(secret)).map(([name]) => `${name} in ${where}`);
    const files = readdirSync(this.ui.folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.startsWith('latchkey.db'))
      .map((entry) => join(entry.parentPath, entry.name));
    return [
      ...files.flatMap((path) => hitsIn(readFileSync(path, 'latin1'), basename(path))),
      ...hitsIn(this.ui.log, 'the log'),
      ...window.contents.flatMap((content) => hitsIn(content, 'a page')),
    ];
  }

  async close(): Promise<void> {
    try {
      await this.visitor.goHome();
      await this.ui.stop();
    } finally {
      await this.simulator.close();
      rmSync(this.#folder, { recursive: true, force: true });
    }
  }
}

/** The act of a person on the service's page. */
export async function allow(tab: Page): Promise<void> {
  await tab.getByRole('button', { name: 'Allow' }).click();
}
