// One voice, many listeners: none can harm the others.
import { describe, expect, it } from 'vitest';
import { Emitter } from '../../../src/support/emitter.ts';
import type { Log } from '../../../src/support/log.ts';

function listening(): { message: Emitter<number>; errors: string[]; details: string[] } {
  const errors: string[] = [];
  const details: string[] = [];
  const log: Log = {
    debug: (line) => details.push(line),
    info() {},
    warn() {},
    error: (line) => errors.push(line),
  };
  return { message: new Emitter<number>(log), errors, details };
}

describe('an emitter', () => {
  it('calls the listeners in the order of subscription, and first the one that asked to be first', () => {
    const { message } = listening();
    const received: string[] = [];
    message.subscribe((value) => received.push(`page ${value}`));
    const leave = message.subscribe((value) => received.push(`home ${value}`), 'first');
    message.subscribe((value) => received.push(`other page ${value}`));
    message.emit(1);
    leave();
    message.emit(2);
    expect(received).toEqual(['home 1', 'page 1', 'other page 1', 'page 2', 'other page 2']);
  });

  it('goes on when a listener throws, and logs that', () => {
    const { message, errors } = listening();
    const received: number[] = [];
    message.subscribe(() => {
      throw new Error('no');
    });
    message.subscribe((value) => received.push(value));
    message.emit(1);
    expect([received, errors]).toEqual([[1], ['A listener failed: no']]);
  });

  it('logs where a listener threw, one line for each frame', () => {
    const { message, details } = listening();
    message.subscribe(function turned() {
      throw new Error('two\nlines');
    });
    message.emit(1);
    expect(details[0]).toMatch(/^at .*turned .*emitter\.test\.ts/u);
    expect(details.every((line) => line.startsWith('at ') && !line.includes('\n'))).toBe(true);
    message.subscribe(() => {
      // oxlint-disable-next-line typescript/only-throw-error -- what a listener throws is not in our hands
      throw 'no error';
    });
    message.emit(2);
    expect(details.length).toBeGreaterThan(1);
  });

  it('no longer calls a listener that unsubscribed, even twice or during a call', () => {
    const { message } = listening();
    const received: number[] = [];
    const leave = message.subscribe((value) => {
      received.push(value);
      leave();
      leave();
    });
    message.emit(1);
    message.emit(2);
    expect(received).toEqual([1]);
  });

  it('does not call a listener that another one has removed, also where a new one subscribes meanwhile', () => {
    const { message } = listening();
    const received: string[] = [];
    message.subscribe(() => {
      message.subscribe(() => received.push('new'));
      leave();
    });
    const leave = message.subscribe(() => received.push('removed'));
    message.emit(1);
    expect(received).toEqual([]);
  });

  it('treats one function that subscribed twice as two listeners', () => {
    const { message } = listening();
    const received: number[] = [];
    const listener = (value: number): void => {
      received.push(value);
    };
    const leave = message.subscribe(listener);
    message.subscribe(listener);
    message.emit(1);
    leave();
    message.emit(2);
    expect(received).toEqual([1, 1, 2]);
  });
});
