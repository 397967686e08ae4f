// Planted: the core imports the list of features.
export { feature } from '../../features/index.ts';
