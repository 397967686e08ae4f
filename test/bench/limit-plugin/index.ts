// The least Homebridge plugin that could do the same: Fastify routes to updateValue, one undici POST per set, and the same
// services on each accessory. It knows no evidence, no journal, no token and no failure. Nothing can be faster.
import { constants, createPublicKey, verify } from 'node:crypto';
import Fastify, { type FastifyInstance } from 'fastify';
import type {
  API,
  DynamicPlatformPlugin,
  Logging,
  PlatformAccessory,
  PlatformConfig,
  Service,
} from 'homebridge';
import { Pool } from 'undici';

const PLUGIN = 'homebridge-limit-lock';
const PLATFORM = 'LimitLock';

interface Lock {
  readonly id: string;
  readonly name: string;
}

/** Where signed events arrive, and whose they are. */
interface Webhook {
  readonly path: string;
  readonly publicKeyPem: string;
}

/** What an event tells of a bolt. */
interface Turn {
  readonly deviceId: string;
  readonly data: { readonly lockState: string };
}

class LimitPlatform implements DynamicPlatformPlugin {
  readonly #api: API;
  readonly #cached = new Map<string, PlatformAccessory>();
  readonly #mechanisms = new Map<string, Service>();
  readonly #service: Pool;

  constructor(_log: Logging, config: PlatformConfig, api: API) {
    this.#api = api;
    this.#service = new Pool(String(config['serviceUrl']));
    const locks = config['locks'] as readonly Lock[];
    api.on('didFinishLaunching', () => {
      api.registerPlatformAccessories(
        PLUGIN,
        PLATFORM,
        locks.flatMap((lock) => this.#show(lock)),
      );
      if (config['matter'] === true) {
        void this.#showOverMatter(locks);
      }
      void this.#listen(config);
    });
  }

  configureAccessory(accessory: PlatformAccessory): void {
    this.#cached.set(accessory.UUID, accessory);
  }

  async #listen({ routePort, webhook }: PlatformConfig): Promise<void> {
    const app = Fastify();
    app.post<{ Params: { id: string }; Body: { current: number; target: number } }>(
      '/locks/:id',
      ({ params, body }, reply) => {
        this.#update(params.id, body.current, body.target);
        return reply.code(204).send();
      },
    );
    if (webhook !== undefined) {
      void app.register(async (scope) => this.#takeSignedEvents(scope, webhook as Webhook));
    }
    await app.listen({ host: '127.0.0.1', port: Number(routePort) });
  }

  #takeSignedEvents(app: FastifyInstance, { path, publicKeyPem }: Webhook): void {
    const key = {
      key: createPublicKey(publicKeyPem),
      padding: constants.RSA_PKCS1_PSS_PADDING,
      saltLength: 32,
    };
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => {
      done(null, body);
    });
    app.post<{ Body: Buffer }>(path, ({ body, headers }, reply) => {
      if (!verify('sha256', body, key, Buffer.from(String(headers['webhook-signature']), 'base64'))) {
        return reply.code(401).send();
      }
      const { deviceId, data } = JSON.parse(body.toString('utf8')) as Turn;
      const position = data.lockState === 'Locked' ? 1 : 0;
      this.#update(deviceId, position, position);
      return reply.code(204).send();
    });
  }

  #update(id: string, current: number, target: number): void {
    const { LockCurrentState, LockTargetState } = this.#api.hap.Characteristic;
    const mechanism = this.#mechanisms.get(id);
    mechanism?.getCharacteristic(LockTargetState).updateValue(target);
    mechanism?.getCharacteristic(LockCurrentState).updateValue(current);
  }

  /** Those that Homebridge does not know yet. */
  #show({ id, name }: Lock): PlatformAccessory[] {
    const { hap, platformAccessory: Accessory } = this.#api;
    const uuid = hap.uuid.generate(`${PLATFORM}:${id}`);
    const cached = this.#cached.get(uuid);
    const accessory = cached ?? new Accessory(name, uuid);
    const mechanism = this.#furnish(accessory);
    this.#mechanisms.set(id, mechanism);
    mechanism.getCharacteristic(hap.Characteristic.LockTargetState).onSet(async (value) => {
      await this.#command(id, value === 1 ? 'Locked' : 'Unlocked');
    });
    return cached === undefined ? [accessory] : [];
  }

  async #command(id: string, lockState: 'Locked' | 'Unlocked'): Promise<void> {
    const { statusCode, body } = await this.#service.request({
      method: 'POST',
      path: `/api/locks/devices/${id}/commands`,
      headers: { 'content-type': 'application/json', authorization: 'Bearer access' },
      body: JSON.stringify({ name: 'ChangeLockState', data: { lockState } }),
    });
    await body.dump();
    if (statusCode !== 202) {
      throw new Error(`The service answered ${String(statusCode)}`);
    }
  }

  /** As many locks over Matter, each Homebridge's own lock with a battery: what Homebridge itself takes for them. */
  async #showOverMatter(locks: readonly Lock[]): Promise<void> {
    const { matter } = this.#api;
    if (matter === undefined) {
      throw new Error('Matter is not on');
    }
    const accessories = locks.map(({ id, name }) => ({
      UUID: this.#api.hap.uuid.generate(`${PLATFORM}:Matter:${id}`),
      displayName: name,
      deviceType: matter.deviceTypes.DoorLock,
      manufacturer: 'Limit',
      model: 'Bolt',
      serialNumber: id,
      firmwareRevision: '1.0',
      context: {},
      clusters: {
        doorLock: { lockState: 1, lockType: 0, actuatorEnabled: true, operatingMode: 0 },
        powerSource: {
          status: 1,
          order: 0,
          description: 'Battery',
          batPercentRemaining: 160,
          batChargeLevel: 0,
          batReplacementNeeded: false,
          batReplaceability: 0,
        },
      },
      handlers: {
        doorLock: {
          lockDoor: async (): Promise<void> => this.#command(id, 'Locked'),
          unlockDoor: async (): Promise<void> => this.#command(id, 'Unlocked'),
        },
      },
    }));
    await matter.registerPlatformAccessories(PLUGIN, PLATFORM, accessories);
  }

  /** The services and characteristics that the plugin shows of a lock that is reachable and well. */
  #furnish(accessory: PlatformAccessory): Service {
    const { Characteristic, Service: Kind } = this.#api.hap;
    const { displayName } = accessory;
    const cached = accessory.getService(Kind.LockMechanism);
    if (cached !== undefined) {
      return cached;
    }
    const mechanism = accessory.addService(new Kind.LockMechanism(displayName));
    mechanism.setPrimaryService();
    mechanism.updateCharacteristic(Characteristic.LockCurrentState, 1);
    mechanism.updateCharacteristic(Characteristic.LockTargetState, 1);
    const management = accessory.addService(new Kind.LockManagement());
    management.updateCharacteristic(Characteristic.Version, '1.0');
    const battery = accessory.addService(new Kind.Battery());
    battery.updateCharacteristic(Characteristic.StatusLowBattery, 0);
    battery.updateCharacteristic(Characteristic.ChargingState, 2);
    battery.updateCharacteristic(Characteristic.BatteryLevel, 80);
    const connection = accessory.addService(new Kind.OccupancySensor(displayName));
    connection.addOptionalCharacteristic(Characteristic.ConfiguredName);
    connection.updateCharacteristic(Characteristic.ConfiguredName, `${displayName} connection`);
    connection.updateCharacteristic(Characteristic.OccupancyDetected, 1);
    connection.updateCharacteristic(Characteristic.StatusActive, true);
    connection.updateCharacteristic(Characteristic.StatusFault, 0);
    for (const linked of [management, battery, connection]) {
      mechanism.addLinkedService(linked);
    }
    return mechanism;
  }
}

// oxlint-disable-next-line import/no-default-export -- Homebridge takes a plugin's default export
export default (api: API): void => {
  api.registerPlatform(PLUGIN, PLATFORM, LimitPlatform);
};
