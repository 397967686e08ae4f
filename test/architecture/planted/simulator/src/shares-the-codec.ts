// Planted: the judge shares a codec with the client it judges.
export { type Answer } from '../../src/wire/knows-the-caller.ts';
