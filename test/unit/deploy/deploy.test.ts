// The files in `deploy`: held against the published rules of the Home Assistant Supervisor, and against the command line.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { readConfig } from '../../../src/config/read-config.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const manifest = z.object({ version: z.string() }).parse(JSON.parse(read('package.json')));

const port = /^\d{1,5}\/(?:tcp|udp)$/u;

/**
 * The configuration of an app as the Supervisor validates it (home-assistant/supervisor, supervisor/apps/validate.py,
 * `_SCHEMA_APP_CONFIG`; kinds of folders as developers.home-assistant.io lists them), restated for the members that are used here. A member that it does not know is removed silently,
 * so unknown ones are refused.
 */
const appConfig = z.strictObject({
  name: z.string().min(1),
  version: z.string().regex(/^[\w.+-]{1,100}$/u),
  slug: z.string().regex(/^[-_.A-Za-z0-9]+$/u),
  description: z.string().min(1),
  url: z.url().optional(),
  arch: z.array(z.enum(['aarch64', 'amd64'])).min(1),
  startup: z.enum(['initialize', 'system', 'services', 'application', 'once']).optional(),
  boot: z.enum(['auto', 'manual', 'manual_only']).optional(),
  init: z.boolean().optional(),
  stage: z.enum(['stable', 'experimental', 'deprecated']).optional(),
  map: z
    .array(
      z.strictObject({
        type: z.enum([
          'data',
          'homeassistant_config',
          'app_config',
          'all_app_configs',
          'local_apps',
          'ssl',
          'backup',
          'share',
          'media',
        ]),
        read_only: z.boolean().optional(),
        path: z.string().optional(),
      }),
    )
    .optional(),
  services: z.array(z.string().regex(/^(?:mqtt|mysql):(?:provide|want|need)$/u)).optional(),
  ports: z.record(z.string().regex(port), z.int().min(1).max(65_535).nullable()).optional(),
  ports_description: z.record(z.string().regex(port), z.string()).optional(),
  webui: z
    .string()
    .regex(/^(?:https?|\[PROTO:\w+\]):\/\/\[HOST\]:\[PORT:\d+\].*$/u)
    .optional(),
  watchdog: z
    .string()
    .regex(/^(?:https?|\[PROTO:\w+\]|tcp):\/\/\[HOST\]:(?:\[PORT:\d+\]|\d+).*$/u)
    .optional(),
  backup: z.enum(['hot', 'cold']).optional(),
  timeout: z.int().min(10).max(300).optional(),
  options: z.record(z.string(), z.unknown()).optional(),
  schema: z.union([z.record(z.string(), z.unknown()), z.literal(false)]).optional(),
});

const app = z
  .record(z.string(), z.unknown())
  .parse(JSON.parse(read('deploy/home-assistant/latchkey/config.json')));

describe('the Home Assistant app', () => {
  const dockerfile = read('deploy/home-assistant/latchkey/Dockerfile');

  it('follows the rules of the Supervisor and carries the version of the package', () => {
    expect(appConfig.safeParse(app).error?.issues).toBeUndefined();
    expect(app['version']).toBe(manifest.version);
  });

  it('describes every port, and asks for health where it is served', () => {
    const { ports, ports_description: described, watchdog } = appConfig.parse(app);
    expect(Object.keys(described ?? {})).toEqual(Object.keys(ports ?? {}));
    expect(watchdog).toContain(':18584]/healthz');
    expect(dockerfile).toContain('127.0.0.1:18584/healthz');
  });

  it('is stopped while it is backed up, since its database must not be written meanwhile', () => {
    expect(appConfig.parse(app).backup).toBe('cold');
  });

  it('takes what is entered on its page as the configuration of the account', () => {
    const options = z
      .looseObject({ partner: z.looseObject({}), panel: z.looseObject({}) })
      .parse(appConfig.parse(app).options);
    const details = {
      authUrl: 'https://auth.example.net',
      baseUrl: 'https://api.example.net',
      clientId: 'id',
      clientSecret: 'secret',
    };
    const mqtt = { homeAssistant: true, url: 'mqtt://core-mosquitto', username: 'addons', password: 'p' };
    const partner = { ...options.partner, ...details, subscriptionKeys: ['key'] };
    expect(readConfig({ ...options, partner, mqtt })).toMatchObject({
      ok: true,
      config: { panel: { host: '0.0.0.0' }, partner: { credentials: expect.anything() as unknown } },
    });
  });

  const given = (files: readonly string[]): string => {
    const here = temporaryFolder();
    const [, script = ''] = /^CMD \["sh", "-c", (".*")\]$/mu.exec(dockerfile) ?? [];
    for (const file of files) {
      mkdirSync(join(here, dirname(file)), { recursive: true });
      writeFileSync(join(here, file), '{}');
    }
    const line = String(JSON.parse(script))
      .replaceAll(/(?<=[ =])\/(?=config|data)/gu, `${here}/`)
      .replace('exec latchkey', 'echo');
    return spawnSync('sh', ['-c', line], { encoding: 'utf8' }).stdout.replaceAll(here, '').trim();
  };

  it.each([
    [['data/options.json'], '/data/options.json'],
    [['data/options.json', 'config/latchkey.json'], '/config/latchkey.json'],
  ])('with the files %j reads %s', (files, file) => {
    expect(given(files)).toBe(`serve --config ${file} --storage /data --status-host 0.0.0.0 --print-login`);
  });
});

describe('the container and the unit', () => {
  const dockerfile = read('deploy/docker/Dockerfile');
  const unit = read('deploy/systemd/latchkey.service');

  it('run as another user than root, and never from a folder that others may read', () => {
    expect(dockerfile).toMatch(/^USER node$/mu);
    expect(dockerfile).toContain('install -d -m 700 -o node -g node /var/lib/latchkey');
    expect(unit).toMatch(/^DynamicUser=yes$/mu);
    expect(unit).toMatch(/^StateDirectoryMode=0700$/mu);
  });

  it('ask for health at the port of the command line', () => {
    expect(read('src/cli/serve/serve-command.ts')).toContain('18_584');
    expect(dockerfile).toContain('127.0.0.1:18584/healthz');
    expect(dockerfile).toMatch(/^EXPOSE 18581 18582 18584$/mu);
  });

  it('are built without what git leaves out, and without git itself', () => {
    const leftOut = read('.dockerignore').split('\n');
    const ofGit = read('.gitignore').split('\n').filter(Boolean);
    expect(leftOut).toContain('.git');
    const missing = ofGit
      .map((line) => line.replace(/\/$/u, ''))
      .filter((line) => !leftOut.includes(line) && !leftOut.includes(`**/${line}`));
    expect(missing).toEqual([]);
  });

  it('are not started again with a configuration that cannot work', () => {
    expect(unit).toMatch(/^Restart=on-failure$/mu);
    expect(unit).toMatch(/^RestartPreventExitStatus=2$/mu);
  });
});
