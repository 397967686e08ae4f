// What a row of specification-rows.ts with `{number}` and the like stands for, as the specification has it: under a heading, the values.

type Values = Readonly<Record<string, string>>;

/** Specification, Device command error codes. */
const ERRORS: readonly (readonly [status: number, message: string])[] = [
  [500, 'Operation completed successfully'],
  [500, 'General failure during the operation'],
  [409, 'Access code already exists'],
  [400, 'PIN code is out of the acceptable range'],
  [409, 'An access code with this name already exists'],
  [500, 'Failed to add the access code to the device'],
  [500, 'Failed to delete the access code from the device'],
  [502, 'Network error occurred while updating storage'],
  [504, 'No response received while updating storage'],
  [502, 'Update storage operation was denied'],
  [502, 'Network error occurred while deleting storage'],
  [504, 'No response received while deleting storage'],
  [502, 'Delete storage operation was denied'],
  [504, 'Lost connection while waiting for a response'],
  [500, 'JSON assembler error occurred'],
  [500, 'JSON parser error occurred'],
  [400, 'Access code ID not provided'],
  [400, 'PIN not provided'],
  [400, 'Access code name not provided'],
  [400, 'Schedule not provided'],
  [400, 'Parameters provided are not valid'],
  [400, 'User-disabled status not provided'],
  [400, 'Activation seconds not provided'],
  [400, 'Expiration seconds not provided'],
  [400, 'Parameters provided are not valid'],
  [400, 'Command type is not valid'],
  [404, 'User not found in the device'],
  [409, 'Duplicate access code ID found in the device'],
  [400, 'Access code name is too long'],
  [400, 'Access code length not provided'],
  [400, 'Access code length is out of range'],
  [404, 'Access code ID is not valid'],
  [409, 'Bolt is jammed'],
  [500, 'Schedule Locking error'],
  [400, 'Schedule parameters are not valid'],
  [400, 'Maximum schedule is not valid'],
  [409, 'Cannot process multiple device commands simultaneously'],
  [409, 'A subset of the access code is already in use'],
  [409, 'A superset of the access code is already in use'],
];

/** Specification, Rate limits: each operation, and a call of it. */
const OPERATIONS: Values = {
  'Authentication Token': 'POST /SMC/authentication/token',
  'Create Credential': 'POST /SMC/credentials/mobile',
  'Create Raw Credential': 'POST /SMC/credentials/mobile/raw',
  'Save No-Tour Payloads': 'POST /SMC/credentials/mobile/c-7/notourpayloads',
  'Get Credential by Credential Id': 'GET /SMC/credentials/mobile/c-7',
  'Get Credential by User Id': 'GET /SMC/credentials/mobile/users/u-7',
  'Get All Credentials': 'GET /SMC/credentials/mobile',
  'Delete No-Tour Payload by Device Serial Number': 'DELETE /SMC/credentials/mobile/c-7/notourpayloads/s-7',
  'Delete No-Tour Payloads by Credential Id': 'DELETE /SMC/credentials/mobile/c-7/notourpayloads',
  'Delete Credential by Credential Id': 'DELETE /SMC/credentials/mobile/c-7',
  'Delete Credential by User Id': 'DELETE /SMC/credentials/mobile/users/u-7',
};

/** Specification, OAuth errors. */
const OAUTH_ERRORS = [
  'invalid_request',
  'invalid_client',
  'invalid_grant',
  'invalid_scope',
  'unauthorized_client',
  'unsupported_grant_type',
] as const;

export const SPECIFICATION_VALUES: Readonly<Record<string, readonly Values[]>> = {
  'Device command error codes': ERRORS.map(([status, message], number) => ({
    number: String(number),
    status: String(status),
    message,
  })),
  'Rate limits': Object.entries(OPERATIONS).map(([operation, call]) => ({ operation, call })),
  'OAuth errors': OAUTH_ERRORS.map((error) => ({ error })),
};
