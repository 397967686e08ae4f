// The files in `deploy`: held against the published rules of the Home Assistant Supervisor, and against the command line.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

const root = join(import.meta.dirname, '..', '..', '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const manifest = z.object({ version: z.string() }).parse(JSON.parse(read('package.json')));

const port = /^\d{1,5}\/(?:tcp|udp)$/u;

/**
 * The add-on configuration as the Supervisor validates it (home-assistant/supervisor, supervisor/addons/validate.py,
 * `_SCHEMA_ADDON_CONFIG`), restated for the members that are used here. A member that it does not know is removed silently,
 * so unknown ones are refused.
 */
const addonConfig = z.strictObject({
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
          'config',
          'ssl',
          'addons',
          'backup',
          'share',
          'media',
          'homeassistant_config',
          'all_addon_configs',
          'addon_config',
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

const addon = z
  .record(z.string(), z.unknown())
  .parse(JSON.parse(read('deploy/home-assistant/latchkey/config.json')));

describe('the Home Assistant add-on', () => {
  it('follows the rules of the Supervisor and carries the version of the package', () => {
    expect(addonConfig.safeParse(addon).error?.issues).toBeUndefined();
    expect(addon['version']).toBe(manifest.version);
  });

  it('describes every port, and asks for health where it is served', () => {
    const { ports, ports_description: described, watchdog } = addonConfig.parse(addon);
    expect(Object.keys(described ?? {})).toEqual(Object.keys(ports ?? {}));
    expect(watchdog).toContain(':18584]/healthz');
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

  it('are not started again with a configuration that cannot work', () => {
    expect(unit).toMatch(/^Restart=on-failure$/mu);
    expect(unit).toMatch(/^RestartPreventExitStatus=2$/mu);
  });
});
