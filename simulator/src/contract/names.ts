// Every name a partner can see, as data: paths, headers, command and event names (wire contract 1-9).
// The simulator keeps its own list and shares none with the client it judges.

/** The default value of `<product-segment>`. */
export const DEFAULT_PRODUCT_SEGMENT = 'locks';

/** Header names in the contract's spelling; Node lowers the case of incoming ones. */
export const HEADERS = {
  subscriptionKey: 'vendor-subscription-key',
  webhookOrigin: 'WebHook-Request-Origin',
  webhookRate: 'WebHook-Request-Rate',
  webhookAllowedOrigin: 'WebHook-Allowed-Origin',
  webhookSignature: 'WebHook-Signature',
  rateLimit: 'x-rate-limit',
  rateLimitRemaining: 'x-rate-limit-remaining',
  rateLimitReset: 'x-rate-limit-reset',
  rateRetryAfter: 'x-retry-after',
} as const;

/** Paths of the authorization server, after `{auth_url}` (wire contract 1). */
export const OAUTH_PATHS = {
  authorize: '/OAuth2/authorize',
  token: '/OAuth2/token',
} as const;

/** Paths of the device interface, after `{base_url}/<product-segment>` (wire contract 2-5). */
export const DEVICE_PATHS = {
  devices: '/devices',
  device: '/devices/:deviceId',
  commands: '/devices/:deviceId/commands',
  command: '/devices/:deviceId/commands/:commandId',
  accessCodes: '/devices/:deviceId/accesscodes',
  accessCode: '/devices/:deviceId/accesscodes/:accessCodeId',
  lock: '/devices/:deviceId/lock',
  unlock: '/devices/:deviceId/unlock',
  history: '/devices/:deviceId/history',
} as const;

/** Paths of webhook subscriptions, after `{base_url}/<product-segment>` (wire contract 6). */
export const SUBSCRIPTION_PATHS = {
  subscriptions: '/events/subscriptions',
  subscription: '/events/subscriptions/:subscriptionId',
  publicKey: '/events/publickey',
} as const;

/** Paths of the credentialing interface, after `{credentials_base_url}/SMC` (wire contract 8). */
export const CREDENTIAL_PATHS = {
  token: '/authentication/token',
  credentials: '/credentials/mobile',
  raw: '/credentials/mobile/raw',
  byUser: '/credentials/mobile/users/:userId',
  credential: '/credentials/mobile/:credentialId',
  noTourPayloads: '/credentials/mobile/:credentialId/notourpayloads',
  noTourPayload: '/credentials/mobile/:credentialId/notourpayloads/:deviceSerialNumber',
} as const;

/** The five commands (specification, Command). */
export const COMMAND_NAMES = [
  'ChangeLockState',
  'AddAccessCode',
  'UpdateAccessCode',
  'DeleteAccessCode',
  'DeleteAllAccessCodes',
] as const;

/** Accessor types (specification, Accessor types). */
export const ACCESS_TYPES = [
  'VirtualKey',
  '1TouchLocking',
  'AccessCode',
  'AutoRelock',
  'Thumbturn',
  'UnlockButton',
  'LockButton',
  'ScheduledLock',
  'PlatformHome',
  'PlatformHomeNFC',
  'AccessTypeUnavailable',
] as const;

/** Words of `batteryState` (wire contract 2). */
export const BATTERY_STATES = ['Normal', 'Low', 'CriticallyLow', 'Unknown'] as const;

/** Words of `scheduleType` (wire contract 4). */
export const SCHEDULE_TYPES = ['Always', 'Temporary', 'Recurring'] as const;

/** Words of `activeWeekDays`, Sunday first as in JavaScript's own numbering. */
export const WEEK_DAYS = [
  'Sunday',
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
] as const;

/** Values of a history entry's `eventCode` (wire contract 5). */
export const EVENT_CODES = [
  'LockedByKeypad',
  'UnlockedByKeypad',
  'LockedByThumbturn',
  'UnlockedByThumbturn',
  'LockedByExteriorButton',
  'LockedByMobileDevice',
  'UnlockedByMobileDevice',
  'LockedByTime',
  'UnlockedByTime',
  'LockJammed',
  'KeypadDisabledInvalidCode',
  'AlarmTriggered',
  'AccessCodeUserAdded',
  'AccessCodeUserDeleted',
  'AllAccessCodesDeleted',
  'MobileUserAdded',
  'MobileUserDeleted',
  'AdminPrivilegeAdded',
  'AdminPrivilegeDeleted',
  'FirmwareUpdated',
  'FirmwareUpdateFailed',
  'LowBatteryIndicated',
  'CriticalBatteryState',
  'BatteriesReplaced',
  'ForcedEntryAlarmSilenced',
  'KeypadDisconnected',
  'PassageModeActivated',
  'PassageModeDeactivated',
  'LockedByPlatformKey',
  'UnlockedByPlatformKey',
  'HistoryCleared',
  'Unknown',
] as const;
