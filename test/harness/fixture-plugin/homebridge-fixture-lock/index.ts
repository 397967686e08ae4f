// The smallest lock plugin: the bolt follows every request at once. `misbehave: true` makes it write a value HomeKit refuses.
import type { API, DynamicPlatformPlugin, Logging, PlatformAccessory, PlatformConfig } from 'homebridge';

class FixturePlatform implements DynamicPlatformPlugin {
  readonly #restored: PlatformAccessory[] = [];

  constructor(_log: Logging, config: PlatformConfig, api: API) {
    api.on('didFinishLaunching', () => {
      this.#publish(api, config['misbehave'] === true);
    });
  }

  configureAccessory(accessory: PlatformAccessory): void {
    this.#restored.push(accessory);
  }

  #publish(api: API, misbehaves: boolean): void {
    const { Characteristic, Service, uuid } = api.hap;
    const known = this.#restored[0];
    const accessory = known ?? new api.platformAccessory('Fixture door', uuid.generate('fixture'));
    const lock = accessory.getService(Service.LockMechanism) ?? accessory.addService(Service.LockMechanism);
    lock.getCharacteristic(Characteristic.LockTargetState).onSet((target) => {
      lock.updateCharacteristic(Characteristic.LockCurrentState, misbehaves ? 'ajar' : target);
    });
    if (!known) {
      api.registerPlatformAccessories('homebridge-fixture-lock', 'FixtureLock', [accessory]);
    }
  }
}

export default (api: API): void => {
  api.registerPlatform('homebridge-fixture-lock', 'FixtureLock', FixturePlatform);
};
