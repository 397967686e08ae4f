// The checks that the Homebridge store makes of a plugin's tarball. Those that install it are in test/registry.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Fastify from 'fastify';
import { describe, expect, inject, it } from 'vitest';
import { z } from 'zod';

const https = z.url({ protocol: /^https$/ });
const names = z.record(z.string(), z.unknown()).default({});

const PLUGIN = 'homebridge-latchkey';
/** What Homebridge brings itself. A plugin that brings its own runs with another set of characteristics. */
const BROUGHT_BY_HOMEBRIDGE: ReadonlySet<string> = new Set([
  'homebridge',
  'hap-nodejs',
  '@homebridge/hap-nodejs',
]);

const manifestSchema = z.object({
  name: z.string(),
  version: z.string(),
  author: z.string(),
  homepage: https,
  bugs: z.object({ url: https }),
  keywords: z.array(z.string()),
  scripts: z.record(z.string(), z.string()),
  dependencies: names,
  optionalDependencies: names,
  peerDependencies: names,
  bundleDependencies: z.array(z.string()).default([]),
});
const schemaFile = z.object({
  pluginAlias: z.string(),
  pluginType: z.string(),
  schema: z.object({ type: z.literal('object'), properties: z.looseObject({ name: z.looseObject({}) }) }),
});
const unpacked = join(inject('packed').pluginsFolder, PLUGIN);
const manifest = manifestSchema.parse(readJson(join(unpacked, 'package.json')));

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'));
}

describe('the tarball, as the store looks at it', () => {
  it('names its home page and its issue tracker, by https', () => {
    expect(manifest.homepage).toMatch(/^https:/);
    expect(manifest.bugs.url).toMatch(/^https:\/\/github\.com\/[^/]+\/[^/]+\/issues$/);
  });

  it('has the keywords of a plugin that speaks HomeKit, and others', () => {
    expect(manifest.keywords).toEqual(expect.arrayContaining(['homebridge-plugin', 'supports-hap']));
    expect(manifest.keywords.length).toBeGreaterThan(2);
  });

  it('names its author', () => {
    expect(manifest.author).toBe('homebridge-latchkey maintainers');
  });

  it('has a square icon, as a drawing and as an image', () => {
    expect(readFileSync(join(unpacked, 'assets', 'icon.svg'), 'utf8')).toContain('viewBox="0 0 512 512"');
    const png = readFileSync(join(unpacked, 'assets', 'icon.png'));
    expect(png.subarray(1, 4).toString()).toBe('PNG');
    // Width and height stand in the first chunk.
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([512, 512]);
  });

  it('runs no script when it is installed (faults#76)', () => {
    const forbidden = /^(pre|post)?(un)?install$/;
    expect(Object.keys(manifest.scripts).filter((script) => forbidden.test(script))).toEqual([]);
  });

  it('declares nothing that Homebridge brings', () => {
    const declared = [
      ...Object.keys(manifest.dependencies),
      ...Object.keys(manifest.optionalDependencies),
      ...Object.keys(manifest.peerDependencies),
      ...manifest.bundleDependencies,
    ];
    expect(declared.filter((name) => BROUGHT_BY_HOMEBRIDGE.has(name))).toEqual([]);
  });

  it('has a changelog that names the version, with its date', () => {
    const changelog = readFileSync(join(unpacked, 'CHANGELOG.md'), 'utf8');
    expect(changelog).toMatch(new RegExp(`^## \\[${manifest.version}\\] - \\d{4}-\\d\\d-\\d\\d$`, 'm'));
  });

  it('has a settings form: a JSON Schema that compiles, of a platform, with a name', async () => {
    const form = schemaFile.parse(readJson(join(unpacked, 'config.schema.json')));
    expect(form.pluginAlias).toBe('Latchkey');
    expect(form.pluginType).toBe('platform');
    const app = Fastify({ ajv: { customOptions: { strict: false, allErrors: true } } });
    app.post('/', { schema: { body: form.schema } }, () => 'valid');
    try {
      const valid = await app.inject({ method: 'POST', url: '/', payload: { name: 'Latchkey' } });
      expect(valid.statusCode).toBe(200);
      const invalid = await app.inject({
        method: 'POST',
        url: '/',
        payload: { polling: { idleSeconds: 'soon' } },
      });
      expect(invalid.statusCode).toBe(400);
    } finally {
      await app.close();
    }
  });
});
