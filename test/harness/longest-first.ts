// The order in which test files begin: what waits for processes and browsers before what computes, and the longest of each
// first, so that no worker is left with one of them at the end. A fresh clone knows no durations, and Vitest would go by the
// size of the files.
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The last ones are small and fill every worker to the end. */
const PROJECTS: readonly string[] = ['e2e', 'browser', 'heap', 'fast'];

/** Each takes ten seconds or more on two busy cores, the longest first. One that is missing here may begin as the last of all. */
const LONG: readonly string[] = [
  'test/e2e/matter',
  'test/e2e/walk',
  'test/e2e/cli/document-commands',
  'test/e2e/faults/in-home',
  'test/e2e/lock',
  'test/e2e/cli/serve',
  'test/e2e/insecure',
  'test/e2e/demo',
  'test/e2e/cli/codes-sync',
  'test/e2e/cli/doctor',
  'test/e2e/cli/owner',
  'test/e2e/relink',
  'test/e2e/behind-router',
  'test/e2e/cli/alone',
  'test/e2e/stays',
  'test/e2e/faults/one-owner',
  'test/e2e/faults/crash',
  'test/e2e/cli/serve-commands',
  'test/e2e/cli/linked-again',
  'test/e2e/stood-still',
  'relay/test/e2e/cluster-kills',
  'test/browser/panel-look',
  'test/browser/languages',
  'test/browser/panel-overview',
  'test/browser/panel-wires',
  'test/browser/panel-history',
  'test/browser/panel-homebridge',
  'simulator/test/browser/doors',
  'test/browser/panel-stays',
  'test/browser/panel-guests',
  'test/browser/panel-codes',
  'test/browser/panel-japanese',
  'test/browser/panel-link',
  'test/browser/panel',
  'test/browser/panel-flow',
  'test/component/features/stays/keeping/stay-year',
  'relay/test/component/cluster-silent',
  'test/component/app/webhooks/bad-deliveries',
  'test/component/features/stays/commands/commands',
  'test/component/app/gateway-before-locks',
  'test/component/features/home-assistant/account/idle-traffic',
  'relay/test/component/cluster-promises',
  'test/component/features/home-assistant/account/mqtt',
  'relay/test/component/cluster-operator',
  'relay/test/component/cluster-faults',
  'test/unit/domain/commands/exploration',
  'test/component/features/home-assistant/broker/broker-truth',
  'test/component/storage/damaged-rows',
  'test/component/cli/account/backup',
  'simulator/test/simulate-command',
  'test/component/engine/late-lists.property',
  'test/component/features/home-assistant/broker/locks-over-mqtt',
];

/** Where it stands among the long ones; behind them all when it is none. */
function rank({ moduleId }: TestSpecification): number {
  const at = LONG.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
  return at === -1 ? LONG.length : at;
}

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const byProject = Map.groupBy(await super.sort(files), ({ project }) => project);
    return Array.from(byProject)
      .toSorted(([a], [b]) => PROJECTS.indexOf(a.name) - PROJECTS.indexOf(b.name))
      .flatMap(([, specs]) => specs.toSorted((a, b) => rank(a) - rank(b)));
  }
}
