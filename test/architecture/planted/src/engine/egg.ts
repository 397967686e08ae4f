// Planted: the other half of the cycle.
import type { Hen } from './hen.ts';

export const egg: Hen = 'hen';
