// The published package: exactly the listed files, within its promised limits.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'oxc-parser';
import { describe, expect, inject, it } from 'vitest';
import { z } from 'zod';

const root = join(import.meta.dirname, '..', '..');
const manifest = z
  .object({
    name: z.string(),
    keywords: z.array(z.string()),
    homepage: z.url({ protocol: /^https$/ }),
    bugs: z.object({ url: z.url({ protocol: /^https$/ }) }),
    scripts: z.record(z.string(), z.string()),
    dependencies: z.record(z.string(), z.string()),
  })
  .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));

/** What the store's reviewers look through; every file costs Homebridge's machine a moment to unpack. Six languages are 30 of them. */
const FILES_BELOW = 260;

/** The packages that the files of a folder import by name, without Node's own. */
function packagesOf(folder: string): ReadonlySet<string> {
  const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
  const sources = files.filter((file) => /\.tsx?$/.test(file)).map((file) => join(root, folder, file));
  const imported = sources.flatMap((path) => {
    const { staticImports, staticExports } = parseSync(path, readFileSync(path, 'utf8')).module;
    const imports = staticImports
      .filter(({ entries }) => entries.length === 0 || entries.some(({ isType }) => !isType))
      .map(({ moduleRequest }) => moduleRequest.value);
    const exports = staticExports.flatMap(({ entries }) =>
      entries.map((entry) => entry.moduleRequest?.value ?? ''),
    );
    return imports.concat(exports);
  });
  return new Set(imported.flatMap((name) => /^(?!node:)(?:@[\w-]+\/)?[a-z][\w.-]*/.exec(name) ?? []));
}

