// What the feature brings to the terminal, apart from the rest: the plugin does not load it.
import { featureFindings } from '../../../cli/doctor/feature-findings.ts';
import { featureCommands } from '../../../cli/feature-commands.ts';
import { FEATURE } from '../panel/operations.ts';
import { credentialsCommand } from './command.ts';
import { CREDENTIALING, credentialingFinding } from './finding.ts';

export function addCredentialCommands(): void {
  featureCommands.add(FEATURE, { after: 'panel', of: credentialsCommand });
  featureFindings.add(FEATURE, {
    checks: [CREDENTIALING],
    of: ({ credentialing }) => (credentialing === undefined ? [] : [credentialingFinding(credentialing)]),
  });
}
