// Holds the tree to the table of modules: who may import whom, no cycles, and no file that the reader did not see.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { MODULE_FOLDERS } from './houses.ts';
import {
  forbiddenImports,
  forbiddenInside,
  type ImportGraph,
  mutualRooms,
  readImports,
} from './import-graph.ts';
import { modules, rooms } from './modules.ts';

const root = join(import.meta.dirname, '..', '..');

describe('the source tree', () => {
  let graph: ImportGraph;

  beforeAll(async () => {
    graph = await readImports(root);
  });

  it('is read completely, so that no file passes unread', () => {
    const onDisk = MODULE_FOLDERS.flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((path) => path.endsWith('.ts'))
        .map((path) => join(folder, path)),
    );
    expect([...graph.files].sort()).toEqual(onDisk.sort());
    expect(graph.imports.length).toBeGreaterThan(onDisk.length);
  });

  it('imports only what the table of modules allows', () => {
    expect(forbiddenImports(graph, modules)).toEqual([]);
  });

  it('lets no module import a feature, but for the list of features', () => {
    const importers = Object.entries(modules)
      .filter(([, { modules: allowed }]) => allowed.some((name) => name.startsWith('features/')))
      .map(([name]) => name);
    expect(importers).toEqual(['features']);
  });

  it('has three entries that add the features', () => {
    const importers = graph.imports.filter(
      ({ from, to }) => /^src\/features\/[^/]+$/u.test(to) && !from.startsWith('src/features/'),
    );
    expect(importers.map(({ from }) => from).toSorted()).toEqual([
      'src/plugin/platform.ts',
      'src/start/commands.ts',
      'src/ui-server/window-process.ts',
    ]);
  });

  it('imports inside domain, engine, app, features, relay and simulator only what the tables of their folders allow', () => {
    expect(forbiddenInside(graph, rooms)).toEqual([]);
  });

  it('has no two folders of one module that import each other', () => {
    expect(mutualRooms(graph)).toEqual([]);
  });

  it('has no import cycle, not even one of types', () => {
    expect(graph.cycles).toEqual([]);
  });
});

describe('the layer gate', () => {
  it('fails for each kind of violation planted beside it', async () => {
    const planted = await readImports(join(import.meta.dirname, 'planted'));
    const withAnother = { ...modules, 'features/another': { modules: [], packages: [] } };
    expect(forbiddenImports(planted, withAnother).sort()).toEqual([
      'simulator/src/shares-the-codec.ts (simulator) imports src/wire/knows-the-caller.ts: "wire" is not for this module',
      'src/attic/unnamed.ts: the module "attic" is not in the table',
      'src/cloud/client.ts (cloud) imports fastify: not for this module',
      'src/domain/reads-a-file.ts (domain) imports node:fs: not for this module',
      'src/engine/locks/asks-a-feature.ts (engine) imports src/features/credentials/index.ts: "features/credentials" is not for this module',
      'src/engine/locks/asks-the-list.ts (engine) imports src/features/index.ts: "features" is not for this module',
      'src/features/another/asks-a-feature.ts (features/another) imports src/features/credentials/index.ts: "features/credentials" is not for this module',
      'src/homekit/loads-homebridge.ts (homekit) imports homebridge: only its types may be imported',
      'src/wire/knows-the-caller.ts (wire) imports src/cloud/client.ts: "cloud" is not for this module',
    ]);
    expect(planted.cycles).toHaveLength(1);
    expect(forbiddenInside(planted, rooms)).toEqual([
      'src/engine/locks/asks-above.ts (engine/locks) imports src/engine/polling/asked-below.ts: "polling" is not for this folder',
    ]);
    expect(mutualRooms(planted)).toEqual(['engine: locks > polling']);
  });
});
