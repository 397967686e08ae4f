// Imports of credentials on the simulator's clock: refusals for their rate, and how long each new window stands idle.
import type { PlannedImport } from '../../src/features/credentials/import/credential-import.ts';
import { CredentialingHome } from '../homes/credentialing-home.ts';
import type { OpenedProcess } from '../support/credentialing-process.ts';
import { figuresOf, rowsOf } from '../support/import-figures.ts';
import { alone, type Figure, none } from './figures.ts';

const ROWS = 1_000;
const MAX_IDLE_MS = 1_500;

/** What is otherwise than one process on the service's clock. */
interface Setting {
  readonly name: string;
  /** Processes that import the same file at once. */
  readonly processes: number;
  /** How far this machine's clock is ahead of the service's, in milliseconds. */
  readonly aheadMs: number;
  readonly resetForm: 'epoch-seconds' | 'iso-8601';
}

const SETTINGS: readonly Setting[] = [
  { name: 'one process', processes: 1, aheadMs: 0, resetForm: 'epoch-seconds' },
  { name: 'two processes', processes: 2, aheadMs: 0, resetForm: 'iso-8601' },
  { name: 'service 5 s behind', processes: 1, aheadMs: 5_000, resetForm: 'epoch-seconds' },
  { name: 'service 5 s ahead', processes: 1, aheadMs: -5_000, resetForm: 'iso-8601' },
];

export async function measureCredentials(): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const setting of SETTINGS) {
    figures.push(...(await measureOne(setting)));
  }
  return figures;
}

async function measureOne(setting: Setting): Promise<readonly Figure[]> {
  const { processes, aheadMs, resetForm } = setting;
  // The service would issue a second credential: a double could not hide behind its refusal.
  const stand = await CredentialingHome.open({ resetForm, secondCredential: 'issued' });
  stand.aheadMs = aheadMs;
  try {
    const importers = Array.from({ length: processes }, () => stand.process());
    await stand.until(Promise.all(importers.map(async (importer) => (await planned(importer)).run(SILENT))));
    const { refused, idleMs, windows } = figuresOf(await stand.calls());
    const [importer] = importers;
    const held = (await importer?.credentialing.client.list())?.credentials ?? [];
    const wrong = held.length - new Set(held.map(({ userId }) => userId)).size + Math.abs(ROWS - held.length);
    const name = (what: string): string => `import ${setting.name}: ${what}`;
    return [
      none(name('answers 429'), 'calls', refused),
      alone(
        { name: name('idle after a reset'), unit: 'ms', goal: `at most ${String(MAX_IDLE_MS)}` },
        [...idleMs],
        Math.max(...idleMs) <= MAX_IDLE_MS && windows === ROWS / 100,
      ),
      none(name('doubles and gaps'), 'credentials', wrong),
    ];
  } finally {
    await stand.close();
  }
}

const SILENT = { onResult: () => {}, onProgress: () => {} };

async function planned({ credentialing }: OpenedProcess): Promise<PlannedImport> {
  return credentialing.importer.plan(rowsOf(ROWS), { replace: false, removeMissing: false, site: null }, {});
}
