// How each row of the specification happens in the simulator: on its page (**bold**), or by control calls (`POST` below `/_control`).
//
// What needs a motor or a keypad is so five seconds later. `{Front door}` is the id of that lock. Calls in capitals are a partner's own: paths with
// `/SMC` go to `credentialsBaseUrl`, others to `baseUrl` and the product segment. `COMMAND` is a command to the front door; `AUTHORIZE` and
// `TOKEN` are the calls of the authorization server, right but for the members named (`null` leaves one out).
// A row with `{number}`, `{operation}` or `{error}` stands for each of the specification's (`specification-values.ts`).

/** By heading and row. */
export const SPECIFICATION_ROWS: Readonly<
  Record<string, Readonly<Record<string, readonly [page: string, calls: string]>>>
> = {
  Device: {
    role: ['', '`locks/Front door/set-role {"userId":"resident","role":"guest"}`'],
    'id and type and serialNumber and created': [
      '',
      '`house/add-lock {"deviceId":"shed","name":"Shed","type":"WifiLever","roles":{"resident":"owner"},"serialNumber":"S-0815"}`',
    ],
    name: ['', '`locks/Front door/rename {"name":"Main door"}`'],
    'lockState and lastUpdated': ['**Turn the thumbturn**', '`locks/Front door/turn-thumbturn`'],
    'lockState, as an integer': [
      '**Fault of calls**, **Forms of earlier versions**',
      '`house/inject-fault {"kind":"old-forms","forms":["integer-lock-state"],"often":"always"}`',
    ],
    'batteryState and percentageBatteryLevel': [
      '**Battery low**',
      '`locks/Front door/set-battery {"percent":15}`',
    ],
    'batteryState, CriticallyLow': ['**Battery critical**', '`locks/Front door/set-battery {"percent":3}`'],
    'batteryState, Unknown': ['**Battery not reported**', '`locks/Front door/set-battery {"percent":null}`'],
    connected: ['**Cut Wi-Fi**', '`locks/Front door/cut-wifi {"noticeAfterMs":0}`'],
    lastConnectedToCloud: [
      '**Cut Wi-Fi**, twice',
      '`locks/Front door/cut-wifi {"noticeAfterMs":0}`, then `locks/Front door/restore-wifi`',
    ],
    timezoneOffset: ['', '`locks/Front door/configure {"timeZone":"Asia/Tokyo"}`'],
    'modelName and firmwareVersion and wifiRssi and features': [
      '',
      '`locks/Front door/configure {"modelName":"Model-X","firmwareVersion":"11.0.1","wifiRssi":-88,"vlac":false,"activityAlarm":true}`',
    ],
  },
  Command: {
    'commandId and deviceId and name': [
      '',
      '`COMMAND {"name":"ChangeLockState","data":{"lockState":"Unlocked"}}`',
    ],
    state: ['**Fail it**', '`locks/Front door/fail-next-commands {"errorCode":1}`'],
    data: ['**Jam**', '`locks/Front door/jam`'],
    'data, misspelt and with integers as text': [
      '**Fault of calls**, **Forms of earlier versions**',
      '`locks/Front door/fail-next-commands {"errorCode":1}`, then `house/inject-fault {"kind":"old-forms","forms":["misspelt-error-message","integers-as-strings"],"often":"always"}`',
    ],
  },
  'Command data': {
    AddAccessCode: ['**Fail it**', '`locks/Front door/fail-next-commands {"errorCode":5}`'],
    UpdateAccessCode: [
      '**Fail it**',
      '`locks/Front door/put-access-code {"accessCode":{"accessCodeId":"c-1","name":"Cleaner","code":"471100"},"side":"both"}`, then `locks/Front door/fail-next-commands {"errorCode":8}`',
    ],
    DeleteAccessCode: [
      '**Fail it**',
      '`locks/Front door/put-access-code {"accessCode":{"accessCodeId":"c-1","name":"Cleaner","code":"471100"},"side":"both"}`, then `locks/Front door/fail-next-commands {"errorCode":6}`',
    ],
    DeleteAllAccessCodes: ['**Fail it**', '`locks/Front door/fail-next-commands {"errorCode":12}`'],
    ChangeLockState: ['**Fail it**', '`locks/Front door/fail-next-commands {"errorCode":13}`'],
    'ChangeLockState, successful': [
      '',
      '`COMMAND {"name":"ChangeLockState","data":{"lockState":"Unlocked"}}`',
    ],
  },
  'Access code': {
    'accessCodeId and name and code and accessCodeLength and readOnly and scheduleType': [
      '',
      '`locks/Back door/put-access-code {"accessCode":{"accessCodeId":"c-1","name":"Dog walker","code":"0815","readOnly":true},"side":"both"}`',
    ],
    'code, as an integer in an event': [
      '',
      '`house/configure-webhooks {"form":"1.0","v1Code":"number"}`, then `locks/Back door/put-access-code {"accessCode":{"accessCodeId":"c-1","name":"Cleaner","code":"4711"},"side":"both"}`',
    ],
    'scheduleDetails, schedules': [
      '',
      '`locks/Back door/put-access-code {"accessCode":{"accessCodeId":"c-1","name":"Cleaner","code":"4711","scheduleType":"Recurring","scheduleDetails":{"schedules":[{"startTime":"09:00","endTime":"17:00","activeWeekDays":["Monday"]}]}},"side":"both"}`',
    ],
    'scheduleDetails, startDateTime and endDateTime': [
      '',
      '`locks/Back door/put-access-code {"accessCode":{"accessCodeId":"c-1","name":"Cleaner","code":"4711","scheduleType":"Temporary","scheduleDetails":{"startDateTime":"20260501T09:00-04:00","endDateTime":"20261201T17:00-05:00"}},"side":"both"}`',
    ],
  },
  'History entry': {
    'id and timestamp and eventCode and accessor': [
      '',
      '`locks/Front door/write-history {"eventCode":"FirmwareUpdated","accessor":{"id":"u-7","friendlyName":"Cleaner","accessType":"VirtualKey"}}`',
    ],
    'timestamp, with the offset of the device': [
      '',
      '`locks/Front door/write-history {"eventCode":"AccessCodeUserAdded","at":1767265200000}`',
    ],
  },
  'Accessor types': {
    VirtualKey: [
      '**Unlock with the key of resident**',
      '`locks/Front door/use-virtual-key {"userId":"resident","to":"Unlocked"}`',
    ],
    '1TouchLocking': ['**One-touch**', '`locks/Front door/press-one-touch`'],
    AccessCode: ['**Code at the keypad**, **Unlock**', '`locks/Front door/type-code {"code":"2580"}`'],
    AutoRelock: [
      '',
      '`house/add-lock {"deviceId":"shed","name":"Shed","type":"WifiLever","roles":{"resident":"owner"},"bolt":"Unlocked","settings":{"autoRelockMs":1000}}`',
    ],
    Thumbturn: ['**Turn the thumbturn**', '`locks/Front door/turn-thumbturn`'],
    UnlockButton: [
      '**Unlock button inside**',
      '`locks/Front door/press-inside-button {"button":"UnlockButton"}`',
    ],
    LockButton: ['**Lock button inside**', '`locks/Front door/press-inside-button {"button":"LockButton"}`'],
    ScheduledLock: ['**Lock on schedule**', '`locks/Front door/run-scheduled-lock`'],
    PlatformHome: ['**Unlock from a smart home**', '`locks/Front door/use-platform-home {"to":"Unlocked"}`'],
    PlatformHomeNFC: [
      '**Unlock by NFC**',
      '`locks/Front door/use-platform-home {"to":"Unlocked","nfc":true}`',
    ],
    AccessTypeUnavailable: [
      '**Cut Wi-Fi**, **Turn the thumbturn**, **Cut Wi-Fi**',
      '`locks/Front door/cut-wifi`, then `locks/Front door/turn-thumbturn`, then `locks/Front door/restore-wifi`',
    ],
  },
  States: {
    'Command, Pending': [
      '**Travel time of the bolt, seconds**',
      '`locks/Front door/configure {"travelMs":30000}`',
    ],
    'Command, Successful': ['', '`COMMAND {"name":"ChangeLockState","data":{"lockState":"Unlocked"}}`'],
    'Command, Failed': ['**Fail it**', '`locks/Front door/fail-next-commands {"errorCode":32}`'],
    'Device, Locked': ['**Lock button inside**', '`locks/Front door/turn-thumbturn {"to":"Locked"}`'],
    'Device, Unlocked': ['**Turn the thumbturn**', '`locks/Front door/turn-thumbturn {"to":"Unlocked"}`'],
    'Device, Unknown': ['**Forget the position**', '`locks/Front door/forget-position`'],
  },
  'Authorization and token endpoints': {
    'GET authorize, with a page': ['', '`house/configure-authorization {"autoApproveUserId":null}`'],
    'GET authorize, without': ['', '`house/configure-authorization {"autoApproveUserId":"resident"}`'],
    'POST token, code': ['', '`TOKEN {"grant_type":"authorization_code"}`'],
    'POST token, refresh': ['', '`TOKEN {"grant_type":"refresh_token"}`'],
  },
  'Device interface': {
    'GET history': ['', '`locks/Front door/write-history {"eventCode":"AccessCodeUserAdded"}`'],
    'GET device': ['**Turn the thumbturn**', '`locks/Front door/turn-thumbturn`'],
    'GET device list': ['', '`locks/Garage/remove`'],
    'GET command': ['**Jam**', '`locks/Front door/jam`'],
  },
  'Credentialing interface': {
    'GET /SMC/credentials/mobile': ['', '`house/clear-rate-windows`'],
  },
  'Credentials a partner holds': {
    client_id: [
      '',
      '`reset {"scenario":{"clients":[{"clientId":"mine","clientSecret":"hush","redirectUris":["https://app.example/back"],"subscriptionKeys":["k-1","k-2"]}]}}`',
    ],
    client_secret: [
      '',
      '`reset {"scenario":{"clients":[{"clientId":"mine","clientSecret":"other","redirectUris":["https://app.example/back"],"subscriptionKeys":["k-1","k-2"]}]}}`',
    ],
    'redirect URI': [
      '',
      '`reset {"scenario":{"clients":[{"clientId":"mine","clientSecret":"hush","redirectUris":["https://app.example/new"],"subscriptionKeys":["k-1","k-2"]}]}}`',
    ],
    'subscription key': [
      '',
      '`reset {"scenario":{"clients":[{"clientId":"mine","clientSecret":"hush","redirectUris":["https://app.example/back"],"subscriptionKeys":["k-3","k-4"]}]}}`',
    ],
    scope: ['', '`AUTHORIZE {"scope":"email"}`'],
  },
  'Envelope (current form)': {
    'eventId and eventType and trigger and time and deviceId and data and version': [
      '**Turn the thumbturn**',
      '`locks/Front door/turn-thumbturn`',
    ],
    'time, in epoch milliseconds': [
      '**Code at the keypad**, **Unlock**',
      '`locks/Front door/type-code {"code":"9999"}`',
    ],
    'version, 1.0': ['', '`house/configure-webhooks {"form":"1.0"}`, then `locks/Front door/turn-thumbturn`'],
  },
  Triggers: {
    DeviceLockStateChanged: ['**Turn the thumbturn**', '`locks/Front door/turn-thumbturn`'],
    DeviceConnectivityStateChanged: ['**Cut Wi-Fi**', '`locks/Front door/cut-wifi {"noticeAfterMs":0}`'],
    DeviceIncorrectAccessCodeEntered: [
      '**Code at the keypad**, **Unlock**',
      '`locks/Front door/type-code {"code":"9999"}`',
    ],
    AccessCodeAdded: [
      '',
      '`locks/Back door/put-access-code {"accessCode":{"accessCodeId":"c-1","name":"Cleaner","code":"4711"},"side":"both"}`',
    ],
    AccessCodeUpdated: [
      '',
      '`locks/Back door/put-access-code {"accessCode":{"accessCodeId":"c-1","name":"Cleaner","code":"4711"},"side":"both"}`, then `locks/Back door/put-access-code {"accessCode":{"accessCodeId":"c-1","name":"Cleaners","code":"4711"},"side":"both"}`',
    ],
    AccessCodeDeleted: [
      '',
      '`locks/Back door/put-access-code {"accessCode":{"accessCodeId":"c-1","name":"Cleaner","code":"4711"},"side":"both"}`, then `locks/Back door/drop-access-code {"accessCodeId":"c-1","side":"both"}`',
    ],
    CommandStateChanged: [
      '',
      '`COMMAND {"name":"ChangeLockState","data":{"lockState":"Unlocked"}}`, then `WEBHOOK`',
    ],
    DeviceBatteryStateChanged: ['**Battery low**', '`locks/Front door/set-battery {"percent":15}`'],
    DeviceAlarmTriggered: ['**Activity alarm**', '`locks/Front door/trigger-alarm`'],
    DeviceKeypadLockedOut: [
      '**Code at the keypad**, five times',
      '`locks/Front door/configure {"wrongCodesToLockout":1}`, then `locks/Front door/type-code {"code":"9999"}`',
    ],
    UserSignedOutEverywhere: ['**Sign out everywhere**', '`house/sign-out-everywhere {"userId":"resident"}`'],
  },
  'Earlier access-code management envelope': {
    'id and subject and data and eventType and dataVersion and metadataVersion and eventTime and topic': [
      '',
      '`house/configure-webhooks {"form":"earlier"}`, then `locks/Back door/put-access-code {"accessCode":{"accessCodeId":"c-1","name":"Cleaner","code":"4711"},"side":"both"}`',
    ],
    'the same in an array': [
      '',
      '`house/configure-webhooks {"form":"earlier-in-array"}`, then `locks/Back door/put-access-code {"accessCode":{"accessCodeId":"c-1","name":"Cleaner","code":"4711"},"side":"both"}`',
    ],
  },
  'OAuth errors': {
    invalid_request: ['', '`TOKEN {"grant_type":"refresh_token","refresh_token":null}`'],
    invalid_client: ['', '`TOKEN {"grant_type":"refresh_token","client_secret":"wrong"}`'],
    invalid_grant: ['**Revoke**', '`house/revoke {"userId":"resident"}`'],
    'invalid_grant, for a code': ['', '`house/configure-authorization {"codeLifetimeMs":0}`'],
    invalid_scope: ['', '`TOKEN {"grant_type":"refresh_token","scope":"everything"}`'],
    unauthorized_client: [
      '',
      '`reset {"scenario":{"clients":[{"clientId":"mine","clientSecret":"hush","redirectUris":["https://app.example/back"],"subscriptionKeys":["k-1","k-2"],"grants":["authorization_code"]}]}}`',
    ],
    unsupported_grant_type: ['', '`TOKEN {"grant_type":"password"}`'],
    'refresh with an expired refresh token': [
      '',
      '`house/configure-authorization {"refreshTokenLifetimeMs":0}`',
    ],
    '{error}, without a cause': [
      '',
      '`house/inject-fault {"kind":"status","status":400,"body":{"error":"{error}"},"path":"/auth/OAuth2/token**","often":"once"}`',
    ],
  },
  'Rate limit error': {
    '429': [
      '**Fault of calls**, **429, wait 20 s**',
      '`house/inject-fault {"kind":"status","status":429,"wait":{"seconds":20,"said":"text"},"often":"once"}`',
    ],
  },
  'Device command error codes': {
    '{number}': [
      '**Error of the next command**, **Fail it**',
      '`locks/Front door/fail-next-commands {"errorCode":{number}}`',
    ],
  },
  'Rate limits': {
    '{operation}': ['', '`house/configure-credentialing {"limits":{"{operation}":0}}`'],
  },
  'Rate-limit response headers': {
    'x-rate-limit': ['', '`house/configure-credentialing {"limits":{"Get All Credentials":7}}`'],
    'x-rate-limit-remaining': ['', '`house/configure-credentialing {"limits":{"Get All Credentials":7}}`'],
    'x-retry-after': ['', '`house/configure-credentialing {"limits":{"Get All Credentials":0}}`'],
    'x-rate-limit-reset, in epoch seconds': [
      '',
      '`house/configure-credentialing {"resetForm":"epoch-seconds"}`',
    ],
    'x-rate-limit-reset, as ISO 8601': ['', '`house/configure-credentialing {"resetForm":"iso-8601"}`'],
  },
  'Other limits': {
    'Access code name length': [
      '',
      '`POST /devices/{Front door}/accesscodes {"name":"A name of twenty-five letters","code":"471100","scheduleType":"Always"}`',
    ],
    'Access token lifetime': ['', '`house/configure-authorization {"accessTokenLifetimeMs":60000}`'],
    'Refresh token lifetime': ['', '`house/configure-authorization {"refreshTokenLifetimeMs":0}`'],
    'Authorization code lifetime': ['', '`house/configure-authorization {"codeLifetimeMs":0}`'],
    'Device commands in flight per device': [
      '**Travel time of the bolt, seconds**',
      '`locks/Front door/configure {"travelMs":30000}`',
    ],
  },
};
