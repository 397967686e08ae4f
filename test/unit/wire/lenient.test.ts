// Members that may come in another form than the specification shows, or not at all.
import { describe, expect, it } from 'vitest';
import {
  idOf,
  instantOf,
  integerOf,
  isObject,
  membersOf,
  percentOf,
  textOf,
} from '../../../src/wire/lenient.ts';

describe('a member', () => {
  it.each([
    [7, 7],
    [-7, -7],
    ['7', 7],
    ['+7', 7],
    ['-7', -7],
    ['0'.repeat(15), 0],
    ['1'.repeat(16), null],
    [' 7', null],
    ['7 ', null],
    ['x7', null],
    ['7x', null],
    [7.5, null],
    ['', null],
    [null, null],
    [true, null],
  ])('that counts reads %j as %j', (value, count) => {
    expect(integerOf(value)).toBe(count);
  });

  it.each([
    [87, 87],
    [87.4, 87],
    [87.5, 88],
    ['87', 87],
    ['87.5', null],
    [{}, null],
  ])('in percent reads %j as %j', (value, percent) => {
    expect(percentOf(value)).toBe(percent);
  });

  it.each([
    ['x', 'x'],
    [7, '7'],
    [null, ''],
    [{}, ''],
    ['\ud800x', '\ufffdx'],
    [Number.POSITIVE_INFINITY, ''],
  ])('of text reads %j as %j', (value, text) => {
    expect(textOf(value)).toBe(text);
  });

  it.each([
    ['a-1', 'a-1'],
    [7, '7'],
    ['a'.repeat(256), 'a'.repeat(256)],
    ['a'.repeat(257), null],
    ['', null],
    ['é', 'é'],
    ['\u200b', null],
    ['.', null],
    ['..', null],
    ['...', '...'],
    ['a\nb', null],
    ['\na', null],
    ['a\n', null],
    ['\ud800', null],
    [1.5, null],
    [null, null],
  ])('that names something reads %j as %j', (value, id) => {
    expect(idOf(value)).toBe(id);
  });

  it.each([
    ['2026-04-14T12:00:00Z', Date.UTC(2026, 3, 14, 12)],
    ['2026-04-14T12:00:00+02:00', Date.UTC(2026, 3, 14, 10)],
    ['2026-04-14t12:00:00z', Date.UTC(2026, 3, 14, 12)],
    ['2026-04-14 12:34:56Z', Date.UTC(2026, 3, 14, 12, 34, 56)],
    ['2026-04-14T12:34Z', Date.UTC(2026, 3, 14, 12, 34)],
    ['2026-04-14T12:34:56.5Z', Date.UTC(2026, 3, 14, 12, 34, 56, 500)],
    ['2026-04-14T12:34:56,25Z', Date.UTC(2026, 3, 14, 12, 34, 56, 250)],
    ['2026-04-14T12:34:56.123456789Z', Date.UTC(2026, 3, 14, 12, 34, 56, 123)],
    ['2026-04-14T12:34:56.1234567890Z', Date.UTC(2026, 3, 14, 12, 34, 56, 123)],
    ['2026-04-14T12:00:00+0230', Date.UTC(2026, 3, 14, 9, 30)],
    ['2026-04-14T12:00:00-04:30', Date.UTC(2026, 3, 14, 16, 30)],
    ['2026-04-14T12:00:00-04', Date.UTC(2026, 3, 14, 16)],
    ['2026-04-14T12-04', null],
    ['2026-04-14T12:00:00-4', null],
    ['2026-04-14T12:00:00Z+01', null],
    ['2026-4-14T12:00:00Z', null],
    ['2026-02-30T12:00:00Z', null],
    ['2026-02-29T12:00:00Z', null],
    ['2028-02-29T12:00:00Z', Date.UTC(2028, 1, 29, 12)],
    ['2100-02-29T12:00:00Z', null],
    ['2026-04-31T12:00:00Z', null],
    ['2026-04-00T12:00:00Z', null],
    ['2026-13-01T12:00:00Z', null],
    ['2026-04-14T24:00:00Z', null],
    ['2026-04-14T12:60:00Z', null],
    ['2026-04-14T12:00:60Z', null],
    ['2026-04-14T12:00:00+24:00', null],
    ['2026-04-14T12:00:00+02:60', null],
    ['at 2026-04-14T12:00:00Z', null],
    ['2026-04-14T12:00:00Z or so', null],
    ['2026-04-14T12:00:00', null],
    ['2026-04-14', null],
    [0, null],
    [null, null],
  ])('of time reads %j as %j', (value, at) => {
    expect(instantOf(value)).toBe(at);
  });

  it('that should be an object reads as an empty one when it is something else', () => {
    for (const value of [null, undefined, 7, 'x', ['name']]) {
      expect(membersOf(value)).toEqual({});
    }
    expect(membersOf({ name: 'x', more: 1 })).toEqual({ name: 'x', more: 1 });
    expect([{}, [], null, 'x'].map(isObject)).toEqual([true, false, false, false]);
  });
});
