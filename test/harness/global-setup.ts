// Builds and packs the plugin once for every test that needs it as a user gets it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import build from './build-setup.ts';
import { type PackedPlugin, packPlugin } from './packed-plugin.ts';

declare module 'vitest' {
  interface ProvidedContext {
    packed: PackedPlugin;
  }
}

export default function setup(project: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-packed-'));
  build();
  project.provide('packed', packPlugin(folder));
  return () => {
    rmSync(folder, { recursive: true, force: true });
  };
}
