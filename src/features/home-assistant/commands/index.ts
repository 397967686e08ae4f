// What the feature brings to the terminal, apart from the rest: the plugin does not load it.
import { featureFindings } from '../../../cli/doctor/feature-findings.ts';
import { featureServing } from '../../../cli/serve/feature-serving.ts';
import { FEATURE } from '../panel/operations.ts';
import { mqttFinding } from './finding.ts';
import { assertNotForDemo, mqttAddress, withBroker } from './serving.ts';

export function addHomeAssistantCommands(): void {
  featureServing.add(FEATURE, {
    options: () => [mqttAddress()],
    check: assertNotForDemo,
    complete: withBroker,
  });
  featureFindings.add(FEATURE, {
    checks: [],
    // Only the owner is connected to the broker.
    ofAccount: async ({ config, tool }) => {
      const isRunning = tool?.through === 'owner' && config.mqtt !== null;
      const finding = mqttFinding(config, isRunning ? await tool.call('mqtt.status') : null);
      return finding === null ? [] : [finding];
    },
  });
}
