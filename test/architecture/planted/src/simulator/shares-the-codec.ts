// Planted: the judge shares a codec with the client it judges.
export { type Answer } from '../wire/knows-the-caller.ts';
