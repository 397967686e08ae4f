// Registers the platform with Homebridge; the only default export, no logic.
export { register as default } from './plugin/platform.ts';
