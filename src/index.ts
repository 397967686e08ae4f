// Registers the platform with Homebridge; the only default export, no logic.
export { loadPlatform as default } from './plugin/load-platform.ts';