describe('the tarball', () => {
  it('holds the files of files.txt and no other (`vitest run --project e2e test/package -u` rewrites the list)', async () => {
    // Names that change with the content are compared, and sorted, without that part.
    const files = inject('packed')
      .files.map((file) => file.replace(/-[\w-]{8}(?=\.\w+(?:\.(?:br|gz))?$)/, '-HASH'))
      .sort();
    await expect(`${files.join('\n')}\n`).toMatchFileSnapshot('files.txt');
  });

  it(`holds fewer than ${FILES_BELOW} files`, () => {
    expect(inject('packed').files.length).toBeLessThan(FILES_BELOW);
  });

  it('is the same for every builder: nothing in it reveals the machine', () => {
    const { files, pluginsFolder } = inject('packed');
    const plugin = join(pluginsFolder, manifest.name);
    expect(files.filter((file) => readFileSync(join(plugin, file), 'utf8').includes(root))).toEqual([]);
  });

  it('has the used parts of mqtt, NATS, undici, yaml and zod joined in, in one byte a character', () => {
    const { files, pluginsFolder } = inject('packed');
    const text = (file: string): string => readFileSync(join(pluginsFolder, manifest.name, file), 'utf8');
    const code = files.filter((file) => /^dist\/(?!web\/|homebridge-ui\/).*\.js$/.test(file));
    expect(code).toContain('dist/index.js');
    expect(
      code.filter((file) => /from\s*['"](?:mqtt['"/]|@nats-io|ical\.js|undici|yaml|zod)/.test(text(file))),
    ).toEqual([]);
    expect(code.filter((file) => /[^\p{ASCII}]/u.test(text(file)))).toEqual([]);
  });

  it('brings the license of every package whose code is in its files', () => {
    const { files, pluginsFolder } = inject('packed');
    const licenses = files
      .filter((file) => file.endsWith('.LICENSE'))
      .map((file) => readFileSync(join(pluginsFolder, manifest.name, file), 'utf8'))
      .join('\n');
    const joined = ['src', 'relay/src', 'simulator/src', 'simulator/page', 'web/panel', 'web/shared']
      .flatMap((folder) => Array.from(packagesOf(folder)))
      .filter((name) => manifest.dependencies[name] === undefined);
    expect(joined).toEqual(
      expect.arrayContaining(['ical.js', '@nats-io/jetstream', 'preact', 'undici', 'yaml', 'zod']),
    );
    expect(joined.filter((name) => !new RegExp(`^${name}$`, 'm').test(licenses))).toEqual([]);
    // The pages have no installed packages: what one of theirs imports in turn is joined as well.
    expect(licenses).toMatch(/^intl-messageformat$[^]*^BSD|^intl-messageformat$[^]*Redistribution and use/m);
    expect(licenses).toMatch(/^@formatjs\/icu-messageformat-parser$/m);
  });

  it('has one file for MQTT that nothing loads before a broker is set', () => {
    const { files, pluginsFolder } = inject('packed');
    const size = statSync(join(pluginsFolder, manifest.name, 'dist/mqtt.js')).size;
    expect(size).toBeLessThan(400_000);
    const text = (file: string): string => readFileSync(join(pluginsFolder, manifest.name, file), 'utf8');
    const loading = files.filter((file) => file.endsWith('.js') && /["']\.\.\/mqtt\.js["']/.test(text(file)));
    expect(loading).toEqual([
      expect.stringMatching(/^dist\/plugin\/mqtt-package/),
      expect.stringMatching(/^dist\/tools\/mqtt-package/),
    ]);
    expect(loading.filter((file) => !/import\(["']\.\.\/mqtt\.js["']\)/.test(text(file)))).toEqual([]);
    // Each package that was joined has its license beside it.
    const licenses = text('dist/mqtt.LICENSE');
    for (const name of ['mqtt', 'mqtt-packet', 'readable-stream', 'ws']) {
      expect(licenses).toMatch(new RegExp(`^${name}$`, 'm'));
    }
  });

  it('has one file for clusters that nothing loads before one is set', () => {
    const { files, pluginsFolder } = inject('packed');
    const place = join(pluginsFolder, manifest.name);
    expect(statSync(join(place, 'dist/nats.js')).size).toBeLessThan(260_000);
    const text = (file: string): string => readFileSync(join(place, file), 'utf8');
    const naming = files.filter((file) => file.endsWith('.js') && /["']\.\.\/nats\.js["']/.test(text(file)));
    expect(naming).not.toEqual([]);
    expect(naming.filter((file) => !/import\(["']\.\.\/nats\.js["']\)/.test(text(file)))).toEqual([]);
    for (const name of ['@nats-io/transport-node', '@nats-io/jetstream', 'tweetnacl']) {
      expect(text('dist/nats.LICENSE')).toMatch(new RegExp(`^${name}$`, 'm'));
    }
  });

  it('reads calendars by one file that nothing imports, with its license and the place of its source', () => {
    const { files, pluginsFolder } = inject('packed');
    const place = join(pluginsFolder, manifest.name);
    const text = (file: string): string => readFileSync(join(place, file), 'utf8');
    expect(statSync(join(place, 'dist/calendar.js')).size).toBeLessThan(110_000);
    expect(
      files.filter((file) => file.endsWith('.js') && /["']\.{1,2}\/calendar\.js["']/.test(text(file))),
    ).toEqual([]);
    expect(text('dist/calendar.LICENSE')).toMatch(
      /^ical\.js$[^]*kewisch\/ical\.js[^]*^Mozilla Public License/m,
    );
  });

  it('loads jose for a JWS and a relay alone', () => {
    const { files, pluginsFolder } = inject('packed');
    const text = (file: string): string => readFileSync(join(pluginsFolder, manifest.name, file), 'utf8');
    const naming = files.filter(
      (file) => /^dist\/(?:plugin|index).*\.js$/.test(file) && /from ?["']jose/.test(text(file)),
    );
    expect(naming).toEqual(['dist/plugin/detached-jws.js', 'dist/plugin/relay-connection.js']);
    const loading = files.filter(
      (file) => file.startsWith('dist/plugin/') && text(file).includes('detached-jws.js'),
    );
    expect(loading.filter((file) => !/import\(["'][^"']*detached-jws\.js["']\)/.test(text(file)))).toEqual(
      [],
    );
  });

  it('brings the files of docs/operate/serve.md along', () => {
    expect(inject('packed').files).toEqual(
      expect.arrayContaining([
        'deploy/docker/Dockerfile',
        'deploy/systemd/latchkey.service',
        'deploy/home-assistant/latchkey/config.json',
      ]),
    );
  });

  it('runs no script when it is installed', () => {
    expect(Object.keys(manifest.scripts)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(pre|post)?install$|^prepare$/)]),
    );
  });

  it('has the keywords by which Homebridge and people find it', () => {
    expect(manifest.name).toMatch(/^homebridge-/);
    expect(manifest.keywords).toContain('homebridge-plugin');
    expect(manifest.homepage).not.toBe('');
    expect(manifest.bugs.url).not.toBe('');
  });

  it('pulls in neither Homebridge nor HAP', () => {
    const bridge = /^(?:homebridge|hap-nodejs|@homebridge\/hap-nodejs)$/;
    expect(Object.keys(manifest.dependencies).filter((name) => bridge.test(name))).toEqual([]);
  });
});
