// Files that only their owner may read: whole or not at all, for any failure of the disk.
import {
  chmodSync,
  lstatSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { writePrivately } from '../../../src/support/files/private-output.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const TEXT = 'time,lock\n2026-04-14,Front door\n';

/** A disk that takes a few bytes at a time, and `most` of them in all. */
function tightDisk(most: number) {
  let left = most;
  return (descriptor: number, bytes: Uint8Array): number => {
    const taken = writeSync(descriptor, bytes.subarray(0, Math.min(7, left)));
    left -= taken;
    return taken;
  };
}

/** Writes the text to a file, on a disk that takes so many bytes. */
const written = (file: string, kind: 'new' | 'replace', most = 1_000): Promise<number> =>
  writePrivately({ file, kind, writeBytes: tightDisk(most) }, (write) => {
    write(TEXT);
  });

describe('a private file', () => {
  it('is refused in words where its name cannot be looked at', async () => {
    const file = join(temporaryFolder(), 'loop');
    symlinkSync(file, file);
    await expect(written(file, 'replace')).rejects.toMatchObject({ code: 'refused' });
  });

  it.each(['new', 'replace'] as const)('is whole after short writes (%s, faults#121)', async (kind) => {
    const file = join(temporaryFolder(), 'out.csv');
    expect(await written(file, kind)).toBe(TEXT.length);
    expect([readFileSync(file, 'utf8'), statSync(file).mode & 0o777]).toEqual([TEXT, 0o600]);
  });

  it.each(['new', 'replace'] as const)(
    'is gone when the disk fills half-way (%s, faults#121)',
    async (kind) => {
      const folder = temporaryFolder();
      const writing = written(join(folder, 'out.csv'), kind, 20);
      await expect(writing).rejects.toThrow('The file cannot be created: the disk is full');
      expect(readdirSync(folder)).toEqual([]);
    },
  );

  it('is removed when its parts end half-way, with their own error', async () => {
    const folder = temporaryFolder();
    const writing = writePrivately({ file: join(folder, 'out.csv'), kind: 'new' }, async (write) => {
      write(TEXT);
      return Promise.reject(new Error('the owner is gone'));
    });
    await expect(writing).rejects.toThrow('the owner is gone');
    expect(readdirSync(folder)).toEqual([]);
  });

  it('is private with any former file in its place, and a link stays a link (faults#121)', async () => {
    const folder = temporaryFolder();
    const [file, link] = [join(folder, 'out.csv'), join(folder, 'link.csv')];
    writeFileSync(file, 'former');
    chmodSync(file, 0o644);
    symlinkSync(file, link);
    await written(link, 'replace');
    expect([readFileSync(file, 'utf8'), statSync(file).mode & 0o777]).toEqual([TEXT, 0o600]);
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(readdirSync(folder).toSorted()).toEqual(['link.csv', 'out.csv']);
  });

  it('keeps the former content when the disk fills', async () => {
    const file = join(temporaryFolder(), 'out.csv');
    writeFileSync(file, 'former');
    await expect(written(file, 'replace', 20)).rejects.toThrow('the disk is full');
    expect(readFileSync(file, 'utf8')).toBe('former');
  });

  it('may be a device, which is written as it is', async () => {
    const writing = writePrivately({ file: '/dev/full', kind: 'replace' }, (write) => {
      write(TEXT);
    });
    await expect(writing).rejects.toThrow('the disk is full');
    expect(statSync('/dev/full').isCharacterDevice()).toBe(true);
  });
});
