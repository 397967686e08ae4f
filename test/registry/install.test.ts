// Installs the packed plugin from the npm registry, as the Homebridge store and users do: `npm run test:package` only.
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { z } from 'zod';

const run = promisify(execFile);

const PLUGIN = 'homebridge-latchkey';
/** What Homebridge brings itself. A plugin that brings its own runs with another set of characteristics. */
const BROUGHT_BY_HOMEBRIDGE = ['homebridge', 'hap-nodejs', '@homebridge/hap-nodejs'];

/** Ceilings that the package promises its users. */
const MOST_PACKAGES = 80;
const MOST_MEGABYTES = 40;

const REGISTRY_ANSWERS_WITHIN_MS = 20_000;
const INSTALLED_WITHIN_MS = 110_000;
const NO_AUDIT = 'the npm registry gives no advisories';

const manifestSchema = z.object({ engines: z.object({ node: z.string(), homebridge: z.string() }) });
const installedLock = z.object({
  packages: z.record(z.string(), z.object({ hasInstallScript: z.boolean().default(false) })),
});
/** npm prints one version as text and several as a list. */
const versions = z.union([z.string().transform((version) => [version]), z.array(z.string())]);
const audit = z.object({
  metadata: z.object({ vulnerabilities: z.object({ high: z.number(), critical: z.number() }) }),
});

const packed = inject('packed');
const manifest = manifestSchema.parse(readJson(join(packed.pluginsFolder, PLUGIN, 'package.json')));

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'));
}

async function npm(folder: string, withinMs: number, ...args: readonly string[]): Promise<string> {
  const { stdout } = await run('npm', [...args, '--fetch-retries=0', '--no-update-notifier'], {
    cwd: folder,
    timeout: withinMs,
    maxBuffer: 64 * 1024 * 1024,
  });
  return stdout;
}

/** Every version of a package in this range, oldest first. */
async function versionsOf(folder: string, name: string, range: string): Promise<readonly string[]> {
  const answer = await npm(
    folder,
    REGISTRY_ANSWERS_WITHIN_MS,
    'view',
    `${name}@${range}`,
    'version',
    '--json',
  );
  return versions.parse(JSON.parse(answer));
}

describe('the tarball, installed in an empty project', () => {
  let project: string;

  beforeAll(async () => {
    project = mkdtempSync(join(tmpdir(), 'latchkey-store-'));
    writeFileSync(join(project, 'package.json'), JSON.stringify({ private: true, name: 'empty-project' }));
    await npm(
      project,
      INSTALLED_WITHIN_MS,
      'install',
      packed.tarball,
      '--engine-strict',
      '--ignore-scripts',
      '--no-audit',
    );
  });

  afterAll(() => {
    rmSync(project, { recursive: true, force: true });
  });

  const inProject = (...path: readonly string[]): string => join(project, 'node_modules', ...path);
  const packages = (): readonly (readonly [string, boolean])[] =>
    Object.entries(installedLock.parse(readJson(inProject('.package-lock.json'))).packages).map(
      ([path, { hasInstallScript }]) => [path, hasInstallScript] as const,
    );
  const files = (): readonly string[] =>
    readdirSync(inProject(), { recursive: true, encoding: 'utf8' }).map((file) => inProject(file));

  it('exports one function, which registers the platform that the settings form names', async () => {
    const program = `
      const { default: initialize } = await import('${PLUGIN}');
      initialize({ registerPlatform: (...names) => console.log(JSON.stringify(names.slice(0, 2))) });
    `;
    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program], {
      cwd: project,
    });
    expect(JSON.parse(stdout)).toEqual([PLUGIN, 'Latchkey']);
  });

  it('leaves nothing behind when it is only imported: no timer, no socket, no file', async () => {
    const before = readdirSync(project);
    const program = `await import('${PLUGIN}'); console.log(process.getActiveResourcesInfo().filter((what) => !/Pipe|TTY|FSReq/.test(what)).length)`;
    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program], {
      cwd: project,
    });
    expect(stdout.trim()).toBe('0');
    expect(readdirSync(project)).toEqual(before);
  });

  it(`brings at most ${MOST_PACKAGES} packages and ${MOST_MEGABYTES} MB`, () => {
    expect(packages().length).toBeGreaterThan(1);
    expect(packages().length).toBeLessThanOrEqual(MOST_PACKAGES);
    const bytes = files()
      .map((file) => statSync(file))
      .filter((stats) => stats.isFile())
      .reduce((sum, { size }) => sum + size, 0);
    expect(bytes / 1e6).toBeLessThanOrEqual(MOST_MEGABYTES);
  });

  it('brings no script that runs when it is installed, and no native code (faults#76)', () => {
    expect(packages().filter(([, hasInstallScript]) => hasInstallScript)).toEqual([]);
    expect(files().filter((file) => /\.node$|\/binding\.gyp$/.test(file))).toEqual([]);
  });

  it('pulls in nothing that Homebridge brings', () => {
    expect(BROUGHT_BY_HOMEBRIDGE.filter((name) => existsSync(inProject(name)))).toEqual([]);
  });

  it('fits the newest Homebridge, and the newest Node of every line that Homebridge supports', async () => {
    const view = async (what: string): Promise<string> =>
      (await npm(project, REGISTRY_ANSWERS_WITHIN_MS, 'view', 'homebridge', what)).trim();
    expect(await versionsOf(project, 'homebridge', manifest.engines.homebridge)).toContain(
      await view('version'),
    );
    const supported = (await view('engines.node')).split('||').map((range) => range.trim());
    const fitting = await versionsOf(project, 'node', manifest.engines.node);
    for (const range of supported) {
      const newest = (await versionsOf(project, 'node', range)).at(-1);
      expect(newest, `Node ${range}`).toSatisfy((version: string) => fitting.includes(version));
    }
  });

  it('has no advisory of high severity among what it brings (faults#76)', async ({ skip }) => {
    const report = await npm(project, REGISTRY_ANSWERS_WITHIN_MS, 'audit', '--json').catch(
      (error: { readonly stdout?: string }) => error.stdout ?? '',
    );
    const found = audit.safeParse(report === '' ? null : JSON.parse(report));
    skip(!found.success, NO_AUDIT);
    expect(found.data?.metadata.vulnerabilities).toMatchObject({ high: 0, critical: 0 });
  });
});
