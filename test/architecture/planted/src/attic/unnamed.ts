// Planted: a room that the table does not name.
export { lock } from '../domain/reads-a-file.ts';
