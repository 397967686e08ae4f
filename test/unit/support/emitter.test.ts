// One voice, many listeners: none can harm the others.
import { describe, expect, it } from 'vitest';
import { Emitter } from '../../../src/support/emitter.ts';
import type { Log } from '../../../src/support/log.ts';

function listening(): { news: Emitter<number>; errors: string[]; details: string[] } {
  const errors: string[] = [];
  const details: string[] = [];
  const log: Log = {
    debug: (line) => details.push(line),
    info() {},
    warn() {},
    error: (line) => errors.push(line),
  };
  return { news: new Emitter<number>(log), errors, details };
}

describe('a broadcast', () => {
  it('reaches every listener in the order in which they came', () => {
    const { news } = listening();
    const heard: string[] = [];
    news.subscribe((value) => heard.push(`first ${value}`));
    news.subscribe((value) => heard.push(`second ${value}`));
    news.emit(1);
    expect(heard).toEqual(['first 1', 'second 1']);
  });

  it('reaches whoever asked to be first before those who were there', () => {
    const { news } = listening();
    const heard: string[] = [];
    news.subscribe(() => heard.push('page'));
    const leave = news.subscribe(() => heard.push('home'), 'first');
    news.subscribe(() => heard.push('other page'));
    news.emit(1);
    leave();
    news.emit(2);
    expect(heard).toEqual(['home', 'page', 'other page', 'page', 'other page']);
  });

  it('goes on when a listener throws, and says so', () => {
    const { news, errors } = listening();
    const heard: number[] = [];
    news.subscribe(() => {
      throw new Error('no');
    });
    news.subscribe((value) => heard.push(value));
    news.emit(1);
    expect([heard, errors]).toEqual([[1], ['A listener failed: no']]);
  });

  it('logs where a listener threw, one line for each frame', () => {
    const { news, details } = listening();
    news.subscribe(function turned() {
      throw new Error('two\nlines');
    });
    news.emit(1);
    expect(details[0]).toMatch(/^at .*turned .*emitter\.test\.ts/u);
    expect(details.every((line) => line.startsWith('at ') && !line.includes('\n'))).toBe(true);
    news.subscribe(() => {
      // oxlint-disable-next-line typescript/only-throw-error -- what a listener throws is not in our hands
      throw 'no error';
    });
    news.emit(2);
    expect(details.length).toBeGreaterThan(1);
  });

  it('forgets who unsubscribed, even twice or while it is told', () => {
    const { news } = listening();
    const heard: number[] = [];
    const leave = news.subscribe((value) => {
      heard.push(value);
      leave();
      leave();
    });
    news.emit(1);
    news.emit(2);
    expect(heard).toEqual([1]);
  });

  it('treats one function that subscribed twice as two listeners', () => {
    const { news } = listening();
    const heard: number[] = [];
    const listener = (value: number): void => {
      heard.push(value);
    };
    const leave = news.subscribe(listener);
    news.subscribe(listener);
    news.emit(1);
    leave();
    news.emit(2);
    expect(heard).toEqual([1, 1, 2]);
  });
});
