// What the feature brings to the terminal, apart from the rest: the plugin does not load it.
import { featureFindings } from '../../../cli/doctor/feature-findings.ts';
import { FEATURE } from '../index.ts';
import { MATTER, matterFindings, matterNodeFinding } from './findings.ts';

export function addMatterCommands(): void {
  featureFindings.add(FEATURE, {
    checks: [MATTER],
    ofBlock: matterFindings,
    ofAccount: async ({ status }) => {
      const finding = matterNodeFinding(status?.matter ?? 'off');
      return finding === null ? [] : [finding];
    },
  });
}
