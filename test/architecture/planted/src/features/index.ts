// The list of features.
export { feature } from './credentials/index.ts';
