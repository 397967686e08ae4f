// Planted: a feature that imports another one.
export { feature } from '../credentials/index.ts';
