// The order in which test files begin: the longest first, so that no worker is left with one of them at the end. A fresh
// clone knows no durations, and Vitest would go by the size of the files.
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Each takes ten seconds or more on two cores, the longest first. */
const LONG: readonly string[] = [
  'e2e/matter',
  'e2e/cli/serve-commands',
  'e2e/walk',
  'e2e/faults/crash',
  'e2e/cli/serve',
  'e2e/cli/document-commands',
  'e2e/faults/in-home',
  'e2e/behind-router',
  'e2e/cli/alone',
  'e2e/cli/panel',
  'unit/domain/commands/exploration',
  'component/app/mqtt/mqtt',
  'unit/config/read-config.property',
  'simulator/simulate-command',
  'component/relay/cluster-promises',
  'component/home-assistant/broker-truth',
  'component/app/inert-platform',
  'component/relay/cluster-faults',
  'unit/app/backup/sealed-file',
];

/** Where it stands among the long ones; behind them all when it is none. */
function rank({ moduleId }: TestSpecification): number {
  const at = LONG.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`));
  return at === -1 ? LONG.length : at;
}

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const byProject = Map.groupBy(await super.sort(files), ({ project }) => project);
    return Array.from(byProject.values()).flatMap((specs) => specs.toSorted((a, b) => rank(a) - rank(b)));
  }
}
