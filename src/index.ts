// Registers the platform with Homebridge; the only default export, no logic.
import type { API } from 'homebridge';
import { PLATFORM_NAME, PLUGIN_NAME } from './homekit/accessory-registry.ts';
import { LatchkeyPlatform } from './plugin/platform.ts';

export default (api: API): void => {
  api.registerPlatform(PLUGIN_NAME, PLATFORM_NAME, LatchkeyPlatform);
};
