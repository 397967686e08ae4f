// JSON for programs, safe to look at in a terminal: the same value, without a character that acts on the screen.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { errorJson } from '../../../../src/cli/terminal/cli-error.ts';
import { jsonText } from '../../../../src/cli/terminal/json-text.ts';
import { Output } from '../../../../src/cli/terminal/terminal.ts';
import { anyText } from '../../../support/any-text.ts';

const ACTING = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
/** A name that clears the screen, turns the text around, and hides a tag of two units. */
const HOSTILE = 'Door\u009b2J\u202eecroof\u2066\u200f\u{e0041}\u2028\u007f';

describe('JSON of the command line', () => {
  it('holds no control and no bidirectional character, and reads back as the same value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), anyText(), (value, text) => {
        const written = jsonText({ value, [text]: text });
        expect(written).not.toMatch(ACTING);
        expect(JSON.parse(written)).toEqual(JSON.parse(JSON.stringify({ value, [text]: text })));
      }),
    );
    expect(JSON.parse(jsonText(HOSTILE))).toBe(HOSTILE);
  });

  it('is printed by --json, as an answer and as an error', () => {
    const printed: string[] = [];
    const print = (text: string): void => {
      printed.push(text);
    };
    new Output({ print, printError: print }, { json: true }).answer({ name: HOSTILE }, []);
    printed.push(errorJson({ code: 'not-found', message: HOSTILE, next: HOSTILE }));
    for (const text of printed) {
      expect(text.trimEnd()).not.toMatch(ACTING);
    }
  });

  it('keeps the lines of an indented value', () => {
    expect(jsonText({ a: '\n' }, 2)).toBe('{\n  "a": "\\n"\n}');
  });
});
