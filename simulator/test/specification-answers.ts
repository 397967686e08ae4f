// What a partner sees once a row of specification-rows.ts was made to happen: what to ask, then what is seen.
//
// `COMMAND` sends a command to the front door, waits 61 seconds and reads it back. `WEBHOOK` is what a subscriber gets.
// `<just now>` is a time of the last ten seconds, `<text>` and `<number>` any of those. Other members are not compared.
// `{number}` and the like are values of `specification-values.ts`.

/** By heading and row: the calls, and behind them the answer. Without a call, the document's own is asked. */
export const SPECIFICATION_ANSWERS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  Device: {
    role: ['GET /devices', '[{"role":"guest"},{"role":"owner"},{"role":"owner"}]'],
    'id and type and serialNumber and created': [
      'GET /devices/shed',
      '{"id":"shed","type":"WifiLever","serialNumber":"S-0815","created":"<just now>"}',
    ],
    name: ['GET /devices/{Main door}', '{"name":"Main door"}'],
    'lockState and lastUpdated': [
      'GET /devices/{Front door}',
      '{"lockState":"Unlocked","lastUpdated":"<just now>"}',
    ],
    'lockState, as an integer': ['GET /devices/{Front door}', '{"lockState":1}'],
    'batteryState and percentageBatteryLevel': [
      'GET /devices/{Front door}',
      '{"batteryState":"Low","percentageBatteryLevel":15}',
    ],
    'batteryState, CriticallyLow': ['GET /devices/{Front door}', '{"batteryState":"CriticallyLow"}'],
    'batteryState, Unknown': ['GET /devices/{Front door}', '{"batteryState":"Unknown"}'],
    connected: ['GET /devices/{Front door}', '{"connected":false}'],
    lastConnectedToCloud: ['GET /devices/{Front door}', '{"lastConnectedToCloud":"<just now>"}'],
    timezoneOffset: ['GET /devices/{Front door}', '{"timezoneOffset":"+09:00"}'],
    'modelName and firmwareVersion and wifiRssi and features': [
      'GET /devices/{Front door}',
      '{"modelName":"Model-X","firmwareVersion":"11.0.1","wifiRssi":-88,"features":{"vlac":false,"activityAlarm":true}}',
    ],
  },
  Command: {
    'commandId and deviceId and name': [
      '{"commandId":"<text>","deviceId":"{Front door}","name":"ChangeLockState"}',
    ],
    state: ['COMMAND {"name":"ChangeLockState","data":{"lockState":"Unlocked"}}', '{"state":"Failed"}'],
    data: [
      'COMMAND {"name":"ChangeLockState","data":{"lockState":"Unlocked"}}',
      '{"data":{"lockState":"Unknown","error":{"statusCode":409,"errorCode":32,"errorMessage":"Bolt is jammed"}}}',
    ],
    'data, misspelt and with integers as text': [
      'COMMAND {"name":"ChangeLockState","data":{"lockState":"Unlocked"}}',
      '{"data":{"error":{"statusCode":"500","errorCode":"1","errorMesage":"<text>"}}}',
    ],
  },
  'Command data': {
    AddAccessCode: [
      'COMMAND {"name":"AddAccessCode","data":{"name":"Cleaner","code":"471100","scheduleType":"Always"}}',
      '{"data":{"accessCodeId":null,"friendlyName":"Cleaner","error":{"errorCode":5}}}',
    ],
    UpdateAccessCode: [
      'COMMAND {"name":"UpdateAccessCode","data":{"accessCodeId":"c-1","name":"Cleaners"}}',
      '{"data":{"accessCodeId":null,"error":{"errorCode":8}}}',
    ],
    DeleteAccessCode: [
      'COMMAND {"name":"DeleteAccessCode","data":{"accessCodeId":"c-1"}}',
      '{"data":{"error":{"errorCode":6}}}',
    ],
    DeleteAllAccessCodes: [
      'COMMAND {"name":"DeleteAllAccessCodes","data":{}}',
      '{"data":{"deviceId":"{Front door}","error":{"errorCode":12}}}',
    ],
    ChangeLockState: [
      'COMMAND {"name":"ChangeLockState","data":{"lockState":"Unlocked"}}',
      '{"data":{"lockState":"Unknown","error":{"errorCode":13}}}',
    ],
    'ChangeLockState, successful': ['{"state":"Successful","data":{"lockState":"Unlocked","error":null}}'],
  },
  'Access code': {
    'accessCodeId and name and code and accessCodeLength and readOnly and scheduleType': [
      'GET /devices/{Back door}/accesscodes',
      '{"accessCodes":[{"accessCodeId":"c-1","name":"Dog walker","code":"0815","accessCodeLength":4,"readOnly":true,"scheduleType":"Always"}]}',
    ],
    'code, as an integer in an event': ['WEBHOOK', '{"data":{"code":4711}}'],
    'scheduleDetails, schedules': [
      'GET /devices/{Back door}/accesscodes',
      '{"accessCodes":[{"scheduleType":"Recurring","scheduleDetails":{"startDateTime":null,"schedules":[{"startTime":"09:00","endTime":"17:00","activeWeekDays":["Monday"]}]}}]}',
    ],
    'scheduleDetails, startDateTime and endDateTime': [
      'GET /devices/{Back door}/accesscodes',
      '{"accessCodes":[{"scheduleDetails":{"startDateTime":"20260501T09:00-04:00","endDateTime":"20261201T17:00-05:00"}}]}',
    ],
  },
  'History entry': {
    'id and timestamp and eventCode and accessor': [
      'GET /devices/{Front door}/history?limit=1',
      '[{"id":"<text>","timestamp":"<just now>","eventCode":"FirmwareUpdated","accessor":{"id":"u-7","friendlyName":"Cleaner","accessType":"VirtualKey"}}]',
    ],
    'timestamp, with the offset of the device': [
      'GET /devices/{Front door}/history?limit=1&deviceLocalTime=true',
      '[{"timestamp":"2026-01-01T06:00:00.000-05:00"}]',
    ],
  },
  'Accessor types': {
    VirtualKey: ['GET /devices/{Front door}/history?limit=1', '[{"accessor":{"accessType":"VirtualKey"}}]'],
    '1TouchLocking': [
      'GET /devices/{Front door}/history?limit=1',
      '[{"accessor":{"accessType":"1TouchLocking"}}]',
    ],
    AccessCode: ['GET /devices/{Front door}/history?limit=1', '[{"accessor":{"accessType":"AccessCode"}}]'],
    AutoRelock: ['GET /devices/shed/history?limit=1', '[{"accessor":{"accessType":"AutoRelock"}}]'],
    Thumbturn: ['GET /devices/{Front door}/history?limit=1', '[{"accessor":{"accessType":"Thumbturn"}}]'],
    UnlockButton: [
      'GET /devices/{Front door}/history?limit=1',
      '[{"accessor":{"accessType":"UnlockButton"}}]',
    ],
    LockButton: ['GET /devices/{Front door}/history?limit=1', '[{"accessor":{"accessType":"LockButton"}}]'],
    ScheduledLock: [
      'GET /devices/{Front door}/history?limit=1',
      '[{"accessor":{"accessType":"ScheduledLock"}}]',
    ],
    PlatformHome: [
      'GET /devices/{Front door}/history?limit=1',
      '[{"accessor":{"accessType":"PlatformHome"}}]',
    ],
    PlatformHomeNFC: [
      'GET /devices/{Front door}/history?limit=1',
      '[{"accessor":{"accessType":"PlatformHomeNFC"}}]',
    ],
    AccessTypeUnavailable: [
      'WEBHOOK',
      '{"trigger":"DeviceLockStateChanged","data":{"accessor":{"accessType":"AccessTypeUnavailable"}}}',
    ],
  },
  States: {
    'Command, Pending': [
      'POST /devices/{Front door}/commands {"name":"ChangeLockState","data":{"lockState":"Unlocked"}}',
      '202 {"state":"Pending","data":{"error":null}}',
    ],
    'Command, Successful': ['{"state":"Successful","data":{"error":null}}'],
    'Command, Failed': [
      'COMMAND {"name":"ChangeLockState","data":{"lockState":"Unlocked"}}',
      '{"state":"Failed","data":{"error":{"errorCode":32}}}',
    ],
    'Device, Locked': ['GET /devices/{Front door}', '{"lockState":"Locked"}'],
    'Device, Unlocked': ['GET /devices/{Front door}', '{"lockState":"Unlocked"}'],
    'Device, Unknown': ['GET /devices/{Front door}', '{"lockState":"Unknown"}'],
  },
  'Authorization and token endpoints': {
    'GET authorize, with a page': ['AUTHORIZE {}', '200 content-type: text/html'],
    'GET authorize, without': ['AUTHORIZE {}', '302 location: state=xyz&code='],
    'POST token, code': [
      '200 {"access_token":"<text>","refresh_token":"<text>","expires_in":3600,"token_type":"Bearer"}',
    ],
    'POST token, refresh': ['200 {"access_token":"<text>","refresh_token":"<text>","expires_in":3600}'],
  },
  'Device interface': {
    'GET history': [
      'GET /devices/{Front door}/history?limit=1&deviceLocalTime=false',
      '200 [{"eventCode":"AccessCodeUserAdded"}]',
    ],
    'GET device': ['GET /devices/{Front door}', '200 {"lockState":"Unlocked"}'],
    'GET device list': ['GET /devices', '200 [{"role":"owner"},{"role":"owner"}]'],
    'GET command': [
      'COMMAND {"name":"ChangeLockState","data":{"lockState":"Unlocked"}}',
      '200 {"name":"ChangeLockState","state":"Failed"}',
    ],
  },
  'Credentialing interface': {
    'GET /SMC/credentials/mobile': ['GET /SMC/credentials/mobile', '200 x-rate-limit-remaining: 99'],
  },
  'Credentials a partner holds': {
    client_id: [
      'TOKEN {"client_id":"mine","grant_type":"refresh_token","refresh_token":"none"}',
      '400 {"error":"invalid_grant"}',
    ],
    client_secret: [
      'TOKEN {"client_id":"mine","client_secret":"hush","grant_type":"refresh_token","refresh_token":"none"}',
      '400 {"error":"invalid_client"}',
    ],
    'redirect URI': ['AUTHORIZE {"redirect_uri":"https://app.example/new"}', '200 content-type: text/html'],
    'subscription key': [
      'GET /devices (key k-2)',
      '401 {"message":"Access denied: subscription key is not valid."}',
    ],
    scope: ['302 location: error=invalid_scope'],
  },
  'Envelope (current form)': {
    'eventId and eventType and trigger and time and deviceId and data and version': [
      'WEBHOOK',
      '{"eventId":"<text>","eventType":"DeviceUpdate","trigger":"DeviceLockStateChanged","time":"<just now>","deviceId":"{Front door}","version":"2.0","data":{"lockState":"Unlocked","accessor":{"id":null,"friendlyName":null,"accessType":"Thumbturn"}}}',
    ],
    'time, in epoch milliseconds': [
      'WEBHOOK',
      '{"trigger":"DeviceIncorrectAccessCodeEntered","time":"<number>"}',
    ],
    'version, 1.0': ['WEBHOOK', '{"version":"1.0"}'],
  },
  Triggers: {
    DeviceLockStateChanged: [
      'WEBHOOK',
      '{"trigger":"DeviceLockStateChanged","eventType":"DeviceUpdate","data":{"lockState":"Unlocked"}}',
    ],
    DeviceConnectivityStateChanged: [
      'WEBHOOK',
      '{"trigger":"DeviceConnectivityStateChanged","eventType":"DeviceUpdate","data":{"connected":"false"}}',
    ],
    DeviceIncorrectAccessCodeEntered: [
      'WEBHOOK',
      '{"trigger":"DeviceIncorrectAccessCodeEntered","data":{"enteredAccessCode":"9999"}}',
    ],
    AccessCodeAdded: [
      'WEBHOOK',
      '{"trigger":"AccessCodeAdded","eventType":"AccessCodeAdded","data":{"accessCodeId":"c-1","name":"Cleaner","code":"4711","accessCodeLength":4,"readOnly":false,"scheduleType":"Always"}}',
    ],
    AccessCodeUpdated: [
      'WEBHOOK',
      '{"trigger":"AccessCodeUpdated","eventType":"AccessCodeUpdate","data":{"name":"Cleaners"}}',
    ],
    AccessCodeDeleted: ['WEBHOOK', '{"trigger":"AccessCodeDeleted","data":{"accessCodeId":"c-1"}}'],
    CommandStateChanged: ['{"trigger":"CommandStateChanged","data":{"state":"Successful"}}'],
    DeviceBatteryStateChanged: [
      'WEBHOOK',
      '{"trigger":"DeviceBatteryStateChanged","data":{"batteryState":"Low"}}',
    ],
    DeviceAlarmTriggered: ['WEBHOOK', '{"trigger":"DeviceAlarmTriggered"}'],
    DeviceKeypadLockedOut: ['WEBHOOK', '{"trigger":"DeviceKeypadLockedOut"}'],
    UserSignedOutEverywhere: ['WEBHOOK', '{"trigger":"UserSignedOutEverywhere"}'],
  },
  'Earlier access-code management envelope': {
    'id and subject and data and eventType and dataVersion and metadataVersion and eventTime and topic': [
      'WEBHOOK',
      '{"id":"<text>","subject":"<text>","data":{"identifier":null,"deviceId":"{Back door}","deviceName":"Back door","clientName":null,"eventTypeId":"<number>","eventType":"AccessCodeCreate","accessCode":{"id":"c-1","name":"Cleaner","accessCode":"4711","scheduleType":"Always","activeSchedules":[]},"timezoneOffset":"-04:00","time":"<text>"},"eventType":"AccessCodeManagement","dataVersion":"1.0","metadataVersion":"1","eventTime":"<just now>","topic":"<text>"}',
    ],
    'the same in an array': ['WEBHOOK', '[{"eventType":"AccessCodeManagement"}]'],
  },
  'OAuth errors': {
    invalid_request: ['400 {"error":"invalid_request"}'],
    invalid_client: ['400 {"error":"invalid_client"}'],
    invalid_grant: ['TOKEN {"grant_type":"refresh_token"}', '400 {"error":"invalid_grant"}'],
    'invalid_grant, for a code': [
      'TOKEN {"grant_type":"authorization_code"}',
      '400 {"error":"invalid_grant"}',
    ],
    invalid_scope: ['400 {"error":"invalid_scope"}'],
    unauthorized_client: ['TOKEN {"grant_type":"refresh_token"}', '400 {"error":"unauthorized_client"}'],
    unsupported_grant_type: ['400 {"error":"unsupported_grant_type"}'],
    'refresh with an expired refresh token': [
      'TOKEN {"grant_type":"authorization_code"}',
      'TOKEN {"grant_type":"refresh_token","refresh_token":"{last}"}',
      '401 {"error":"invalid_grant"}',
    ],
    '{error}, without a cause': ['TOKEN {"grant_type":"refresh_token"}', '400 {"error":"{error}"}'],
  },
  'Rate limit error': {
    '429': ['GET /devices', '429 {"error":"<text>"}'],
  },
  'Device command error codes': {
    '{number}': [
      'COMMAND {"name":"ChangeLockState","data":{"lockState":"Unlocked"}}',
      '{"state":"Failed","data":{"error":{"statusCode":{status},"errorCode":{number},"errorMessage":"{message}"}}}',
    ],
  },
  'Rate limits': {
    '{operation}': ['{call}', '429 {"error":"<text>"}'],
  },
  'Rate-limit response headers': {
    'x-rate-limit': ['GET /SMC/credentials/mobile', '200 x-rate-limit: 7'],
    'x-rate-limit-remaining': ['GET /SMC/credentials/mobile', '200 x-rate-limit-remaining: 6'],
    'x-retry-after': ['GET /SMC/credentials/mobile', '429 x-retry-after: 60'],
    'x-rate-limit-reset, in epoch seconds': ['GET /SMC/credentials/mobile', '200 x-rate-limit-reset: 177'],
    'x-rate-limit-reset, as ISO 8601': [
      'GET /SMC/credentials/mobile',
      '200 x-rate-limit-reset: 2026-04-14T12:',
    ],
  },
  'Other limits': {
    'Access code name length': ['400 {"errorCode":28}'],
    'Access token lifetime': ['TOKEN {"grant_type":"refresh_token"}', '200 {"expires_in":60}'],
    'Refresh token lifetime': [
      'TOKEN {"grant_type":"authorization_code"}',
      'TOKEN {"grant_type":"refresh_token","refresh_token":"{last}"}',
      '401 {"error":"invalid_grant"}',
    ],
    'Authorization code lifetime': [
      'TOKEN {"grant_type":"authorization_code"}',
      '400 {"error":"invalid_grant"}',
    ],
    'Device commands in flight per device': [
      'POST /devices/{Front door}/lock',
      'POST /devices/{Front door}/unlock',
      '409 {"errorCode":36}',
    ],
  },
};
