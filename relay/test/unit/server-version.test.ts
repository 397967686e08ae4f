import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { projectText } from '../../../test/support/document-block.ts';
import { OLDEST_SERVER, oldServerLine } from '../../src/cluster/server-version.ts';

describe('the version of a node', () => {
  it.each(['2.9.10', '2.9.25', '2.10.9', '2.10.26', '1.99.99', '0.0.1'])(
    '%s is named as too old (faults#176)',
    (version) => {
      const line = oldServerLine('a', version);
      for (const part of [`"a" runs nats-server ${version},`, OLDEST_SERVER]) {
        expect(line).toContain(part);
      }
    },
  );

  it.each([OLDEST_SERVER, '2.10.27-RC.1', '2.10.28', '2.11.0', '2.15.1', '3.0.0', '', 'unknown'])(
    '%j is not',
    (version) => {
      expect(oldServerLine('a', version)).toBe(null);
    },
  );
});

describe('the continuous integration', () => {
  it('runs the tests of a cluster with the oldest supported version, and a newer one', () => {
    const { jobs } = z
      .object({
        jobs: z.object({
          cluster: z.object({ strategy: z.object({ matrix: z.object({ nats: z.array(z.string()) }) }) }),
        }),
      })
      .parse(parse(projectText('.github/workflows/ci.yml')));
    const [oldest, newest] = jobs.cluster.strategy.matrix.nats;
    expect(oldest).toBe(OLDEST_SERVER);
    expect(newest).not.toBe(oldest);
  });
});
