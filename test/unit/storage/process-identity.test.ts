// Whether a process is certainly gone: dead, of an earlier boot, or its number given to another.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { systemProcesses } from '../../../src/storage/account/process-identity.ts';

const self = systemProcesses.self();

describe('a recorded process', () => {
  it('is not gone while it lives', () => {
    expect(self.pid).toBe(process.pid);
    expect(systemProcesses.isGone(self)).toBe(false);
  });

  it('is gone once it was killed (faults#17)', async () => {
    const child = spawn(process.execPath, ['--eval', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
    await once(child, 'spawn');
    const identity = { ...self, pid: child.pid ?? -1, started: null };
    expect(systemProcesses.isGone(identity)).toBe(false);

    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(systemProcesses.isGone(identity)).toBe(true);
  });

  it.skipIf(self.started === null)(
    'is gone when its number belongs to a process of another start (faults#17)',
    () => {
      expect(systemProcesses.isGone({ ...self, started: '1' })).toBe(true);
    },
  );

  it.skipIf(self.boot === null)('is gone when the machine was started again since', () => {
    expect(systemProcesses.isGone({ ...self, boot: 'an-earlier-boot' })).toBe(true);
  });

  it.each([
    [
      'its pid belongs to a namespace that is not visible',
      { pid: 2 ** 22 + 1, pidSpace: 'pid:[another container]' },
    ],
    ['its start time cannot be read', { started: null, boot: null }],
    // Process 1 always lives; for a user without rights the signal is refused, for root it is delivered.
    ['the only fault is a missing right to signal it', { pid: 1, started: null }],
  ])('is not called gone when %s', (_case, change) => {
    expect(systemProcesses.isGone({ ...self, ...change })).toBe(false);
  });
});
