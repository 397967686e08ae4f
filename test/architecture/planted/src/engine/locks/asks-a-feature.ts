// Planted: the core imports a feature.
export { feature } from '../../features/credentials/index.ts';
