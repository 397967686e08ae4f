// Writes a file that only its owner may read, whole or not at all.
import {
  closeSync,
  fsyncSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { type Message, message, verbatim } from '../../domain/language/message.ts';
import { FinalError, systemCodeOf } from '../errors.ts';

const PRIVATE_MODE = 0o600;

/** As `writeSync`: how many bytes were taken, which may be fewer than asked. */
type WriteBytes = (descriptor: number, bytes: Uint8Array) => number;

export interface PrivateOutput {
  readonly file: string;
  /** `new`: a file that is there already is an error. `replace`: its content and its mode are replaced at the end. */
  readonly kind: 'new' | 'replace';
  readonly writeBytes?: WriteBytes;
}

type Fill = (write: (part: string | Uint8Array) => void) => Promise<void> | void;

/**
 * Writes the parts that `fill` gives, and resolves with the number of bytes. After any failure nothing of them is left:
 * a full disk may take a part of a write without an error, or report one only when the file is flushed. Rejects with
 * final (`refused`) for the disk, and with what `fill` rejects with.
 */
export async function writePrivately(output: PrivateOutput, fill: Fill): Promise<number> {
  const { file, kind } = output;
  const former = kind === 'new' ? undefined : tried(() => statSync(file, { throwIfNoEntry: false }));
  if (former !== undefined && !former.isFile()) {
    // A pipe or a device, such as /dev/stdout, cannot be replaced.
    return filled(
      output,
      tried(() => openSync(file, 'w')),
      fill,
    );
  }
  // A symbolic link stays: its target is replaced.
  const target = former === undefined ? file : realpathSync(file);
  const path = kind === 'new' ? target : `${target}.${String(process.pid)}.part`;
  const descriptor = tried(() => openSync(path, 'wx', PRIVATE_MODE));
  try {
    return await filled(output, descriptor, fill, () => {
      fsyncSync(descriptor);
      renameSync(path, target);
    });
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  }
}

async function filled(
  { writeBytes = writeSync }: PrivateOutput,
  descriptor: number,
  fill: Fill,
  finish = (): void => {},
): Promise<number> {
  let total = 0;
  try {
    await fill((part) => {
      for (let rest: Uint8Array = Buffer.from(part); rest.length > 0; ) {
        const taken = tried(() => writeBytes(descriptor, rest));
        if (taken === 0) {
          throw unwritten('ENOSPC');
        }
        total += taken;
        rest = rest.subarray(taken);
      }
    });
    tried(finish);
  } finally {
    closeSync(descriptor);
  }
  return total;
}

function tried<T>(act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw unwritten(systemCodeOf(error) ?? 'unknown', error);
  }
}

function unwritten(code: string, cause: unknown = null): FinalError {
  const why = WORDS.get(code) ?? verbatim(`${code}.`);
  return new FinalError('refused', message('The file cannot be created: {why}', { why }), { cause });
}

const WORDS: ReadonlyMap<string, Message> = new Map([
  ['EEXIST', message('it is there already. Name another one.')],
  ['ENOENT', message('its folder is not there.')],
  ['EACCES', message('you may not write there.')],
  ['ENOSPC', message('the disk is full, so nothing of it was kept. Free some space.')],
  ['EDQUOT', message('your quota is used up, so nothing of it was kept. Free some space.')],
]);
