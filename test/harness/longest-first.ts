// The order in which test files begin: the longest first, so that no worker is left with one of them at the end. A fresh
// clone knows no durations, and Vitest would go by the size of the files.
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Each takes ten seconds or more on two cores, the longest first. */
const LONG: readonly string[] = [
  'test/e2e/matter',
  'test/e2e/cli/serve-commands',
  'test/e2e/walk',
  'test/e2e/faults/crash',
  'test/e2e/cli/serve',
  'test/e2e/cli/document-commands',
  'test/e2e/faults/in-home',
  'test/e2e/behind-router',
  'test/e2e/cli/alone',
  'test/e2e/cli/panel',
  'test/unit/domain/commands/exploration',
  'test/component/app/mqtt/mqtt',
  'test/unit/config/read-config.property',
  'simulator/test/simulate-command',
  'relay/test/component/cluster-promises',
  'test/component/home-assistant/broker-truth',
  'test/component/app/inert-platform',
  'relay/test/component/cluster-faults',
  'test/unit/app/backup/sealed-file',
];

/** Where it stands among the long ones; behind them all when it is none. */
function rank({ moduleId }: TestSpecification): number {
  const at = LONG.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
  return at === -1 ? LONG.length : at;
}

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const byProject = Map.groupBy(await super.sort(files), ({ project }) => project);
    return Array.from(byProject.values()).flatMap((specs) => specs.toSorted((a, b) => rank(a) - rank(b)));
  }
}
