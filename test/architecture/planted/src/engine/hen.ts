// Planted: one half of a cycle, closed by a type.
import { egg } from './egg.ts';

export type Hen = 'hen';
export const hen = egg;
