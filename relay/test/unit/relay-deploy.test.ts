// The files in `deploy` for a relay: alerts name figures that it has, and unit and image its ports and its signal.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import type { Sample } from '../../../src/support/server/prometheus.ts';
import { projectText } from '../../../test/support/document-block.ts';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { clusterMetrics } from '../../src/cluster-metrics.ts';
import { RELAY_STATUSES, type RelayAnswer } from '../../src/relay-answers.ts';
import { readRelayConfig } from '../../src/relay-config.ts';
import { RelayFigures } from '../../src/relay-figures.ts';

const rules = z
  .object({
    groups: z.array(
      z.object({
        rules: z.array(
          z.object({
            alert: z.string(),
            expr: z.string(),
            for: z.string(),
            annotations: z.object({ summary: z.string() }),
          }),
        ),
      }),
    ),
  })
  .parse(parse(projectText('deploy/prometheus/latchkey-relay.rules.yml')));

/** Every figure of a relay at a cluster, after one answer of each kind. */
function allFigures(): ReadonlyMap<string, readonly Sample[]> {
  const most = { homes: 1, events: 1, bytes: 1 };
  const cluster = { ...most, most, refused: 0, waiting: 0, unserved: 0, oldestMs: 0, moved: 0 };
  const figures = new RelayFigures(new ManualClock());
  for (const answer of Object.keys(RELAY_STATUSES)) {
    figures.count(answer as RelayAnswer);
  }
  const metrics = [...figures.metrics(0, { kind: 'connected', resumed: false }), ...clusterMetrics(cluster)];
  return new Map(metrics.map(({ name, samples }) => [name, samples]));
}

describe('the alerts of a relay', () => {
  const expressions = rules.groups.flatMap((group) => group.rules).map(({ expr }) => expr);

  it('name figures that the relay has', () => {
    const figures = allFigures();
    const named = expressions.flatMap((expr) =>
      [...expr.matchAll(/latchkey_\w+/gu)].map(([name]) => name.replace(/_bucket$/u, '')),
    );
    expect(named.length).toBeGreaterThan(6);
    expect(named.filter((name) => !figures.has(name))).toEqual([]);
  });

  it('choose by labels that those figures have, among them every answer of 5xx', () => {
    const chosen = expressions.flatMap((expr) =>
      Array.from(expr.matchAll(/(?<name>latchkey_\w+)\{(?<label>\w+)=~"(?<values>[^"]+)"\}/gu)),
    );
    const answers = chosen.flatMap(({ groups: { name = '', label = '', values = '' } = {} }) => {
      const samples = allFigures().get(name) ?? [];
      return values.split('|').map((value) => ({
        value,
        isThere: samples.some(({ labels }) => labels?.[label] === value),
      }));
    });
    const failing = Object.entries(RELAY_STATUSES).filter(([, status]) => status >= 500);
    expect(answers).toEqual(expect.arrayContaining(failing.map(([value]) => ({ value, isThere: true }))));
    expect(answers).toHaveLength(failing.length);
  });
});

describe('the unit and the image of a relay', () => {
  it('reload by the signal that reads the file again, and ask for readiness at the port of the relay', () => {
    const unit = projectText('deploy/systemd/latchkey-relay.service');
    expect(unit).toMatch(/^ExecReload=\/bin\/kill -HUP \$MAINPID$/mu);
    expect(unit).toMatch(/^User=latchkey-relay$/mu);
    expect(unit).toMatch(/^RestartPreventExitStatus=2$/mu);
    const least = {
      publicUrl: 'https://relay.example',
      secrets: ['x'.repeat(32)],
      broker: { url: 'mqtt://b' },
    };
    const file = join(temporaryFolder(), 'relay.json');
    writeFileSync(file, JSON.stringify(least));
    const { statusPort, port } = readRelayConfig(file);
    const image = projectText('deploy/docker/relay.Dockerfile');
    expect(image).toContain(`127.0.0.1:${String(statusPort)}/readyz`);
    expect(image).toContain(`EXPOSE ${String(port)} ${String(statusPort)}`);
  });
});
