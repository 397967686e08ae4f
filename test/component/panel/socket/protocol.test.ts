// Messages survive any cutting of the stream, and any bytes are an answerable mistake at worst.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  callLine,
  LineSplitter,
  readCall,
  readOwnerMessage,
  resultLine,
} from '../../../../src/panel/socket/protocol.ts';
import { LatchkeyError } from '../../../../src/support/errors.ts';
import { anyText } from '../../../support/any-text.ts';

/** The lines of these bytes when they arrive in pieces of these lengths. */
function linesOf(bytes: Buffer, lengths: readonly number[], longestBytes = 1_000_000): string[] {
  const splitter = new LineSplitter(longestBytes);
  const lines: string[] = [];
  let rest = bytes;
  for (const length of [...lengths, bytes.length]) {
    lines.push(...splitter.split(rest.subarray(0, length)));
    rest = rest.subarray(length);
  }
  return lines;
}

const anyJson = fc.jsonValue({ noUnicodeString: false });
const anyCuts = fc.array(fc.nat({ max: 40 }));

describe('a message over the local socket', () => {
  it('arrives the same however the stream is cut', () => {
    const anyCalls = fc.array(fc.record({ id: fc.nat(), operation: fc.string(), input: anyJson }));
    fc.assert(
      fc.property(anyCalls, anyCuts, (calls, cuts) => {
        const arrived = linesOf(Buffer.from(calls.map(callLine).join('')), cuts).map(readCall);
        // Compared as JSON, which knows no -0.
        expect(JSON.stringify(arrived)).toBe(JSON.stringify(calls));
      }),
    );
    fc.assert(
      fc.property(fc.nat(), anyJson, anyCuts, (id, result, cuts) => {
        const [line = ''] = linesOf(Buffer.from(resultLine(id, result)), cuts);
        expect(JSON.stringify(readOwnerMessage(line))).toBe(JSON.stringify({ kind: 'result', id, result }));
      }),
    );
  });

  it('is refused once it grows too long, however it is cut and before it ends', () => {
    expect(() => linesOf(Buffer.from('x'.repeat(101)), [50, 50], 100)).toThrow(LatchkeyError);
    expect(linesOf(Buffer.from(`${'x'.repeat(100)}\n${'y'.repeat(100)}\n`), [50, 50], 100)).toHaveLength(2);
  });

  it('is read or refused with an error of ours, whatever it holds', () => {
    const anyLine = fc.oneof(
      anyText(),
      anyJson.map((value) => JSON.stringify(value)),
    );
    fc.assert(
      fc.property(anyLine, fc.constantFrom(readCall, readOwnerMessage), (line, read) => {
        try {
          read(line);
        } catch (error) {
          expect(error).toBeInstanceOf(LatchkeyError);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});
